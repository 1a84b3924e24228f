/** Symbols as an outline or as search hits, for people and as data. */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { Point } from '../../../shared/base/positions.ts';
import { oneLine } from '../../render/budget.ts';
import type { OutlineEntry } from '../../symbols/outline-entries.ts';
import { kindName } from '../../symbols/symbol-kinds.ts';
import type { Roots } from '../../workspace/roots.ts';

/** `class Client 12:14-140`: the first position can be pasted back. */
export function outlineLine({ node, depth, name }: OutlineEntry): string {
  const end = node.end.line > node.at.line ? `-${node.end.line}` : '';
  const detail = node.detail ? `  ${oneLine(node.detail, 60)}` : '';
  return `${'  '.repeat(depth + 1)}${node.word} ${oneLine(name, 100)} ${node.at.line}:${node.at.column}${end}${detail}`;
}

/** The outline that `format: "outline"` promises. */
export function markdownLine({ node, depth, name }: OutlineEntry): string {
  const kind = node.word.replace(/(^|\s)\w/g, (letter) => letter.trim().toUpperCase());
  return `${'  '.repeat(depth)}${name} [${kind}] :${node.at.line}`;
}

const MOST_NAMED = 30;

/** `src/order.ts  OrderLine, Order, linePrice()`: each name can be asked for with the file. */
export function directoryLine(file: string, entries: readonly OutlineEntry[]): string {
  const names = entries.slice(0, MOST_NAMED).map(({ node, name }) => {
    return `${oneLine(name, 60)}${node.kind === SymbolKind.Function ? '()' : ''}`;
  });
  const more = entries.length > MOST_NAMED ? [`+${entries.length - MOST_NAMED} more`] : [];
  return `${file}  ${[...names, ...more].join(', ')}`.trimEnd();
}

interface RangeData {
  readonly start: Point;
  readonly end: Point;
}

export interface SymbolData {
  readonly name: string;
  readonly detail?: string;
  readonly kind: number;
  readonly kind_name?: string;
  readonly range: RangeData;
  readonly selectionRange: RangeData;
  readonly children?: SymbolData[];
}

export function symbolData(entries: readonly OutlineEntry[]): SymbolData[] {
  return entries.map(({ node, children }) => ({
    name: node.name,
    ...(node.detail === undefined ? {} : { detail: node.detail }),
    kind: node.kind,
    ...(node.word === kindName(node.kind) ? {} : { kind_name: node.word }),
    range: { start: node.start, end: node.end },
    selectionRange: {
      start: node.at,
      end: { line: node.at.line, column: node.at.column + node.name.length },
    },
    ...(children.length === 0 ? {} : { children: symbolData(children) }),
  }));
}

export interface SymbolHit {
  readonly name: string;
  readonly kind: number;
  /** The kind for people. */
  readonly word: string;
  readonly container: string | undefined;
  readonly file: AbsPath | undefined;
  readonly uri: string;
  /** Undefined when the server gave only the file. */
  readonly at: Point | undefined;
  readonly hover?: string;
}

export function hitLine(hit: SymbolHit, roots: Roots): string {
  const name = hit.container ? `${hit.container}.${hit.name}` : hit.name;
  const file = hit.file === undefined ? hit.uri : roots.display(hit.file);
  const position = hit.at === undefined ? '' : `:${hit.at.line}:${hit.at.column}`;
  const hover = hit.hover === undefined ? '' : `  ${oneLine(hit.hover, 160)}`;
  return `  ${hit.word} ${oneLine(name, 120)}  ${file}${position}${hover}`;
}

export interface HitData {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly containerName?: string;
  readonly hover?: string;
}

export function hitData(hit: SymbolHit): HitData {
  return {
    name: hit.name,
    kind: hit.word,
    file: hit.file ?? hit.uri,
    ...hit.at,
    ...(hit.container === undefined ? {} : { containerName: hit.container }),
    ...(hit.hover === undefined ? {} : { hover: hit.hover }),
  };
}
