/**
 * Finding the text that an agent wants to replace. Agents quote from memory: white space differs, and short quotes
 * occur more than once. Only one exact place is taken as meant; anything less is described, never guessed.
 */
import { escapePattern } from '../../../../shared/base/escape-pattern.ts';
import { TextLines, TextOffsets } from '../../../../shared/base/positions.ts';

/** Offsets into the source. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export type TextMatch =
  | { readonly kind: 'unique'; readonly range: TextRange }
  /** The lines on which it begins, counted from 1. */
  | { readonly kind: 'several'; readonly lines: readonly number[] }
  /** There, but for white space; in one place only. */
  | { readonly kind: 'but-for-space'; readonly range: TextRange; readonly lines: readonly [number, number] }
  /** With the line that looks most like the first one that was quoted, if any does. */
  | { readonly kind: 'none'; readonly nearest?: { readonly line: number; readonly text: string } };

/** Line ends do not count: a quote has LF whatever the file has. */
export function findText(source: string, quoted: string): TextMatch {
  const exact = exactMatches(source, quoted);
  const [first] = exact;
  if (exact.length > 1) return { kind: 'several', lines: linesOfOffsets(source, exact) };
  if (first) return { kind: 'unique', range: first };
  const alike = matchesButForSpace(source, quoted);
  const [only] = alike;
  if (alike.length > 1) return { kind: 'several', lines: alike.map(({ lines }) => lines[0]) };
  if (only) return { kind: 'but-for-space', ...only };
  return nearestLine(source, quoted);
}

/** New text for a quote whose indentation was wrong in the same way on all its lines. */
export function reindented(newText: string, quoted: string, found: string): string {
  const [given, real] = [indents(quoted), indents(found)];
  if (given.length !== real.length) return newText;
  const added = prefixBetween(given[0] ?? '', real[0] ?? '');
  if (added !== undefined && given.every((indent, index) => added + indent === real[index]))
    return mapLines(newText, (line) => (line.trim() === '' ? line : added + line));
  const removed = prefixBetween(real[0] ?? '', given[0] ?? '');
  if (removed !== undefined && real.every((indent, index) => removed + indent === given[index]))
    return mapLines(newText, (line) => (line.startsWith(removed) ? line.slice(removed.length) : line));
  return newText;
}

function exactMatches(source: string, quoted: string): readonly TextRange[] {
  const pattern = new RegExp(
    quoted
      .split(/\r\n|\n/)
      .map(escapePattern)
      .join('\\r?\\n'),
    'g',
  );
  const found: TextRange[] = [];
  for (let match = pattern.exec(source); match && found.length < MOST_MATCHES; match = pattern.exec(source)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    // Places that overlap are several places as well.
    pattern.lastIndex = match.index + 1;
  }
  return found;
}

const MOST_MATCHES = 1_000;

interface AlikePlace {
  readonly range: TextRange;
  readonly lines: readonly [number, number];
}

/** Whole lines that are equal when white space is folded. */
function matchesButForSpace(source: string, quoted: string): readonly AlikePlace[] {
  const wanted = quoted.split(/\r\n|\n|\r/).map(folded);
  const endsLine = wanted.at(-1) === '';
  if (endsLine) wanted.pop();
  if (wanted.every((line) => line === '')) return [];
  const lines = new TextLines(source);
  const offsets = new TextOffsets(source);
  const all = Array.from({ length: lines.count }, (_, index) => folded(lines.at(index + 1)));
  const found: AlikePlace[] = [];
  for (let from = 0; from + wanted.length <= all.length; from++) {
    if (!wanted.every((line, index) => all[from + index] === line)) continue;
    const last = from + wanted.length - 1;
    const start = offsets.offsetOf({ line: from, character: 0 }, 'utf-16');
    // Without its line end, unless that was quoted: otherwise the next line would be glued on.
    const end = endsLine
      ? offsets.offsetOf({ line: last + 1, character: 0 }, 'utf-16')
      : offsets.offsetOf({ line: last, character: Number.MAX_SAFE_INTEGER }, 'utf-16');
    found.push({ range: { start, end }, lines: [from + 1, last + 1] });
  }
  return found;
}

const ALIKE = 0.5;

function nearestLine(source: string, quoted: string): TextMatch {
  const wanted =
    quoted
      .split(/\r\n|\n|\r/)
      .map(folded)
      .find((line) => line !== '') ?? '';
  const lines = new TextLines(source);
  let best = { likeness: ALIKE, line: 0 };
  const pairs = pairsOf(wanted);
  for (let line = 1; line <= lines.count; line++) {
    const likeness = likenessOf(pairs, pairsOf(folded(lines.at(line)).slice(0, 400)));
    if (likeness > best.likeness) best = { likeness, line };
  }
  if (best.line === 0) return { kind: 'none' };
  return { kind: 'none', nearest: { line: best.line, text: lines.at(best.line).trim() } };
}

/** Twice what two sets have in common, as a part of both. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) => text.slice(index, index + 2)),
  );
}

function linesOfOffsets(source: string, ranges: readonly TextRange[]): readonly number[] {
  const offsets = new TextOffsets(source);
  return ranges.map(({ start }) => offsets.pointAt(start).line);
}

function indents(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return lines.map((line) => line.slice(0, line.length - line.trimStart().length));
}

/** What stands before the shorter indentation in the longer one. */
function prefixBetween(shorter: string, longer: string): string | undefined {
  return longer.endsWith(shorter) ? longer.slice(0, longer.length - shorter.length) : undefined;
}

function mapLines(text: string, change: (line: string) => string): string {
  return text
    .split(/(\r\n|\n|\r)/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

function folded(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}
