/**
 * Chooses which symbols of a file an outline lists: declarations and their members. Servers also name imports, locals
 * and callbacks, which are far more; those are only counted. Names, kinds and lines from the server decide.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import { groupBy } from '../../shared/base/group-by.ts';
import type { Point } from '../../shared/base/positions.ts';
import { importsOf } from '../lexical/imports.ts';
import { comparePoints } from '../places/places.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { FUNCTION_KINDS, VARIABLE_KINDS } from './symbol-kinds.ts';
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
  const { methodsOf, isMethod } = byReceiver(tree);
  let unlisted = 0;
  const entriesOf = (siblings: readonly SymbolNode[], parent: SymbolNode | undefined, depth: number) => {
    const entries: OutlineEntry[] = [];
    for (const node of siblings) {
      if (parent === undefined && isMethod(node)) continue;
      if (!isListed(node, parent)) {
        unlisted += 1 + node.inside;
        continue;
      }
      const isOpen = request.all || hasMembers(node);
      if (!isOpen) unlisted += node.inside;
      const children = isOpen ? entriesOf(node.children, node, depth + 1) : [];
      for (const method of parent === undefined ? methodsOf(node) : []) {
        children.push({
          node: method,
          depth: depth + 1,
          name: segmentsOf(method.name).at(-1) ?? '',
          children: [],
        });
        unlisted += method.inside;
      }
      entries.push({ node, depth, name: node.name, children });
    }
    return entries;
  };
  return { entries: entriesOf(tree, undefined, 0), unlisted };
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
  const kept: OutlineEntry[] = [];
  for (const entry of entries) {
    const children = entry.children.length === 0 ? entry.children : pruned(entry.children, chosen);
    if (children.length > 0 || chosen.has(entry)) kept.push({ ...entry, children });
  }
  return kept;
}

/**
 * The innermost declaration or member around a point: never an import, a local or a callback. The request may be left
 * out for a point that is known to be in no import.
 */
export function declarationAround(
  tree: readonly SymbolNode[],
  point: Point,
  request?: OutlineRequest,
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

function listing(tree: readonly SymbolNode[], request: OutlineRequest | undefined): IsListed {
  const imported = new Set<number>();
  if (request && tree.some(({ kind }) => kind === SymbolKind.Variable))
    for (const { line, endLine } of importsOf(request.source.lines, request.family))
      for (let each = line; each <= endLine; each++) imported.add(each);
  return (node, parent) => {
    if (isCallback(node)) return isNamedCallback(node);
    if (parent === undefined) return node.kind !== SymbolKind.Variable || !imported.has(node.start.line);
    if (isCallback(parent)) return node.kind !== SymbolKind.Variable && node.kind !== SymbolKind.Property;
    if (VARIABLE_KINDS.has(parent.kind)) return MEMBERS.has(node.kind);
    return true;
  };
}

/** `it('works') callback` gives a test its structure, and `app.get('/') callback` a server; others say nothing. */
const STRING_CALLBACK = /^[\w.$]+\((['"`]).*\) callback$/s;
const MEMBERS: ReadonlySet<SymbolKind> = new Set([SymbolKind.Property, SymbolKind.Method, SymbolKind.Field]);
/** What is inside of these is nobody else's business. */
const CLOSED: ReadonlySet<SymbolKind> = new Set([...FUNCTION_KINDS, SymbolKind.Property, SymbolKind.Event]);

export function isNamedCallback({ name }: SymbolNode): boolean {
  return STRING_CALLBACK.test(name);
}

export function isCallback({ kind, name }: SymbolNode): boolean {
  return kind === SymbolKind.Function && (name.endsWith(' callback') || name.startsWith('<'));
}

/** The value of a variable has members when it is one object; a list of objects has the same names again and again. */
export function hasMembers(node: SymbolNode): boolean {
  if (isCallback(node)) return true;
  if (!VARIABLE_KINDS.has(node.kind)) return !CLOSED.has(node.kind);
  if (node.inside === 0) return true;
  const names = node.children.map(({ name }) => name);
  return new Set(names).size === names.length;
}

export function contains(node: SymbolNode, point: Point): boolean {
  return comparePoints(node.start, point) <= 0 && comparePoints(point, node.end) <= 0;
}

/** Go writes methods beside their type; `(*Shelf).Take` belongs to Shelf if that is in the file. */
function byReceiver(tree: readonly SymbolNode[]): {
  isMethod(node: SymbolNode): boolean;
  methodsOf(type: SymbolNode): readonly SymbolNode[];
} {
  const withReceiver = tree.filter((node) => receiverOf(node) !== undefined);
  if (withReceiver.length === 0) return { isMethod: () => false, methodsOf: () => [] };
  const types = new Set(tree.map(({ name }) => name));
  const methods = groupBy(withReceiver, (node) => receiverOf(node) ?? '');
  return {
    isMethod: (node) => types.has(receiverOf(node) ?? ''),
    methodsOf: ({ name }) => methods.get(name) ?? [],
  };
}

function receiverOf({ name }: SymbolNode): string | undefined {
  if (!name.startsWith('(')) return undefined;
  const [receiver, ...method] = segmentsOf(name);
  return method.length === 0 ? undefined : receiver;
}
