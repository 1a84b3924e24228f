/**
 * Text edits of the protocol applied to one text. All ranges mean the text before; they come in any order, in the
 * server's encoding, and servers that contradict themselves are refused instead of guessed at.
 */
import type { TextEdit } from 'vscode-languageserver-protocol';
import { type Encoding, TextOffsets } from '../../../../shared/base/positions.ts';

export interface EditedText {
  readonly text: string;
  /** Edits that change something. */
  readonly places: number;
}

/** What is wrong with a set of edits, in public positions. */
export class EditContradiction extends Error {}

/** Throws `EditContradiction` when edits overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[], encoding: Encoding): EditedText {
  const offsets = new TextOffsets(text);
  const lineEnd = lineEndOf(text);
  const placed = withoutRepetitions(
    edits.map((edit, order) => placedEdit(edit, order, offsets, encoding)).sort(byPlace),
  );
  const parts: string[] = [];
  let places = 0;
  let last: PlacedEdit | undefined;
  for (const edit of placed) {
    if (last && edit.start < last.end) throw overlap(last, edit, offsets);
    const newText = lineEnd === '\r\n' ? withCrLf(edit.newText) : edit.newText;
    if (newText !== text.slice(edit.start, edit.end)) places++;
    parts.push(text.slice(last?.end ?? 0, edit.start), newText);
    last = edit;
  }
  return { text: parts.join('') + text.slice(last?.end ?? 0), places };
}

/** The line end that most lines of a text have; LF if it has only one line. */
export function lineEndOf(text: string): '\n' | '\r\n' | '\r' {
  if (!text.includes('\r')) return '\n';
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 };
  for (const [found] of text.matchAll(/\r\n|\n|\r/g)) if (isLineEnd(found)) counts[found]++;
  if (counts['\r\n'] > counts['\n'] && counts['\r\n'] >= counts['\r']) return '\r\n';
  return counts['\r'] > counts['\n'] ? '\r' : '\n';
}

/** Many servers write LF whatever the file has. */
export function withCrLf(text: string): string {
  return text.includes('\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}

interface PlacedEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  readonly order: number;
}

function placedEdit(
  { range, newText }: TextEdit,
  order: number,
  offsets: TextOffsets,
  encoding: Encoding,
): PlacedEdit {
  const [one, other] = [offsets.offsetOf(range.start, encoding), offsets.offsetOf(range.end, encoding)];
  return { start: Math.min(one, other), end: Math.max(one, other), newText, order };
}

/** Insertions at one place keep their order and come before what replaces the text that begins there. */
function byPlace(a: PlacedEdit, b: PlacedEdit): number {
  const isInsert = ({ start, end }: PlacedEdit) => (start === end ? 0 : 1);
  return a.start - b.start || isInsert(a) - isInsert(b) || a.order - b.order;
}

/** A file that belongs to two projects has its places named twice. Two equal insertions, though, are two. */
function withoutRepetitions(sorted: readonly PlacedEdit[]): readonly PlacedEdit[] {
  return sorted.filter((edit, index) => {
    const before = sorted[index - 1];
    const isRepeated =
      before?.start === edit.start && before.end === edit.end && before.newText === edit.newText;
    return edit.start === edit.end || !isRepeated;
  });
}

function overlap(first: PlacedEdit, second: PlacedEdit, offsets: TextOffsets): EditContradiction {
  const at = (offset: number) => {
    const { line, column } = offsets.pointAt(offset);
    return `${line}:${column}`;
  };
  const range = ({ start, end }: PlacedEdit) => `${at(start)}-${at(end)}`;
  return new EditContradiction(`its edits at ${range(first)} and ${range(second)} overlap`);
}

function isLineEnd(text: string): text is '\n' | '\r\n' | '\r' {
  return text === '\n' || text === '\r\n' || text === '\r';
}
