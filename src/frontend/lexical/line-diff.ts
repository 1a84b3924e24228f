/**
 * Which lines an edit removes and adds, by Myers' algorithm. Texts with little in common are not compared to the end.
 * Decision: docs/decisions/dependencies.md#hunks-by-our-own-comparison
 */

/** Lines `start` to `end` (exclusive, from 0) of the old text become those of the new one. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Beyond so many different lines the middle of a text counts as rewritten: the search grows with its square. */
const MOST_DIFFERENCES = 1_500;

export function changedLines(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++;
  const old = before.slice(start, before.length - tail);
  const fresh = after.slice(start, after.length - tail);
  if (old.length === 0 && fresh.length === 0) return [];
  const changes = compare(old, fresh) ?? [
    { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length },
  ];
  return changes.map((change) => ({
    oldStart: change.oldStart + start,
    oldEnd: change.oldEnd + start,
    newStart: change.newStart + start,
    newEnd: change.newEnd + start,
  }));
}

/** Lines with their LF. A CR belongs to the line, as for git. */
export function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Undefined when there are too many differences. */
function compare(old: readonly string[], fresh: readonly string[]): readonly LineChange[] | undefined {
  if (old.length === 0 || fresh.length === 0)
    return [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }];
  const most = Math.min(old.length + fresh.length, MOST_DIFFERENCES);
  // How far one gets in the old text on each diagonal (x - y), for every number of differences so far.
  const reached = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let count = 0; count <= most; count++) {
    history.push(reached.slice(most + 1 - count - 1, most + 1 + count + 2));
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [below = 0, above = 0] = [reached[at - 1], reached[at + 1]];
      let x = diagonal === -count || (diagonal !== count && below < above) ? above : below + 1;
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x++;
      reached[at] = x;
      if (x >= old.length && x - diagonal >= fresh.length) return walkBack(history, old.length, fresh.length);
    }
  }
  return undefined;
}

/** Follows the way back from the ends of both texts; steps that touch are one change. */
function walkBack(
  history: readonly Int32Array[],
  oldLength: number,
  newLength: number,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let x = oldLength;
  let y = newLength;
  for (let count = history.length - 1; count > 0; count--) {
    const reached = history[count] ?? new Int32Array();
    const value = (diagonal: number) => reached[diagonal + count + 1] ?? 0;
    const diagonal = x - y;
    const isInsertion =
      diagonal === -count || (diagonal !== count && value(diagonal - 1) < value(diagonal + 1));
    const from = isInsertion ? diagonal + 1 : diagonal - 1;
    const oldX = value(from);
    const oldY = oldX - from;
    const [endX, endY] = isInsertion ? [oldX, oldY + 1] : [oldX + 1, oldY];
    const next = changes.at(-1);
    if (next && next.oldStart === endX && next.newStart === endY)
      changes[changes.length - 1] = { ...next, oldStart: oldX, newStart: oldY };
    else changes.push({ oldStart: oldX, oldEnd: endX, newStart: oldY, newEnd: endY });
    x = oldX;
    y = oldY;
  }
  return changes.reverse();
}
