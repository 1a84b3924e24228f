/** What an agent or a user may have meant by a name that is not known: the known names that are a slip of the pen away. */

/** The nearest first, whatever their capitals, dashes and underscores; none when nothing is near enough to be more help than noise. */
export function nearNames(given: string, known: Iterable<string>, most = 3): readonly string[] {
  const near = [...new Set(known)].flatMap((name) => {
    const distance = distanceOf(given, name);
    return distance === undefined ? [] : [{ name, distance }];
  });
  near.sort((a, b) => a.distance - b.distance || a.name.length - b.name.length);
  // What is much farther away than the nearest was not meant.
  const farthest = (near[0]?.distance ?? 0) + 1;
  return near
    .filter(({ distance }) => distance <= farthest)
    .slice(0, most)
    .map(({ name }) => name);
}

/** `, did you mean a or b?`, to be put behind a sentence about the unknown name; empty when nothing is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const near = nearNames(given, known);
  const last = near.at(-1);
  if (last === undefined) return '';
  const others = near.slice(0, -1).join(', ');
  return `, did you mean ${others === '' ? last : `${others} or ${last}`}?`;
}

/** What to append to a complaint about a word of a fixed set: the one that was probably meant, and all that are allowed. */
export function suggestion(word: string, allowed: readonly string[]): string {
  const [nearest] = nearNames(word, allowed, 1);
  return `${nearest ? `; did you mean "${nearest}"? Allowed` : '; allowed'}: ${allowed.join(', ')}`;
}

/** A third of the letters may be wrong, but no more than three. A part of the other, or its words in another order, comes after those. */
function distanceOf(given: string, name: string): number | undefined {
  const [a, b] = [plain(given), plain(name)];
  const allowed = Math.max(1, Math.min(3, Math.floor(Math.max(a.length, b.length) / 3)));
  const slips = Math.abs(a.length - b.length) > allowed ? undefined : slipsBetween(a, b);
  if (slips !== undefined && slips <= allowed) return slips;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const isPart = (short.length >= 3 && long.includes(short)) || isShortFor(short, long);
  return isPart || sortedWords(given) === sortedWords(name) ? 4 : undefined;
}

/** `find_refs` for `find_references`: it begins so, and its letters come in this order. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < 5 || !long.startsWith(short.slice(0, 4))) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** Letters to add, to leave out, to change, and neighbours to swap. */
function slipsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/** `symbol_find` is `find_symbol`. */
function sortedWords(name: string): string {
  return name
    .split(/[_\-.\s]+/)
    .sort()
    .join(' ');
}
