/**
 * Where code goes by a language: by its name in a comparison or a table, by the endings of its files, or by the id of
 * its server. What is known of a language belongs into its descriptor, so that a new one has to be added in one place.
 */
import ts from 'typescript5';

/** What a comparison or table says, as far as a rule can judge it. */
export type NameUse =
  | { readonly kind: 'comparison'; readonly subject: string; readonly names: readonly string[] }
  | { readonly kind: 'list'; readonly holder: string; readonly names: readonly string[] }
  | { readonly kind: 'table'; readonly names: readonly string[] }
  | { readonly kind: 'ending'; readonly names: readonly string[] };

/** What this node compares or lists by literal names; undefined for everything else. */
export function nameUse(node: ts.Node): NameUse | undefined {
  if (ts.isBinaryExpression(node) && EQUALITIES.has(node.operatorToken.kind)) {
    const [literal, other] = ts.isStringLiteralLike(node.right)
      ? [node.right, node.left]
      : [node.left, node.right];
    if (!ts.isStringLiteralLike(literal)) return undefined;
    return { kind: 'comparison', subject: lastName(other), names: [literal.text] };
  }
  if (ts.isSwitchStatement(node)) {
    const names = node.caseBlock.clauses.flatMap((clause) =>
      ts.isCaseClause(clause) && ts.isStringLiteralLike(clause.expression) ? [clause.expression.text] : [],
    );
    return { kind: 'comparison', subject: lastName(node.expression), names };
  }
  if (ts.isArrayLiteralExpression(node)) {
    const names = node.elements.map((element) => {
      const first = ts.isArrayLiteralExpression(element) ? element.elements[0] : element;
      return first && ts.isStringLiteralLike(first) ? first.text : '';
    });
    return { kind: 'list', holder: holderOf(node), names };
  }
  if (ts.isObjectLiteralExpression(node)) {
    const names = node.properties.map(({ name }) =>
      name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? name.text : '',
    );
    return { kind: 'table', names };
  }
  if (ts.isStringLiteralLike(node)) return endings(node.text.match(/^(?:\w*|\.d)\.(\w+)$/)?.slice(1) ?? []);
  // What stands behind a dot and ends there, as in `/\.(go|rs)$/`, and not in an address or a longer name.
  if (ts.isRegularExpressionLiteral(node))
    return endings(
      [...node.text.matchAll(/\\\.(?:\(\??:?([\w|]+)\)|(\w+))\??(?=[$:|)])/g)].flatMap(([, several, one]) =>
        (several ?? one ?? '').split('|'),
      ),
    );
  return undefined;
}

function endings(names: readonly string[]): NameUse | undefined {
  return names.length > 0 ? { kind: 'ending', names } : undefined;
}

/** What a language and its servers are known by. */
export interface LanguageNames {
  readonly ids: ReadonlySet<string>;
  readonly extensions: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
}

/** Whether it is the name of a language that the code goes by, and not, say, that of an npm package. */
export function goesByLanguage(use: NameUse, { ids, extensions, servers }: LanguageNames): boolean {
  if (use.kind === 'ending') return use.names.some((name) => extensions.has(name));
  if (isByFiles(use)) return use.names.some((name) => servers.has(name));
  const known = use.names.filter((name) => ids.has(name)).length;
  if (known === 0) return false;
  if (use.kind === 'comparison') return MEANS_LANGUAGE.test(use.subject);
  if (use.kind === 'table') return known >= 2 && known * 2 >= use.names.length;
  return known === use.names.length && (known >= 2 || MEANS_LANGUAGE.test(use.holder));
}

/** Whether it goes by the endings of files or the id of a server. */
export function isByFiles(use: NameUse): boolean {
  return use.kind === 'ending' || (use.kind === 'comparison' && use.subject === 'serverId');
}

const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);
const MEANS_LANGUAGE = /language|famil|^id$|^Set$|^includes$/i;

/** `language` of `link.language`, `plan?.language` and `family.id`. */
function lastName(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isBinaryExpression(node)) return lastName(node.left);
  if (ts.isParenthesizedExpression(node)) return lastName(node.expression);
  return '';
}

/** What a list is given to: a variable, a property, a set, or a question whether it includes something. */
function holderOf({ parent }: ts.Node): string {
  if (ts.isNewExpression(parent)) return lastName(parent.expression);
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return '';
}
