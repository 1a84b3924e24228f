/**
 * What of a file's symbols an outline lists: declarations and their members. Servers name imports, locals and callbacks
 * as well, which outnumber them by far; those are counted. Decided on names, kinds and lines as the server gave them.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { Point } from '../shared/base/positions.ts';
import { importsOf } from './imports.ts';
import { comparePoints } from './places.ts';
import type { SourceFile } from './source-files.ts';
import { type SymbolNode, segmentsOf } from './symbol-tree.ts';

/** A listed symbol with those that are listed below it. */
export interface OutlineEntry {
  readonly node: SymbolNode;
  readonly depth: number;
  /** Without the receiver where it stands below it. */
  readonly name: string;
  readonly children: readonly OutlineEntry[];
}

export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** How many imports, locals and callbacks were left out. */
  readonly unlisted: number;
}

export interface OutlineRequest {
  readonly source: SourceFile;
  readonly family: string;
  /** Also imports, locals and callbacks. */
  readonly all?: boolean | undefined;
}

export function listOutline(tree: readonly SymbolNode[], request: OutlineRequest): Outline {
  const isListed = request.all ? () => true : listing(tree, request);
  let unlisted = 0;
  const entriesOf = (siblings: readonly Grouped[], parent: SymbolNode | undefined, depth: number) => {
    const entries: OutlineEntry[] = [];
    for (const { node, name, methods } of siblings) {
      if (!isListed(node, parent)) {
        unlisted += 1 + node.inside;
        continue;
      }
      const isOpen = request.all || hasMembers(node);
      if (!isOpen) unlisted += node.inside;
      const members = isOpen
        ? node.children.map((child) => ({ node: child, name: child.name, methods: [] }))
        : [];
      const children = [
        ...entriesOf(members, node, depth + 1),
        ...methods.map((each) => leaf(each, depth + 1)),
      ];
      for (const method of methods) unlisted += method.inside;
      entries.push({ node, depth, name, children });
    }
    return entries;
  };
  return { entries: entriesOf(byReceiver(tree), undefined, 0), unlisted };
}

/** Entries as lines are printed: each before its children. */
export function flatOutline(entries: readonly OutlineEntry[]): OutlineEntry[] {
  const flat: OutlineEntry[] = [];
  const add = (siblings: readonly OutlineEntry[]) => {
    for (const entry of siblings) {
      flat.push(entry);
      add(entry.children);
    }
  };
  add(entries);
  return flat;
}

/** The chosen entries with what they are in. */
export function pruned(
  entries: readonly OutlineEntry[],
  chosen: ReadonlySet<OutlineEntry>,
): readonly OutlineEntry[] {
  return entries.flatMap((entry) => {
    const children = pruned(entry.children, chosen);
    return children.length > 0 || chosen.has(entry) ? [{ ...entry, children }] : [];
  });
}

/** The innermost declaration or member around a point: never an import, a local or a callback. */
export function declarationAround(
  tree: readonly SymbolNode[],
  point: Point,
  request: OutlineRequest,
): SymbolNode | undefined {
  const isListed = listing(tree, request);
  let found: SymbolNode | undefined;
  for (let siblings = tree; ; ) {
    const next = siblings.find((node) => contains(node, point) && isListed(node, found));
    if (!next) return found;
    found = next;
    if (!hasMembers(next)) return found;
    siblings = next.children;
  }
}

/** The symbol whose name stands at the point, however deep it is. */
export function symbolNamedAt(tree: readonly SymbolNode[], point: Point): SymbolNode | undefined {
  for (const node of tree) {
    if (!contains(node, point)) continue;
    const found = comparePoints(node.at, point) === 0 ? node : symbolNamedAt(node.children, point);
    if (found) return found;
  }
  return undefined;
}

export function isImport(node: SymbolNode, { source, family }: OutlineRequest): boolean {
  return importsOf(source.lines, family).some(
    ({ line, endLine }) => line <= node.start.line && node.start.line <= endLine,
  );
}

type IsListed = (node: SymbolNode, parent: SymbolNode | undefined) => boolean;

function listing(tree: readonly SymbolNode[], { source, family }: OutlineRequest): IsListed {
  const imported = new Set<number>();
  if (tree.some(({ kind }) => kind === SymbolKind.Variable))
    for (const { line, endLine } of importsOf(source.lines, family))
      for (let each = line; each <= endLine; each++) imported.add(each);
  return (node, parent) => {
    if (isCallback(node)) return STRING_CALLBACK.test(node.name);
    if (parent === undefined) return node.kind !== SymbolKind.Variable || !imported.has(node.start.line);
    if (isCallback(parent)) return node.kind !== SymbolKind.Variable && node.kind !== SymbolKind.Property;
    if (VARIABLES.has(parent.kind)) return MEMBERS.has(node.kind);
    return true;
  };
}

/** `it('works') callback` gives a test its structure, and `app.get('/') callback` a server; others say nothing. */
const STRING_CALLBACK = /^[\w.$]+\((['"`]).*\) callback$/s;
const VARIABLES: ReadonlySet<SymbolKind> = new Set([SymbolKind.Variable, SymbolKind.Constant]);
const MEMBERS: ReadonlySet<SymbolKind> = new Set([SymbolKind.Property, SymbolKind.Method, SymbolKind.Field]);
/** What is inside of these is nobody else's business. */
const CLOSED: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Constructor,
  SymbolKind.Property,
  SymbolKind.Operator,
  SymbolKind.Event,
]);

function isCallback({ kind, name }: SymbolNode): boolean {
  return kind === SymbolKind.Function && (name.endsWith(' callback') || name.startsWith('<'));
}

/** The value of a variable has members when it is one object; a list of objects has the same names again and again. */
function hasMembers(node: SymbolNode): boolean {
  if (isCallback(node)) return true;
  if (!VARIABLES.has(node.kind)) return !CLOSED.has(node.kind);
  const names = node.children.map(({ name }) => name);
  return new Set(names).size === names.length;
}

function contains(node: SymbolNode, point: Point): boolean {
  return comparePoints(node.start, point) <= 0 && comparePoints(point, node.end) <= 0;
}

interface Grouped {
  readonly node: SymbolNode;
  readonly name: string;
  readonly methods: readonly SymbolNode[];
}

/** Go writes methods beside their type; `(*Shelf).Take` belongs to Shelf if that is in the file. */
function byReceiver(tree: readonly SymbolNode[]): readonly Grouped[] {
  const methods = new Map<string, SymbolNode[]>();
  for (const node of tree) {
    const receiver = receiverOf(node);
    if (receiver === undefined) continue;
    const own = methods.get(receiver);
    if (own) own.push(node);
    else methods.set(receiver, [node]);
  }
  const types = new Set(tree.flatMap((node) => (receiverOf(node) === undefined ? [node.name] : [])));
  return tree.flatMap((node): Grouped[] => {
    const receiver = receiverOf(node);
    if (receiver !== undefined && types.has(receiver)) return [];
    return [{ node, name: node.name, methods: methods.get(node.name) ?? [] }];
  });
}

function receiverOf({ name }: SymbolNode): string | undefined {
  if (!name.startsWith('(')) return undefined;
  const [receiver, ...method] = segmentsOf(name);
  return method.length === 0 ? undefined : receiver;
}

function leaf(node: SymbolNode, depth: number): OutlineEntry {
  return { node, depth, name: segmentsOf(node.name).at(-1) ?? node.name, children: [] };
}
