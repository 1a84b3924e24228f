/** The source of declarations, cut to a budget of lines over all of them. */

import { type Page, type PageRequest, pageOf } from '../../render/budget.ts';
import type { Declaration } from '../../targets/declarations.ts';
import { linesOf } from '../../targets/declarations.ts';
import type { Roots } from '../../workspace/roots.ts';

export const DEFAULT_LINES = 200;
/** What is longer is generated; nobody reads it, and it would take the place of everything else. */
const LONGEST_LINE = 2_000;

export interface SymbolSource {
  readonly declaration: Declaration;
  /** The lines of the whole declaration. */
  readonly start: number;
  readonly end: number;
  /** The first line that is shown, and all that are. */
  readonly from: number;
  readonly lines: readonly string[];
}

interface SourceLine {
  readonly of: number;
  readonly line: number;
  readonly text: string;
}

export interface SourcePage {
  readonly sources: readonly SymbolSource[];
  readonly page: Page<unknown>;
}

/** The page counts lines; declarations without a line on it are left out. */
export function sourcesOf(declarations: readonly Declaration[], request: PageRequest): SourcePage {
  const extents = declarations.map(linesOf);
  const every = declarations.flatMap(({ source }, of): SourceLine[] => {
    const { start = 1, end = 0 } = extents[of] ?? {};
    return Array.from({ length: end - start + 1 }, (_, index) => ({
      of,
      line: start + index,
      text: shortened(source.lines.at(start + index)),
    }));
  });
  const page = pageOf(every, request, ({ text }) => text.length + 1, DEFAULT_LINES);
  const sources = declarations.flatMap((declaration, of): SymbolSource[] => {
    const shown = page.items.filter((line) => line.of === of);
    const [first] = shown;
    const extent = extents[of];
    if (!first || !extent) return [];
    return [{ declaration, ...extent, from: first.line, lines: shown.map(({ text }) => text) }];
  });
  return { sources, page };
}

/** `method Order.total  src/order.ts:28:3, lines 27-31` */
export function sourceHeader({ declaration, start, end, from, lines }: SymbolSource, roots: Roots): string {
  const { node, source } = declaration;
  const { line, column } = node.at;
  const last = from + lines.length - 1;
  const part = from === start && last === end ? '' : `, shown ${from}-${last}`;
  const extent = start === end ? '' : `, lines ${start}-${end}${part}`;
  return `${node.word} ${node.path.join('.')}  ${roots.display(source.path)}:${line}:${column}${extent}`;
}

function shortened(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)} … ${line.length - LONGEST_LINE} more characters on this line`;
}
