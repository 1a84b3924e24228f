/** All names that the files declare: what symbols are drawn from, and what a search by name has to list. */
import type typescript from 'typescript5';
import type { PlaceClass } from '../truth.ts';
import type { Compiler } from './compiler.ts';

export interface Declared {
  readonly name: string;
  readonly file: string;
  /** Offset of the name. */
  readonly offset: number;
  readonly kind: string;
  readonly class: PlaceClass;
  /** Exported, or a member of a class or interface, in a file that is a module. */
  readonly isCandidate: boolean;
  /** Interfaces, abstract classes, and what they leave to others. */
  readonly isAbstract: boolean;
  /** The same for overloads of one function, and for the accessors of one property. */
  readonly group: string;
  /** The same for what is declared beside each other: declarations of one name there are one symbol. */
  readonly container: string;
}

export function declarationsIn(ts: Compiler, file: typescript.SourceFile): readonly Declared[] {
  const found: Declared[] = [];
  const exported = exportedNames(ts, file);
  const isModule = ts.isExternalModule(file) || isCommonJs(file);
  const isScriptModule = isCommonJs(file) && !ts.isExternalModule(file);
  visit(file, 'top-level');
  return found;

  function visit(node: typescript.Node, scope: 'top-level' | 'local'): void {
    const kind = kindOf(ts, node);
    if (kind !== undefined) add(node, kind, classOf(ts, node, scope));
    else addAssigned(node);
    const inner = staysOnTop(ts, node) ? scope : 'local';
    ts.forEachChild(node, (child) => visit(child, inner));
  }

  /** `value.name = …` and `[value.name]: …`, which servers list as if they declared the name. */
  function addAssigned(node: typescript.Node): void {
    const named =
      ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
        ? node.left
        : ts.isComputedPropertyName(node)
          ? node.expression
          : undefined;
    if (!named || !ts.isPropertyAccessExpression(named)) return;
    const { text: name } = named.name;
    const offset = named.getStart(file);
    const more = { isCandidate: false, isAbstract: false, group: `${offset}`, container: `${offset}` };
    found.push({ name, file: file.fileName, offset, kind: 'property', class: 'assigned', ...more });
  }

  function add(node: typescript.Node, kind: string, placeClass: PlaceClass): void {
    const name = (node as typescript.NamedDeclaration).name;
    if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name))) return;
    const isMember = placeClass === 'member' && !ts.isEnumMember(node);
    const isExported = placeClass === 'top-level' && (isScriptModule || exported.has(name.text));
    found.push({
      name: name.text,
      file: file.fileName,
      offset: name.getStart(file),
      kind,
      class: ts.isStringLiteral(name) ? 'string' : placeClass,
      isCandidate: isModule && (isMember || isExported) && !ts.isStringLiteral(name) && DRAWN.has(kind),
      isAbstract: isAbstract(ts, node),
      group: OVERLOADED.has(kind) ? `${node.parent.pos}:${kind}:${name.text}` : `${name.getStart(file)}`,
      container: `${file.fileName}:${node.parent.pos}`,
    });
  }
}

const OVERLOADED = new Set(['function', 'method', 'accessor']);

/** Kinds that are drawn; a namespace is used through its members. */
const DRAWN = new Set([
  'function',
  'class',
  'interface',
  'type',
  'enum',
  'const',
  'method',
  'property',
  'accessor',
]);

function kindOf(ts: Compiler, node: typescript.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isClassDeclaration(node) || ts.isClassExpression(node)) return 'class';
  if (ts.isInterfaceDeclaration(node)) return 'interface';
  if (ts.isTypeAliasDeclaration(node)) return 'type';
  if (ts.isEnumDeclaration(node)) return 'enum';
  if (ts.isModuleDeclaration(node)) return 'namespace';
  if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) return 'const';
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return 'method';
  if (ts.isGetAccessor(node) || ts.isSetAccessor(node)) return 'accessor';
  if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)) return 'property';
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) return 'property';
  if (ts.isEnumMember(node)) return 'enum member';
  if (ts.isParameter(node)) return 'parameter';
  if (ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node)) return 'import';
  if (ts.isImportEqualsDeclaration(node)) return 'import';
  if (ts.isExportSpecifier(node) || ts.isNamespaceExport(node)) return 'export';
  return undefined;
}

function classOf(ts: Compiler, node: typescript.Node, scope: 'top-level' | 'local'): PlaceClass {
  const { parent } = node;
  const isProperty = ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, parent);
  const holder = isProperty ? parent.parent : parent;
  if (ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node)) return 'import';
  if (ts.isImportEqualsDeclaration(node)) return 'import';
  if (ts.isExportSpecifier(node) || ts.isNamespaceExport(node)) return 'export';
  if (isRequired(ts, node)) return 'import';
  if (ts.isParameter(node) && !isProperty) return 'local';
  if (ts.isTypeLiteralNode(holder) || ts.isObjectLiteralExpression(holder)) return 'literal-member';
  if (scope === 'local') return 'local';
  return ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder) || ts.isEnumDeclaration(holder)
    ? 'member'
    : 'top-level';
}

/** `const a = require('…')` and `const { a } = require('…')`. */
function isRequired(ts: Compiler, node: typescript.Node): boolean {
  let declared = node;
  while (ts.isBindingElement(declared)) declared = declared.parent.parent;
  if (!ts.isVariableDeclaration(declared) || !declared.initializer) return false;
  const { initializer } = declared;
  return (
    ts.isCallExpression(initializer) &&
    ts.isIdentifier(initializer.expression) &&
    initializer.expression.text === 'require'
  );
}

/** What is inside of these is still said by the file itself, and not by code that runs. */
function staysOnTop(ts: Compiler, node: typescript.Node): boolean {
  return (
    ts.isSourceFile(node) ||
    ts.isModuleDeclaration(node) ||
    ts.isModuleBlock(node) ||
    ts.isVariableStatement(node) ||
    ts.isVariableDeclarationList(node) ||
    (ts.isVariableDeclaration(node) && ts.isBindingName(node.name) && !ts.isIdentifier(node.name)) ||
    ts.isObjectBindingPattern(node) ||
    ts.isArrayBindingPattern(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    // For the properties that its parameters declare; what is in its body is told apart below.
    ts.isConstructorDeclaration(node)
  );
}

function isAbstract(ts: Compiler, node: typescript.Node): boolean {
  if (ts.isInterfaceDeclaration(node)) return true;
  if (ts.isMethodSignature(node) || ts.isPropertySignature(node))
    return ts.isInterfaceDeclaration(node.parent);
  if (!ts.canHaveModifiers(node)) return false;
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword) === true;
}

function exportedNames(ts: Compiler, file: typescript.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (statements: readonly typescript.Statement[]): void => {
    for (const statement of statements) {
      if (ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause)
        ts.forEachChild(statement.exportClause, (each) => {
          if (ts.isExportSpecifier(each)) names.add((each.propertyName ?? each.name).text);
        });
      const isExported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported) continue;
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations)
          if (ts.isIdentifier(name)) names.add(name.text);
      const named = (statement as typescript.DeclarationStatement).name;
      if (named && ts.isIdentifier(named)) names.add(named.text);
      if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body))
        collect(statement.body.statements);
    }
  };
  collect(file.statements);
  return names;
}

/** The binder's own mark; files without it share one global scope, which projects do not. */
function isCommonJs(file: typescript.SourceFile): boolean {
  return 'commonJsModuleIndicator' in file && file.commonJsModuleIndicator !== undefined;
}
