/**
 * Finds tables of cases (`it.each([…])`, `describe.for(CASES)`) whose rows are arrays: such a row does not say what its values
 * are. A table is followed through constants of its file, and through what picks rows of it or makes them.
 */
import ts from 'typescript5';
import { withoutTypes } from './test-titles.ts';

/** The first such row of the table that this call gives to tests; undefined if it gives none, or has named fields. */
export function namelessRow(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: giver, name } = node.expression;
  if (!/^(?:each|for)$/.test(name.text) || !isOfTests(giver)) return undefined;
  const [table] = node.arguments;
  return table && rowsOf(table).find(ts.isArrayLiteralExpression);
}

/** `it`, `describe.skip`, `test.runIf(…)`, `itWith`. */
function isOfTests(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return /^(?:it|test|describe|suite)(?:[A-Z]\w*)?$/.test(node.text);
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return isOfTests(node.expression);
  return false;
}

function rowsOf(table: ts.Expression): readonly ts.Expression[] {
  const plain = withoutTypes(table);
  if (ts.isArrayLiteralExpression(plain))
    return plain.elements.flatMap((row) =>
      ts.isSpreadElement(row) ? rowsOf(row.expression) : [withoutTypes(row)],
    );
  if (ts.isConditionalExpression(plain)) return [...rowsOf(plain.whenTrue), ...rowsOf(plain.whenFalse)];
  if (ts.isIdentifier(plain)) {
    const value = initialOf(plain);
    return value ? rowsOf(value) : [];
  }
  return ts.isCallExpression(plain) ? rowsOfCall(plain) : [];
}

/** Methods whose result has rows of the array itself. */
const PICK_ROWS: ReadonlySet<string> = new Set(['filter', 'slice', 'concat', 'toSorted', 'toReversed']);

function rowsOfCall({ expression: callee, arguments: given }: ts.CallExpression): readonly ts.Expression[] {
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const method = callee.name.text;
  if (PICK_ROWS.has(method)) return rowsOf(callee.expression);
  const [make] = given;
  if (!make || !ts.isArrowFunction(make) || ts.isBlock(make.body)) return [];
  if (method === 'map') return [withoutTypes(make.body)];
  return method === 'flatMap' ? rowsOf(make.body) : [];
}

/** What a variable of a block around this use, or of the file, begins with. */
function initialOf(use: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = use.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    const found = scope.statements
      .flatMap((statement) =>
        ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
      )
      .find(({ name }) => ts.isIdentifier(name) && name.text === use.text);
    if (found) return found.initializer;
  }
  return undefined;
}
