/** Callers for servers without a call hierarchy: the functions around those references that a bracket follows. */
import path from 'node:path';
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { Point } from '../shared/base/positions.ts';
import type { Call, CallGraph } from './call-graph.ts';
import type { HierarchyItem } from './hierarchy-items.ts';
import type { Target } from './locate.ts';
import { outlineOf } from './outlines.ts';
import { comparePoints, type Place } from './places.ts';
import { kindName } from './symbol-lookup.ts';
import { everySymbol, type SymbolNode } from './symbol-tree.ts';
import type { ToolContext } from './tool-context.ts';
import { usesOf } from './uses.ts';

/** Type arguments, `?.` and `!` may stand between a name and the bracket of its call. */
const CALL = /^\s*(?:\?\.|!|::)?\s*(?:<[^()]*>)?\s*\(/;
/** `(name as Type)(…)`: brackets of its own around what is called, and none of another call. */
const CAST = {
  before: /(?:^|[^\w$)\]\s]|\b(?:return|await|yield))\s*\(\s*(?:[\w$]+\??\.)*$/,
  after: /^\s*(?:as\b[^()]*|!)?\)\s*(?:\?\.)?\(/,
};
const CALLERS: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Constructor,
]);

export async function callsByReferences(
  context: ToolContext,
  target: Target,
): Promise<Omit<CallGraph, 'outgoing' | 'means'>> {
  const { places, ...asked } = await usesOf(context, target);
  const { items, calls } = await callsAmong(context, target, places);
  return { ...asked, items, incoming: calls };
}

/** Which of these uses are calls, by the bracket behind them, and which declare what is called. */
export async function callsAmong(
  context: ToolContext,
  { link }: Pick<Target, 'link'>,
  places: readonly Place[],
): Promise<{ readonly items: readonly HierarchyItem[]; readonly calls: readonly Call[] }> {
  const texts = await context.files.readAll(places.flatMap(({ file }) => file ?? []));
  const isCall = ({ file, start, end }: Place) => {
    const lines = file && texts.get(file);
    if (!lines) return false;
    const after = lines.at(end.line).slice(end.column - 1);
    const before = lines.at(start.line).slice(0, start.column - 1);
    return CALL.test(after) || (CAST.after.test(after) && CAST.before.test(before));
  };
  const calls: Call[] = [];
  const items: HierarchyItem[] = [];
  for (const place of places.filter(isCall)) {
    if (place.file === undefined) continue;
    const tree = await outlineOf(context, link, await context.files.read(place.file));
    // Parameters follow the name where it is declared as well.
    const declared = [...everySymbol(tree)].find((node) => comparePoints(node.at, place.start) === 0);
    if (declared) items.push(itemFor(declared, place));
    else calls.push({ item: callerAt(tree, place), sites: [place] });
  }
  return { items, calls };
}

/** The innermost function around a place, else what is around it, else the file. */
export function callerAt(tree: readonly SymbolNode[], place: Place): HierarchyItem {
  const around = [...everySymbol(tree)].filter(({ start, end }) => isBetween(place.start, start, end));
  const caller = around.findLast(({ kind }) => CALLERS.has(kind)) ?? around.at(-1);
  if (caller) return itemFor(caller, place);
  const start = { line: 1, column: 1 };
  const name = path.posix.basename(place.uri);
  return { name, kind: 'file', place: { ...place, start, end: start }, from: start };
}

function itemFor(node: SymbolNode, { uri, file }: Place): HierarchyItem {
  const name = node.path.at(-1) ?? node.name;
  const end = { line: node.at.line, column: node.at.column + name.length };
  return { name, kind: kindName(node.kind), place: { uri, file, start: node.at, end }, from: node.start };
}

function isBetween(point: Point, start: Point, end: Point): boolean {
  return comparePoints(start, point) <= 0 && comparePoints(point, end) <= 0;
}
