/** Patches without context as line ranges, and lines of one state of a file found again in a later one. */
import type { LineRange } from './subjects.ts';

export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Hunks by the path that the file has afterwards, relative to the top of the repository. */
export function hunksIn(patch: string): ReadonlyMap<string, readonly Hunk[]> {
  const files = new Map<string, Hunk[]>();
  let current: Hunk[] | undefined;
  const lines = patch.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.startsWith('diff --git ')) current = undefined;
    if (line.startsWith('+++ ')) {
      const name = pathIn(line.slice(4));
      current = name === undefined ? undefined : (files.get(name) ?? []);
      if (name !== undefined && current) files.set(name, current);
    }
    const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!match) continue;
    const [oldStart, oldCount, newStart, newCount] = match.slice(1).map((text) => Number(text ?? 1));
    const hunk = {
      oldStart: oldStart ?? 1,
      oldCount: oldCount ?? 1,
      newStart: newStart ?? 1,
      newCount: newCount ?? 1,
    };
    current?.push(hunk);
    // The text of a hunk may look like a header.
    index += hunk.oldCount + hunk.newCount;
  }
  return files;
}

/** Lines of the new text that a hunk touches. */
export function touchedBy({ newStart, newCount }: Hunk): LineRange {
  return newCount === 0
    ? { start: newStart + 1, end: newStart }
    : { start: newStart, end: newStart + newCount - 1 };
}

/** Where lines are after further changes; lines that were changed again are where those changes are. */
export function moved(range: LineRange, later: readonly Hunk[]): LineRange {
  const isGap = range.end < range.start;
  const start = lineAfter(range.start, later, 'first');
  const end = lineAfter(range.end, later, 'last');
  return isGap ? { start: end + 1, end } : { start, end: Math.max(start, end) };
}

function lineAfter(line: number, later: readonly Hunk[], side: 'first' | 'last'): number {
  let offset = 0;
  for (const { oldStart, oldCount, newStart, newCount } of later) {
    const first = oldCount === 0 ? oldStart + 1 : oldStart;
    if (line < first) break;
    if (oldCount > 0 && line < oldStart + oldCount)
      return side === 'first' || newCount === 0 ? Math.max(1, newStart) : newStart + newCount - 1;
    offset += newCount - oldCount;
  }
  return line + offset;
}

/** `b/src/a.ts`, perhaps quoted, perhaps with a tab behind it because of a space in it; nothing for a deleted file. */
function pathIn(written: string): string | undefined {
  const quoted = /^"(.*)"\t?$/s.exec(written)?.[1];
  const name = quoted === undefined ? written.replace(/\t$/, '') : unquoted(quoted);
  return name.startsWith('b/') ? name.slice(2) : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Octal escapes are bytes of UTF-8. */
function unquoted(text: string): string {
  const bytes = text.replace(/\\([0-7]{3})|\\(.)|([^\0-\x7f]+)/gs, (_all, octal, mark, rest) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (mark !== undefined) return ESCAPES[mark] ?? mark;
    return Buffer.from(rest, 'utf8').toString('latin1');
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
