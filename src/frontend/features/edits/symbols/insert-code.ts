/** Code put on lines of its own beside a symbol, as far from it as its neighbours are. */

import { SymbolKind } from 'vscode-languageserver-protocol';
import { fail } from '../../../../shared/base/failure.ts';
import { languageFacts } from '../../../../shared/languages/facts.ts';
import { unpaired } from '../../../lexical/brackets.ts';
import { blockOf, indented, indentUnit } from '../../../lexical/indentation.ts';
import { type Extent, lineOf, type SourceText, sourceText } from '../../../lexical/symbol-extent.ts';
import { type EditedSource, type Splice, spliced } from '../plan/splice.ts';

/** Above its comments and decorators. */
export function insertBefore(source: SourceText, extent: Extent, code: string): EditedSource {
  const lines = linesFor(source, extent, code);
  const gap = gapBefore(source, extent) ?? gapAfter(source, extent) ?? usualGap(source, extent, lines);
  const isListed = extent.separator === ',' || isListMember(source, extent);
  const block = isListed ? withComma(lines) : lines;
  const text = `${block.join('\n')}\n${'\n'.repeat(gap)}`;
  return { text: spliced(source, [{ from: extent.lead, to: extent.lead, text }]), notes: [] };
}

/** Behind its separator and the comment on its last line. */
export function insertAfter(source: SourceText, extent: Extent, code: string): EditedSource {
  const lines = linesFor(source, extent, code);
  const gap = gapAfter(source, extent) ?? gapBefore(source, extent) ?? usualGap(source, extent, lines);
  const isLast = extent.separator === '' && isListMember(source, extent);
  const comma: Splice[] = isLast ? [{ from: extent.end, to: extent.end, text: ',' }] : [];
  const block = extent.separator === ',' ? withComma(lines) : lines;
  const text = `\n${'\n'.repeat(gap)}${block.join('\n')}`;
  return { text: spliced(source, [...comma, { from: extent.lineEnd, to: extent.lineEnd, text }]), notes: [] };
}

function linesFor(source: SourceText, { indent }: Extent, code: string): readonly string[] {
  const { text, code: masked } = sourceText(code, source.family);
  if (text.trim() === '') refuse('code is empty', 'Pass the code that is to be inserted');
  const odd = unpaired(masked);
  if (odd !== undefined) refuse(`code has ${odd} without its partner`, 'Pass whole declarations');
  return indented(blockOf(text, source.family), indent, indentUnit(source.text));
}

/** How many blank lines there are to the neighbour above; undefined when it is the first in what it is in. */
function gapBefore(source: SourceText, { lead }: Extent): number | undefined {
  const first = lineOf(source, lead);
  let line = first - 1;
  while (line >= 1 && source.lines.at(line).trim() === '') line -= 1;
  if (line < 1 || /(?:[{([:]|\bdo|\bthen)\s*$/.test(source.lines.at(line))) return undefined;
  return isOpening(source, line) ? undefined : Math.min(first - 1 - line, MOST_BLANK);
}

function gapAfter(source: SourceText, { lineEnd }: Extent): number | undefined {
  const last = lineOf(source, lineEnd);
  let line = last + 1;
  while (line <= source.lines.count && source.lines.at(line).trim() === '') line += 1;
  if (
    line > source.lines.count ||
    /^\s*(?:[)}\]]|end\b|(?:public|private|protected)\s*:)/.test(source.lines.at(line))
  )
    return undefined;
  const isOutside = source.lines.at(line).search(/\S/) < source.lines.at(last).search(/\S/);
  return isOutside ? undefined : Math.min(line - last - 1, MOST_BLANK);
}

const MOST_BLANK = 2;

/** The header of what it is in, where that does not end with a bracket. */
function isOpening(source: SourceText, line: number): boolean {
  return /^\s*(?:class|module|def|defmodule|namespace|package)\b/.test(source.lines.at(line));
}

/** One-line declarations stand together, others apart; at the outermost level of some languages by more lines. */
function usualGap(source: SourceText, { lead, lineEnd, indent }: Extent, lines: readonly string[]): number {
  if (lines.length === 1 && lineOf(source, lead) === lineOf(source, lineEnd)) return 0;
  return indent === '' ? languageFacts(source.family).text.gapAtTop : 1;
}

const LISTED: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.EnumMember,
  SymbolKind.Property,
  SymbolKind.Field,
  SymbolKind.Method,
]);

/** The last of a list that is separated by commas. */
function isListMember(source: SourceText, { lead, separator, symbol }: Extent): boolean {
  if (separator !== '' || !LISTED.has(symbol.kind)) return false;
  const before = source.code.slice(0, lead).trimEnd();
  if (before.endsWith(',')) return true;
  return symbol.kind === SymbolKind.EnumMember && languageFacts(source.family).text.enumsHaveCommas;
}

function withComma(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  return /[,;]\s*$/.test(last) ? lines : [...lines.slice(0, -1), `${last},`];
}

function refuse(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
