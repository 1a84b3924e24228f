/** A declaration taken out of a text with its comments and decorators, so that what is left is still whole. */

import { SymbolKind } from 'vscode-languageserver-protocol';
import { fail } from '../../../../shared/base/failure.ts';
import { languageFacts } from '../../../../shared/languages/facts.ts';
import { indentOf } from '../../../lexical/indentation.ts';
import {
  type Extent,
  lineEndAt,
  lineOf,
  lineStart,
  type SourceText,
} from '../../../lexical/symbol-extent.ts';
import { type EditedSource, type Splice, spliced } from '../plan/splice.ts';

/** The extents of one name in the order of the file: several when it is overloaded. */
export function deleteSymbol(source: SourceText, extents: readonly [Extent, ...Extent[]]): EditedSource {
  return {
    text: spliced(
      source,
      rowsOf(source, extents).map((row) => removal(source, row)),
    ),
    notes: [],
  };
}

type Row = readonly [Extent, ...Extent[]];

/** Those with nothing between them go as one. */
function rowsOf(source: SourceText, [first, ...others]: Row): readonly Row[] {
  const rows: [Extent, ...Extent[]][] = [[first]];
  for (const extent of others) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last && source.text.slice(last.lineEnd, extent.lead).trim() === '') row.push(extent);
    else rows.push([extent]);
  }
  return rows;
}

function removal(source: SourceText, extents: Row): Splice {
  const [first] = extents;
  const last = extents.at(-1) ?? first;
  checkDeletable(source, first);
  const { lines, text } = source;
  const own = { from: lineOf(source, first.lead), to: lineOf(source, last.lineEnd) };
  const pass = leavesNothing(source, first, own) ? `${first.indent}pass\n` : '';
  const { from, to } = pass === '' ? withBlankLines(source, own) : own;
  const start = lineStart(source, from);
  if (to < lines.count) return { from: start, to: lineStart(source, to + 1), text: pass };
  // The last line of a file that does not end with a line end: what is above it becomes the last one.
  const isEnded = lines.at(lines.count) === '';
  const begin = pass === '' && from > 1 && !isEnded ? start - lineEndLength(text, start) : start;
  return { from: begin, to: text.length, text: isEnded ? pass : pass.trimEnd() };
}

interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** So that what stood around it is as far apart as before, and nothing blank begins or ends a block. */
function withBlankLines({ lines }: SourceText, { from, to }: LineSpan): LineSpan {
  const isBlank = (line: number) => line >= 1 && line <= lines.count && lines.at(line).trim() === '';
  let above = 0;
  while (isBlank(from - 1 - above)) above += 1;
  let below = 0;
  while (isBlank(to + 1 + below)) below += 1;
  const begins = from - above === 1 || (above === 0 && /[{([:]\s*$/.test(lines.at(from - 1)));
  const next = to + below + 1;
  const ends = next > lines.count || (below === 0 && /^\s*(?:[)}\]]|end\b)/.test(lines.at(next)));
  if (begins || ends) return { from: from - above, to: to + below };
  return { from, to: to + Math.min(above, below) };
}

function checkDeletable({ code, family }: SourceText, extent: Extent): void {
  const { content, text } = languageFacts(family);
  const { numbersConstants } = text;
  const { symbol, start, name, lineEnd } = extent;
  if (symbol.kind === SymbolKind.EnumMember)
    refuse(`${symbol.path} is a member of an enum, whose others may be numbered by their place`);
  if (content === 'data') refuse(`${symbol.path} is data, whose uses no server knows`);
  const isGrouped = symbol.kind === SymbolKind.Constant && code.slice(start, name).trim() === '';
  if (!numbersConstants || !isGrouped) return;
  const group = code.slice(code.lastIndexOf('(', start), code.indexOf(')', lineEnd));
  const next = code.slice(lineEnd).trimStart();
  if (numbersConstants.test(group) || /^\w+\s*(?:[\r\n]|,[^=\r\n]*[\r\n])/.test(next))
    refuse(`${symbol.path} is in a group of constants that are numbered by their place`);
}

/** Whether an indented block is left without a statement. */
function leavesNothing(source: SourceText, { indent }: Extent, { from, to }: LineSpan): boolean {
  const { code, lines } = source;
  if (languageFacts(source.family).text.body.kind !== 'suite' || indent === '') return false;
  const at = (line: number) => code.slice(lineStart(source, line), lineEndAt(source, line));
  let above = from - 1;
  while (above >= 1 && at(above).trim() === '') above -= 1;
  let below = to + 1;
  while (below <= lines.count && at(below).trim() === '') below += 1;
  const isHeader = at(above).trimEnd().endsWith(':') && indentOf(lines.at(above)).length < indent.length;
  return isHeader && (below > lines.count || indentOf(lines.at(below)).length < indent.length);
}

function lineEndLength(text: string, lineBegin: number): number {
  return text.slice(lineBegin - 2, lineBegin) === '\r\n' ? 2 : 1;
}

function refuse(message: string): never {
  fail({ kind: 'invalid-input', message, next: 'Use apply_edit with old_text and new_text instead' });
}
