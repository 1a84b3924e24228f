/** The symbols of a file as one tree, whichever of the protocol's two shapes the server answered with. */
import type {
  DocumentSymbol,
  Position,
  Range,
  SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver-protocol';
import { type Encoding, type Point, type TextLines, toPoint } from '../../shared/base/positions.ts';
import { occurrences } from '../lexical/words.ts';
import { comparePoints } from '../places/places.ts';
import { kindWord } from './symbol-kinds.ts';

export interface SymbolNode {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The kind for people. */
  readonly word: string;
  readonly detail: string | undefined;
  readonly start: Point;
  readonly end: Point;
  /** Where the name itself stands: what to ask the server about. */
  readonly at: Point;
  readonly children: readonly SymbolNode[];
  /** How many symbols are inside it, at any depth. */
  readonly inside: number;
  /** Names from the outermost symbol to this one. */
  readonly path: readonly string[];
}

export type SymbolResult = readonly DocumentSymbol[] | readonly SymbolInformation[] | null | undefined;

export function symbolTree(
  result: SymbolResult,
  lines: TextLines,
  encoding: Encoding,
): readonly SymbolNode[] {
  const converter = { lines, encoding };
  if (!result) return [];
  if (isFlat(result)) return nested(result, converter);
  return result.map((symbol) => new DocumentSymbolNode(symbol, undefined, converter));
}

/** The protocol allows either shape, never both in one answer. */
function isFlat(result: NonNullable<SymbolResult>): result is readonly SymbolInformation[] {
  const [first] = result;
  return first !== undefined && 'location' in first;
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

/** Names as people write them in a path: `(*Client).Stop` is Client.Stop, `impl Show for Card` is Card, `A<T>::b` is A.b. */
export function segmentsOf(given: string): readonly string[] {
  if (/^[\w$]+$/.test(given)) return [given];
  const name = given.replace(/(?<=\w)<[^()]*>(?=::)/g, '');
  if (/^[\p{ID_Continue}$]+(?:(?:\.|::)~?[\p{ID_Continue}$]+)+$/u.test(name)) return name.split(/\.|::/);
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

/** Converted as far as it is looked at: of a long outline only a page is shown. */
class DocumentSymbolNode implements SymbolNode {
  readonly #symbol: DocumentSymbol;
  readonly #parent: DocumentSymbolNode | undefined;
  readonly #converter: Converter;
  #children: readonly SymbolNode[] | undefined;
  #at: Point | undefined;

  constructor(symbol: DocumentSymbol, parent: DocumentSymbolNode | undefined, converter: Converter) {
    this.#symbol = symbol;
    this.#parent = parent;
    this.#converter = converter;
  }

  get name(): string {
    return this.#symbol.name;
  }

  get kind(): SymbolKind {
    return this.#symbol.kind;
  }

  get word(): string {
    return kindWord(this, this.#converter.lines.at(this.at.line));
  }

  get detail(): string | undefined {
    return this.#symbol.detail || undefined;
  }

  get start(): Point {
    return this.#point(this.#symbol.range.start);
  }

  get end(): Point {
    return this.#point(this.#symbol.range.end);
  }

  get at(): Point {
    this.#at ??= nameInside(this.name, this.#symbol.selectionRange, this.#converter);
    return this.#at;
  }

  get children(): readonly SymbolNode[] {
    this.#children ??= (this.#symbol.children ?? []).map(
      (child) => new DocumentSymbolNode(child, this, this.#converter),
    );
    return this.#children;
  }

  /** Counted on what the server sent, because most of these are never looked at. */
  get inside(): number {
    return countInside(this.#symbol);
  }

  get path(): readonly string[] {
    return [...(this.#parent?.path ?? []), ...segmentsOf(this.name)];
  }

  #point(position: Position): Point {
    return toPoint(position, () => this.#converter.lines, this.#converter.encoding);
  }
}

function countInside({ children }: DocumentSymbol): number {
  let count = 0;
  for (const child of children ?? []) count += 1 + countInside(child);
  return count;
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
      word: kindWord(symbol, converter.lines.at(at.line)),
      detail: undefined,
      start,
      end,
      at,
      children: [],
      get inside() {
        return this.children.reduce((sum, child) => sum + 1 + child.inside, 0);
      },
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
  if (converter.lines.at(start.line).startsWith(word, start.column - 1)) return start;
  const inside = occurrences(word, converter.lines, start.line, end.line).find(
    (point) => comparePoints(point, start) >= 0 && comparePoints(point, end) <= 0,
  );
  return inside ?? start;
}
