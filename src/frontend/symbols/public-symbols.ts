/**
 * Which symbols of a file other files can use, by each language's own rule and from the text alone: servers do not
 * say what is public. Members of a public type count as symbols of their own; fields do not.
 */
import path from 'node:path';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { ListedNames, PublicNames, PublicRule } from '../../shared/languages/text-facts.ts';
import { isInImport } from '../lexical/import-lines.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { type SymbolNode, segmentsOf } from './symbol-tree.ts';

export interface DeclaredSymbol {
  readonly node: SymbolNode;
  readonly isPublic: boolean;
}

/** Symbols of modules and types from the top down; nothing of what is inside functions. */
export function declaredSymbols(
  family: string,
  tree: readonly SymbolNode[],
  source: SourceFile,
): readonly DeclaredSymbol[] {
  const { publicNames: look } = languageFacts(family).text;
  const file: FileText = { source, listed: look.listed && listedNames(look.listed, source) };
  const found: DeclaredSymbol[] = [];
  const add = (nodes: readonly SymbolNode[], parent: Parent | undefined) => {
    for (const node of nodes) {
      // Some servers list imported names among a file's symbols.
      if (NAMES_ONLY.has(node.kind) && isInImport(source.lines, node.at.line)) continue;
      if (SIGNATURE.test(node.name)) continue;
      const isSpace = SPACES.has(node.kind);
      const isPublic =
        (parent?.isPublic ?? true) &&
        (isSpace || isImplementation(node) || isPublicBy(look, node, parent?.node, file));
      const isMember = parent !== undefined && !SPACES.has(parent.node.kind);
      if (!isSpace && !isImplementation(node) && !(isMember ? NO_MEMBERS : NO_SYMBOLS).has(node.kind))
        found.push({ node, isPublic });
      if (isSpace || TYPES.has(node.kind)) add(node.children, { node, isPublic });
    }
  };
  add(tree, undefined);
  return found;
}

/** Kinds whose text says whether they hold a lock. */
export function isType(node: SymbolNode): boolean {
  return TYPES.has(node.kind) && !SPACES.has(node.kind);
}

interface Parent {
  readonly node: SymbolNode;
  readonly isPublic: boolean;
}

interface FileText {
  readonly source: SourceFile;
  /** Names that a list of exports names; undefined when the file has no such list. */
  readonly listed: ReadonlySet<string> | undefined;
}

const SPACES: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Module,
  SymbolKind.Namespace,
  SymbolKind.Package,
]);
const TYPES: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Class,
  SymbolKind.Interface,
  SymbolKind.Struct,
  SymbolKind.Enum,
  SymbolKind.Object,
]);
/** `()`, `new()` and `[]` of an interface: used without a name, so that nobody can say by whom. */
const SIGNATURE = /^(?:new\s*)?(?:\(\)|\[\])$/;
const NAMES_ONLY: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Variable,
  SymbolKind.Constant,
  SymbolKind.Property,
  SymbolKind.Module,
]);
const NO_SYMBOLS: ReadonlySet<SymbolKind> = new Set([SymbolKind.File, SymbolKind.TypeParameter]);
const NO_MEMBERS: ReadonlySet<SymbolKind> = new Set([
  ...NO_SYMBOLS,
  SymbolKind.Field,
  SymbolKind.Property,
  SymbolKind.EnumMember,
  SymbolKind.Variable,
  SymbolKind.Constant,
  SymbolKind.Constructor,
]);

/** The rule of a language for a symbol: in a type that of members, if it has one of its own. */
function isPublicBy(
  look: PublicNames,
  node: SymbolNode,
  parent: SymbolNode | undefined,
  file: FileText,
): boolean {
  const isMember = parent !== undefined && !SPACES.has(parent.kind);
  if (parent && !isMember && look.hiddenSpaces?.test(parent.name)) return false;
  const { name, marked, unmarked, labels }: PublicRule = (isMember && look.members) || look;
  if (name?.test(lastName(node)) === false) return false;
  if (unmarked?.test(head(node, file)) === true) return false;
  if (labels && parent && accessIn(parent, node, labels, file) !== labels.open) return false;
  const isMarked = marked?.test(head(node, file)) === true;
  if (!isMember && look.listed) return file.listed === undefined || isMarked || file.listed.has(node.name);
  const isOpen =
    (look.inInterfaces && parent?.kind === SymbolKind.Interface) || look.inside?.test(parent?.name ?? '');
  return marked === undefined || isMarked || isOpen === true;
}

/** `impl Card` holds members and is nothing that could be used. */
function isImplementation(node: SymbolNode): boolean {
  return /^impl\b/.test(node.name);
}

function lastName(node: SymbolNode): string {
  return segmentsOf(node.name).at(-1) ?? node.name;
}

/** What stands before the name: modifiers, from the start of the symbol or at least of its line, without comments. */
function head(node: SymbolNode, { source: { lines } }: FileText): string {
  const texts: string[] = [];
  for (let line = Math.min(node.start.line, node.at.line); line <= node.at.line; line++) {
    const text = lines.at(line);
    texts.push(line === node.at.line ? text.slice(0, node.at.column - 1) : text);
  }
  return texts.join('\n').replace(/\/\*[\s\S]*?\*\/|\/\/.*|^\s*#.*/gm, '');
}

/** The access label above the member. */
function accessIn(
  parent: SymbolNode,
  node: SymbolNode,
  { look, open, closedIn }: NonNullable<PublicRule['labels']>,
  { source: { lines } }: FileText,
): string | undefined {
  for (let line = node.at.line; line >= parent.start.line; line--) {
    const label = look.exec(lines.at(line))?.[1];
    if (label !== undefined && line !== parent.at.line) return label;
  }
  return closedIn.test(lines.at(parent.at.line)) ? undefined : open;
}

function listedNames(
  { where, exceptIn, lists, names }: ListedNames,
  { path: file, text }: SourceFile,
): ReadonlySet<string> | undefined {
  if (!where.test(text) || exceptIn?.test(path.basename(file))) return undefined;
  const found = lists.flatMap((list) => [...text.matchAll(list)]);
  return new Set(found.flatMap(([, list = '']) => [...list.matchAll(names)].map(([, name = '']) => name)));
}
