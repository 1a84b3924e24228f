/** The symbols of a file as one tree, whichever of the protocol's two shapes the server answered with. */
import type { DocumentSymbol, Range, SymbolInformation, SymbolKind } from 'vscode-languageserver-protocol';
import { type Encoding, type Point, type TextLines, toPoint } from '../shared/base/positions.ts';
import { comparePoints } from './places.ts';
import { occurrences } from './words.ts';

export interface SymbolNode {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly detail: string | undefined;
  readonly start: Point;
  readonly end: Point;
  /** Where the name itself stands: what to ask the server about. */
  readonly at: Point;
  readonly children: readonly SymbolNode[];
  /** Names from the outermost symbol to this one. */
  readonly path: readonly string[];
}

export type SymbolResult = readonly DocumentSymbol[] | readonly SymbolInformation[] | null | undefined;

export function symbolTree(
  result: SymbolResult,
  lines: TextLines,
  encoding: Encoding,
): readonly SymbolNode[] {
  const all: readonly (DocumentSymbol | SymbolInformation)[] = result ?? [];
  const converter = { lines, encoding };
  const hierarchical = all.flatMap((symbol) => ('location' in symbol ? [] : [symbol]));
  if (hierarchical.length > 0) return hierarchical.map((symbol) => fromDocumentSymbol(symbol, [], converter));
  return nested(
    all.flatMap((symbol) => ('location' in symbol ? [symbol] : [])),
    converter,
  );
}

export function* everySymbol(nodes: readonly SymbolNode[]): Generator<SymbolNode> {
  for (const node of nodes) {
    yield node;
    yield* everySymbol(node.children);
  }
}

/** The innermost symbol around a point. */
export function enclosingSymbol(nodes: readonly SymbolNode[], point: Point): SymbolNode | undefined {
  for (const node of nodes) {
    if (comparePoints(node.start, point) <= 0 && comparePoints(point, node.end) <= 0)
      return enclosingSymbol(node.children, point) ?? node;
  }
  return undefined;
}

/** Names as people write them in a path: `(*Client).Stop` is Client.Stop, `impl Show for Card` is Card. */
export function segmentsOf(name: string): readonly string[] {
  const receiver = /^\(\*?([\w.]+)(?:\[[^\]]*\])?\)\.(.+)$/.exec(name);
  if (receiver) return [receiver[1] ?? '', receiver[2] ?? ''];
  const implementation = /^impl\b(?:<[^>]*>)?\s+(?:.*\bfor\s+)?&?(?:mut\s+)?([\w:]+)/.exec(name);
  if (implementation) return [(implementation[1] ?? '').split('::').at(-1) ?? ''];
  const parameters = name.indexOf('(');
  return [parameters > 0 ? name.slice(0, parameters).trim() : name];
}

interface Converter {
  readonly lines: TextLines;
  readonly encoding: Encoding;
}

function fromDocumentSymbol(
  symbol: DocumentSymbol,
  above: readonly string[],
  converter: Converter,
): SymbolNode {
  const path = [...above, ...segmentsOf(symbol.name)];
  return {
    name: symbol.name,
    kind: symbol.kind,
    detail: symbol.detail || undefined,
    ...pointsOf(symbol.range, converter),
    at: nameInside(symbol.name, symbol.selectionRange, converter),
    children: (symbol.children ?? []).map((child) => fromDocumentSymbol(child, path, converter)),
    path,
  };
}

interface OpenNode extends SymbolNode {
  readonly children: SymbolNode[];
}

/** A flat list is nested by ranges; where those are only names, by the container's name. */
function nested(flat: readonly SymbolInformation[], converter: Converter): readonly SymbolNode[] {
  const roots: SymbolNode[] = [];
  const open: OpenNode[] = [];
  const byName = new Map<string, OpenNode>();
  const sorted = flat
    .map((symbol) => ({ symbol, ...pointsOf(symbol.location.range, converter) }))
    .sort((a, b) => comparePoints(a.start, b.start) || comparePoints(b.end, a.end));
  for (const { symbol, start, end } of sorted) {
    while (open.length > 0 && comparePoints(open.at(-1)?.end ?? start, end) < 0) open.pop();
    const parent = open.at(-1) ?? (symbol.containerName ? byName.get(symbol.containerName) : undefined);
    const path = [
      ...(parent?.path ?? (symbol.containerName ? [symbol.containerName] : [])),
      ...segmentsOf(symbol.name),
    ];
    const at = nameInside(symbol.name, symbol.location.range, converter);
    const node: OpenNode = {
      name: symbol.name,
      kind: symbol.kind,
      detail: undefined,
      start,
      end,
      at,
      children: [],
      path,
    };
    (parent?.children ?? roots).push(node);
    byName.set(symbol.name, node);
    open.push(node);
  }
  return roots;
}

function pointsOf(range: Range, { lines, encoding }: Converter): { start: Point; end: Point } {
  return {
    start: toPoint(range.start, () => lines, encoding),
    end: toPoint(range.end, () => lines, encoding),
  };
}

/** Some servers select the whole declaration; the name is then the first such word in it. */
function nameInside(name: string, range: Range, converter: Converter): Point {
  const { start, end } = pointsOf(range, converter);
  const word = segmentsOf(name).at(-1) ?? name;
  const inside = occurrences(word, converter.lines, start.line, end.line).find(
    (point) => comparePoints(point, start) >= 0 && comparePoints(point, end) <= 0,
  );
  return inside ?? start;
}
