/** What stands at a place that the language service names: a call, an import, the name of a declaration, a mere mention. */
import type typescript from 'typescript5';
import type { PlaceClass } from '../truth.ts';
import type { Compiler } from './compiler.ts';

export function classAt(ts: Compiler, file: typescript.SourceFile, offset: number): PlaceClass {
  const node = nodeAt(ts, file, offset);
  // Documentation is no part of the tree that is walked here.
  if (!node) return 'comment';
  if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) return 'string';
  if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return 'keyword';
  const { parent } = node;
  if (isImport(ts, parent)) return 'import';
  if (ts.isExportSpecifier(parent) || ts.isNamespaceExport(parent)) return 'export';
  if (ts.isExportAssignment(parent)) return 'export';
  if (ts.isShorthandPropertyAssignment(parent)) return 'shorthand';
  if (isNameOfDeclaration(ts, node)) return 'declaration';
  return callClass(ts, node) ?? (isMemberName(ts, node) ? 'property' : 'use');
}

/** The token that begins at an offset. */
function nodeAt(ts: Compiler, file: typescript.SourceFile, offset: number): typescript.Node | undefined {
  let node: typescript.Node = file;
  for (;;) {
    const next: typescript.Node | undefined = ts.forEachChild(node, (child) =>
      child.getStart(file) <= offset && offset < child.getEnd() ? child : undefined,
    );
    if (!next) break;
    node = next;
  }
  if (node.getStart(file) === offset || ts.isStringLiteralLike(node)) return node;
  // Keywords such as `constructor` and `default` are tokens that the tree does not hand out as children.
  return isInComment(ts, file, node, offset) ? undefined : node;
}

function isInComment(
  ts: Compiler,
  file: typescript.SourceFile,
  node: typescript.Node,
  offset: number,
): boolean {
  // A name between two tokens is in a comment: there is nothing else between tokens.
  const tokens = node
    .getChildren(file)
    .flatMap((each) => (each.kind === ts.SyntaxKind.SyntaxList ? each.getChildren(file) : [each]));
  return tokens.some(
    (each) =>
      each.getFullStart() <= offset && offset < (ts.isJSDoc(each) ? each.getEnd() : each.getStart(file)),
  );
}

function isImport(ts: Compiler, node: typescript.Node): boolean {
  return (
    ts.isImportSpecifier(node) ||
    ts.isImportClause(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportEqualsDeclaration(node)
  );
}

function isNameOfDeclaration(ts: Compiler, node: typescript.Node): boolean {
  const declaration = node.parent as typescript.NamedDeclaration;
  if (declaration.name !== node) return false;
  // `{ name: value }` and `const { name } = value` are uses of the member that they name.
  return (
    !ts.isPropertyAccessExpression(declaration) &&
    !ts.isPropertyAssignment(declaration) &&
    !ts.isBindingElement(declaration) &&
    !ts.isMetaProperty(declaration) &&
    !ts.isJsxAttribute(declaration)
  );
}

function isMemberName(ts: Compiler, node: typescript.Node): boolean {
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
}

/** The class of a name that is what a call calls. */
function callClass(ts: Compiler, name: typescript.Node): PlaceClass | undefined {
  let callee: typescript.Node = isMemberName(ts, name) ? name.parent : name;
  // `(f)()`, `f!()` and `(f as any)()` call f.
  while (isWrapped(ts, callee)) callee = callee.parent;
  const { parent } = callee;
  if (ts.isCallExpression(parent) && parent.expression === callee) return 'call';
  if (ts.isNewExpression(parent) && parent.expression === callee) return 'new';
  if (ts.isDecorator(parent) && parent.expression === callee) return 'decorator';
  if (ts.isTaggedTemplateExpression(parent) && parent.tag === callee) return 'tag';
  if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent))
    return parent.tagName === callee ? 'jsx' : undefined;
  return undefined;
}

function isWrapped(ts: Compiler, node: typescript.Node): boolean {
  const { parent } = node;
  return (
    (ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent) || ts.isAsExpression(parent)) &&
    parent.expression === node
  );
}
