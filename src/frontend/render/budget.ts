/** How much of a list fits into one answer, and how to get the rest. Every list goes through here. */
import { fail } from '../../shared/base/failure.ts';

export const DEFAULT_LIMIT = 100;
export const MAX_ITEMS = 200;
export const MAX_CHARS = 60_000;

/** Room for headers, hints and line ends that are not part of the items. */
const RESERVED_CHARS = 4_000;

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly from: number;
  readonly total: number;
  /** Undefined when nothing comes after this page. */
  readonly nextCursor: string | undefined;
}

/** The part of a list that was asked for, ended early when the items grow too long together. */
export function pageOf<T>(
  list: readonly T[],
  request: PageRequest,
  sizeOf: (item: T) => number,
  defaultLimit: number = DEFAULT_LIMIT,
): Page<T> {
  const from = offsetOf(request.cursor, list.length);
  const wanted = list.slice(from, from + Math.min(request.limit ?? defaultLimit, MAX_ITEMS));
  let size = RESERVED_CHARS;
  let fitting = 0;
  for (const item of wanted) {
    size += sizeOf(item);
    if (size > MAX_CHARS && fitting > 0) break;
    fitting += 1;
  }
  const end = from + fitting;
  return {
    items: wanted.slice(0, fitting),
    from,
    total: list.length,
    nextCursor: end < list.length ? String(end) : undefined,
  };
}

/** What the page left out, as a line of its own; nothing when it left out nothing. */
export function leftOut(page: Page<unknown>, what: string): string[] {
  const end = page.from + page.items.length;
  const lines: string[] = [];
  if (page.from > 0) lines.push(`${page.from} earlier ${what} not shown`);
  if (page.nextCursor !== undefined)
    lines.push(`${page.total - end} more ${what} not shown; pass cursor:"${page.nextCursor}"`);
  return lines;
}

/** One line of source or message: trimmed, whitespace folded, cut. */
export function oneLine(text: string, most = 80): string {
  const folded = text.trim().replace(/\s+/g, ' ');
  return folded.length <= most ? folded : `${folded.slice(0, most - 1)}…`;
}

/** A long text cut at whole lines, saying so and what helps. */
export function clip(text: string, most: number = MAX_CHARS, help = 'pass limit to get less'): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most - 80);
  const kept = text.slice(0, end > 0 ? end : most - 80);
  return `${kept}\n… cut after ${kept.length} of ${text.length} characters; ${help}`;
}

function offsetOf(cursor: string | undefined, length: number): number {
  if (cursor === undefined) return 0;
  const offset = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (offset >= 0 && offset < Math.max(length, 1)) return offset;
  fail({
    kind: 'invalid-input',
    message: `cursor ${JSON.stringify(cursor)} does not belong to this list of ${length}`,
    next: 'Leave cursor out to start from the beginning',
  });
}
