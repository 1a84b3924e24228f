/**
 * The part of a formatter's edits that concerns some lines and no others. Servers answer for lines with changes anywhere,
 * and some replace the whole text by another one; then both texts are laid side by side, blanks aside.
 */
import type { TextEdit } from 'vscode-languageserver-protocol';
import { type Encoding, TextOffsets, toServerPosition } from '../../../shared/base/positions.ts';
import type { Span } from '../../targets/spans.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { applyTextEdits } from '../edits/plan/text-edits.ts';

export interface LinesOnly {
  readonly edits: readonly TextEdit[];
  /** Edits that were left out. */
  readonly left: number;
}

export function linesOnly(
  edits: readonly TextEdit[],
  source: SourceFile,
  { start, end }: Span,
  encoding: Encoding,
): LinesOnly {
  const [first, last] = [start.line - 1, end.line - 1];
  const inside = edits.filter(
    ({ range: { start: from, end: to } }) =>
      from.line >= first &&
      from.line <= last &&
      (to.line <= last || (to.line === last + 1 && to.character === 0)),
  );
  const isOver = ({ range: { start: from, end: to } }: TextEdit) =>
    from.line < first ? to.line >= first && !(to.line === first && to.character === 0) : from.line <= last;
  const over = edits.filter((edit) => !inside.includes(edit) && isOver(edit));
  if (over.length === 0) return { edits: inside, left: edits.length - inside.length };
  const whole = applyTextEdits(source.text, edits, encoding).text;
  const piece = sameLines(source.text, whole, { first, last });
  if (!piece) return { edits: inside, left: edits.length - inside.length };
  const offsets = new TextOffsets(source.text);
  const at = (offset: number) => toServerPosition(offsets.pointAt(offset), source.lines, encoding);
  const edit = { range: { start: at(piece.start), end: at(piece.end) }, newText: piece.text };
  return { edits: [edit], left: edits.length - inside.length - over.length };
}

/** What stands in the new text for these lines of the old one; undefined when lines were joined over the edge, or rewritten. */
function sameLines(
  before: string,
  after: string,
  { first, last }: { first: number; last: number },
): { start: number; end: number; text: string } | undefined {
  const [old, fresh] = [inkOf(before), inkOf(after)];
  const lineOf = lineNumbers(before);
  const isInside = (at: number) => (lineOf[at] ?? 0) >= first && (lineOf[at] ?? 0) <= last;
  const from = old.findIndex(isInside);
  const to = old.findLastIndex(isInside);
  const isSame =
    old.length === fresh.length && old.every((at, index) => before[at] === after[fresh[index] ?? 0]);
  const [start, end, newStart, newEnd] = [old[from], old[to], fresh[from], fresh[to]];
  if (!isSame || start === undefined || end === undefined || newStart === undefined || newEnd === undefined)
    return undefined;
  const [text, isWhole] = linesAround(after, newStart, newEnd);
  const [oldText, , oldStart] = linesAround(before, start, end);
  return isWhole ? { start: oldStart, end: oldStart + oldText.length, text } : undefined;
}

/** Whole lines, without the last line end; false when there is something else on the first or last of them. */
function linesAround(text: string, from: number, to: number): readonly [string, boolean, number] {
  const start = Math.max(text.lastIndexOf('\n', from - 1), text.lastIndexOf('\r', from - 1)) + 1;
  const [rest = ''] = /^[^\r\n]*/.exec(text.slice(to + 1)) ?? [];
  const isWhole = text.slice(start, from).trim() === '' && rest.trim() === '';
  return [text.slice(start, to + 1 + rest.length), isWhole, start];
}

/** Where the characters are that are no blanks. */
function inkOf(text: string): readonly number[] {
  return [...text.matchAll(/\S/g)].map(({ index }) => index);
}

function lineNumbers(text: string): Readonly<Record<number, number>> {
  const lines: Record<number, number> = {};
  let line = 0;
  for (let at = 0; at < text.length; at++) {
    lines[at] = line;
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) line++;
  }
  return lines;
}
