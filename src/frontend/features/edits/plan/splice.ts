/** New text put into a source, with the line ends that the source has. */
import type { SourceText } from '../../../lexical/symbol-extent.ts';
import { lineEndOf } from './text-edits.ts';

export interface EditedSource {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Offsets and the text for them, with LF. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function spliced(source: SourceText, splices: readonly Splice[]): string {
  const lineEnd = lineEndOf(source.text);
  let last = 0;
  const parts: string[] = [];
  for (const { from, to, text } of splices) {
    parts.push(source.text.slice(last, from), lineEnd === '\n' ? text : text.replace(/\n/g, lineEnd));
    last = to;
  }
  return parts.join('') + source.text.slice(last);
}

/** Whether a part of the source has a comment, wholly or in part. */
export function hasComment(
  { text, code }: Pick<SourceText, 'text' | 'code'>,
  from: number,
  to: number,
): boolean {
  for (let at = from; at < to; at++)
    if (code[at] === ' ' && text[at] !== ' ' && text[at] !== '\t') return true;
  return false;
}
