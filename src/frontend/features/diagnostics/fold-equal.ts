/** Folds equal entries of a list into one with their number: a list of 35 equal messages hides what else is in it. */

export interface Folded<Item> {
  readonly first: Item;
  readonly count: number;
}

/** In the order in which each was met first. */
export function foldEqual<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): readonly Folded<Item>[] {
  const folded = new Map<string, Folded<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const known = folded.get(key);
    folded.set(key, known ? { first: known.first, count: known.count + 1 } : { first: item, count: 1 });
  }
  return [...folded.values()];
}

/** `35 x `, to stand in front of the first; nothing where there is only one. */
export function times(count: number): string {
  return count === 1 ? '' : `${count} x `;
}
