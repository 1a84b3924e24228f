/**
 * What a file was before an agent changed it, as far as that can be proven from what the client says and the text on disk:
 * an edit is taken back where its new text stands once and nowhere else. Otherwise the text is unknown, and stays so.
 */
import type { FileChangeTold } from './hook-event.ts';

export type FormerText =
  | { readonly kind: 'text'; readonly text: string }
  /** There was no such file. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const UNKNOWN: FormerText = { kind: 'unknown' };

/** `now` is undefined when the file is gone. */
export function formerText(change: FileChangeTold, now: string | undefined): FormerText {
  const { original, replacements } = change;
  if (original === null) return { kind: 'none' };
  if (original !== undefined) return { kind: 'text', text: original };
  if (now === undefined || replacements.length === 0) return UNKNOWN;
  let text = now;
  for (const { before, after } of replacements.toReversed()) {
    // A client that writes a whole new file says that nothing became everything.
    if (before === '' && after === text) return { kind: 'none' };
    const whole = after === '' ? undefined : takenBack(text, before, after);
    if (whole === undefined) return UNKNOWN;
    text = whole;
  }
  return { kind: 'text', text };
}

function takenBack(text: string, before: string, after: string): string | undefined {
  const at = text.indexOf(after);
  // The last line of a file need not end.
  if (at < 0 && after.endsWith('\n') && text.endsWith(after.slice(0, -1)))
    return takenBack(`${text}\n`, before, after)?.replace(/\n$/, '');
  if (at < 0 || text.indexOf(after, at + 1) >= 0) return undefined;
  return `${text.slice(0, at)}${before}${text.slice(at + after.length)}`;
}
