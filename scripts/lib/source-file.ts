/**
 * A TypeScript file reduced to what the checks ask about: what it imports, and which globals it touches.
 * It is read through a real parser, so that comments, strings and templates cannot fool a rule.
 */
import ts from 'typescript5';
import { type NameUse, nameUse } from './language-names.ts';
import { namelessRow } from './test-tables.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased when compiled: `import type`, `export type … from`, `import('…').Name` in a type. */
  readonly typeOnly: boolean;
  /** True for `export * from`. */
  readonly star: boolean;
}

export interface Use {
  /** `process.exit`, `setTimeout`, `it.only`, … */
  readonly name: string;
  readonly line: number;
}

export interface SourceFile {
  readonly path: string;
  readonly lineCount: number;
  readonly imports: readonly Import[];
  /** Lines of `import(expression)`, whose target nobody can check. */
  readonly computedImports: readonly number[];
  readonly uses: readonly Use[];
  /** What is declared and exported here; re-exports are not. */
  readonly exports: readonly { readonly name: string; readonly line: number }[];
  /** Lines of top-level variables that can change, or whose value is made to be filled. */
  readonly moduleState: readonly number[];
  /** Comparisons with literal names, and lists and tables of them. */
  readonly nameUses: readonly { readonly use: NameUse; readonly line: number }[];
  /** Lines of the first rows of tables of cases that do not name their fields. */
  readonly namelessRows: readonly number[];
}

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
}

export function readSource(path: string, text: string): SourceFile {
  const tree = parse(path, text);
  const imports: Import[] = [];
  const computedImports: number[] = [];
  const uses: Use[] = [];
  const nameUses: SourceFile['nameUses'][number][] = [];
  const namelessRows = new Set<number>();
  const visit = (node: ts.Node): void => {
    const line = lineOf(tree, node);
    const found = importOf(node);
    if (found === 'computed') computedImports.push(line);
    else if (found !== undefined) imports.push({ ...found, line });
    for (const name of usesOf(node)) uses.push({ name, line });
    const use = nameUse(node);
    if (use) nameUses.push({ use, line });
    const row = namelessRow(node);
    if (row) namelessRows.add(lineOf(tree, row));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return {
    path,
    lineCount: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    computedImports,
    uses,
    nameUses,
    namelessRows: [...namelessRows],
    exports: tree.statements.flatMap((statement) =>
      exportedNames(statement).map((name) => ({ name, line: lineOf(tree, statement) })),
    ),
    moduleState: tree.statements.filter(keepsState).map((statement) => lineOf(tree, statement)),
  };
}

function exportedNames(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  // Overloads of a function are one name.
  const isOverload = ts.isFunctionDeclaration(statement) && statement.body === undefined;
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name && !isOverload ? [name.getText()] : [];
}

/** Collections that a module makes empty are there to be filled. */
function keepsState(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return false;
  const { declarationList } = statement;
  const isAmbient = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
  if (isAmbient) return false;
  if (!(declarationList.flags & ts.NodeFlags.Const)) return true;
  return declarationList.declarations.some(
    ({ initializer }) =>
      initializer !== undefined &&
      ts.isNewExpression(initializer) &&
      COLLECTIONS.has(initializer.expression.getText()) &&
      (initializer.arguments ?? []).length === 0,
  );
}

const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

function importOf(node: ts.Node): Omit<Import, 'line'> | 'computed' | undefined {
  if (ts.isImportDeclaration(node)) {
    return literal(node.moduleSpecifier, { typeOnly: isTypeOnlyImport(node.importClause) });
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const { exportClause } = node;
    const allTypes =
      exportClause !== undefined && ts.isNamedExports(exportClause) && everyIsType(exportClause.elements);
    return literal(node.moduleSpecifier, {
      typeOnly: node.isTypeOnly || allTypes,
      star: exportClause === undefined,
    });
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return literal(node.argument.literal, { typeOnly: true });
  }
  if (ts.isExternalModuleReference(node)) return literal(node.expression, {});
  if (ts.isCallExpression(node)) {
    const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    if (node.expression.kind === ts.SyntaxKind.ImportKeyword || isRequire)
      return literal(node.arguments[0], {});
  }
  return undefined;
}

function literal(
  node: ts.Node | undefined,
  kind: { typeOnly?: boolean; star?: boolean },
): Omit<Import, 'line'> | 'computed' {
  if (node === undefined || !ts.isStringLiteralLike(node)) return 'computed';
  return { specifier: node.text, typeOnly: kind.typeOnly ?? false, star: kind.star ?? false };
}

function isTypeOnlyImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    everyIsType(named.elements)
  );
}

function everyIsType(elements: ts.NodeArray<ts.ImportSpecifier | ts.ExportSpecifier>): boolean {
  return elements.length > 0 && elements.every((element) => element.isTypeOnly);
}

const timers = new Set(['setTimeout', 'setInterval']);
const testFunctions = new Set(['it', 'test', 'describe', 'suite']);

function usesOf(node: ts.Node): string[] {
  if (ts.isIdentifier(node) && timers.has(node.text) && isValue(node)) return [node.text];
  const member = memberOf(node);
  if (member !== undefined) {
    if (member.object === 'process') return [`process.${member.name}`];
    if (member.object === 'globalThis' && timers.has(member.name)) return [member.name];
    if (member.name === 'only' && testFunctions.has(member.object)) return [`${member.object}.only`];
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && isProcess(node.initializer)) {
    return node.name.elements.map((element) => `process.${(element.propertyName ?? element.name).getText()}`);
  }
  return [];
}

/** `a.b`, `a['b']` and `a.x.b` (for `it.skip.only`), with the root object's name. */
function memberOf(node: ts.Node): { object: string; name: string } | undefined {
  if (ts.isPropertyAccessExpression(node)) return member(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return member(node.expression, node.argumentExpression.text);
  }
  return undefined;
}

function member(of: ts.Expression, name: string): { object: string; name: string } | undefined {
  if (isProcess(of)) return { object: 'process', name };
  let object = of;
  if (name === 'only') while (ts.isPropertyAccessExpression(object)) object = object.expression;
  return ts.isIdentifier(object) ? { object: object.text, name } : undefined;
}

function isProcess(node: ts.Node | undefined): boolean {
  if (node === undefined) return false;
  if (ts.isIdentifier(node)) return node.text === 'process';
  return ts.isPropertyAccessExpression(node) && node.getText() === 'globalThis.process';
}

/** Names of members, declarations and `typeof` types are not uses of the global. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isTypeQueryNode(parent) || ts.isTypeNode(parent)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isImportSpecifier(parent));
}
