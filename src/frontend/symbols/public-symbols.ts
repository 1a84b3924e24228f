/**
 * Which symbols of a file other files can use, by each language's own rule and from the text alone: servers do not
 * say what is public. Members of a public type count as symbols of their own; fields do not.
 */
import path from 'node:path';
import { SymbolKind } from 'vscode-languageserver-protocol';
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
  const rule = RULES[family] ?? (() => true);
  const file: FileText = { source, listed: listedNames(family, source) };
  const found: DeclaredSymbol[] = [];
  const add = (nodes: readonly SymbolNode[], parent: Parent | undefined) => {
    for (const node of nodes) {
      // Some servers list imported names among a file's symbols.
      if (NAMES_ONLY.has(node.kind) && isInImport(source.lines, node.at.line)) continue;
      if (SIGNATURE.test(node.name)) continue;
      const isSpace = SPACES.has(node.kind);
      const isPublic =
        (parent?.isPublic ?? true) && (isSpace || isImplementation(node) || rule(node, parent?.node, file));
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

type Rule = (node: SymbolNode, parent: SymbolNode | undefined, file: FileText) => boolean;

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

const RULES: Readonly<Record<string, Rule>> = {
  go: (node) => /^\p{Lu}/u.test(lastName(node)),
  typescript: (node, parent, file) => {
    if (parent && !SPACES.has(parent.kind))
      return !node.name.startsWith('#') && !/\b(private|protected)\b/.test(head(node, file));
    if (file.listed === undefined) return true;
    return /\bexport\b/.test(head(node, file)) || file.listed.has(node.name);
  },
  python: (node, parent, { listed }) =>
    !node.name.startsWith('_') && (parent !== undefined || listed === undefined || listed.has(node.name)),
  rust: (node, parent, file) =>
    /\bpub\b/.test(head(node, file)) ||
    parent?.kind === SymbolKind.Interface ||
    (parent !== undefined && /^impl\b.*\bfor\b/.test(parent.name)),
  java: (node, parent, file) =>
    /\b(public|protected)\b/.test(head(node, file)) || parent?.kind === SymbolKind.Interface,
  csharp: (node, parent, file) =>
    /\b(public|protected|internal)\b/.test(head(node, file)) || parent?.kind === SymbolKind.Interface,
  kotlin: isNotPrivate,
  scala: isNotPrivate,
  swift: isNotPrivate,
  php: isNotPrivate,
  dart: (node) => !node.name.startsWith('_'),
  elixir: (node, _parent, file) => !/\bdefp\b/.test(head(node, file)),
  zig: (node, _parent, file) => /\bpub\b|\bexport\b/.test(head(node, file)),
  cpp: (node, parent, file) =>
    !/\bstatic\b/.test(parent && !SPACES.has(parent.kind) ? '' : head(node, file)) &&
    !(parent && SPACES.has(parent.kind) && /anonymous|^$/.test(parent.name)) &&
    (!parent || SPACES.has(parent.kind) || accessIn(parent, node, file) === 'public'),
};

function isNotPrivate(node: SymbolNode, _parent: SymbolNode | undefined, file: FileText): boolean {
  return !/\b(private|fileprivate|protected)\b/.test(head(node, file));
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
function accessIn(parent: SymbolNode, node: SymbolNode, { source: { lines } }: FileText): string {
  for (let line = node.at.line; line >= parent.start.line; line--) {
    const label = /^\s*(public|private|protected)\b[^:;(]*:(?!:)/.exec(lines.at(line))?.[1];
    if (label !== undefined && line !== parent.at.line) return label;
  }
  return /\bclass\b/.test(lines.at(parent.at.line)) ? 'private' : 'public';
}

function listedNames(family: string, { path: file, text }: SourceFile): ReadonlySet<string> | undefined {
  if (family === 'python') {
    const list = /^__all__\s*(?::[^=]+)?=\s*[[(]([^\])]*)[\])]/m.exec(text)?.[1];
    return list === undefined
      ? undefined
      : new Set([...list.matchAll(/['"](\w+)['"]/g)].map(([, name = '']) => name));
  }
  if (family !== 'typescript') return undefined;
  // What a declaration file or a plain script says at its top is there for everybody.
  const isModule = /^\s*(import|export)\b|\bmodule\.exports\b|\bexports\.\w/m.test(text);
  if (!isModule || path.basename(file).endsWith('.d.ts')) return undefined;
  const lists = [
    ...text.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/g),
    ...text.matchAll(/\bmodule\.exports\s*=\s*\{([^}]*)\}/g),
    ...text.matchAll(/\bexport\s+default\s+([\w$]+)\s*;?$/gm),
    ...text.matchAll(/\b(?:export|module\.exports)\s*=\s*([\w$]+)/g),
    ...text.matchAll(/\b(?:module\.)?exports\.[\w$]+\s*=\s*([\w$]+)/g),
  ];
  return new Set(
    lists.flatMap(([, list = '']) =>
      list.split(',').map((each) => /[\w$]+/.exec(each.replace(/^\s*type\s/, ''))?.[0] ?? ''),
    ),
  );
}
