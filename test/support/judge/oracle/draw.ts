/** Which symbols are asked about: drawn by packages and kinds in turn, so that the largest package does not get them all. */
import { pick, type Random } from '../../truth/model.ts';

export interface Stratified {
  readonly package: string;
  readonly kind: string;
}

/** Every item once, in an order that the seed decides. */
export function* drawn<T extends Stratified>(items: readonly T[], random: Random): Generator<T> {
  const packages = new Map<string, Map<string, T[]>>();
  for (const item of items) {
    const kinds = packages.get(item.package) ?? new Map<string, T[]>();
    packages.set(item.package, kinds);
    kinds.set(item.kind, [...(kinds.get(item.kind) ?? []), item]);
  }
  while (packages.size > 0) {
    for (const name of shuffled([...packages.keys()], random)) {
      const kinds = packages.get(name) ?? new Map<string, T[]>();
      const kind = pick([...kinds.keys()], random);
      const left = kinds.get(kind) ?? [];
      const [item] = left.splice(Math.floor(random() * left.length), 1);
      if (left.length === 0) kinds.delete(kind);
      if (kinds.size === 0) packages.delete(name);
      if (item) yield item;
    }
  }
}

export interface Sample<T, U> {
  readonly item: T;
  readonly uses: U;
}

/** Half of the sample is used in several files, where it can be had; `look` is undefined for what cannot be asked about. */
export function sampled<T extends Stratified, U extends { readonly files: number }>(
  likely: readonly T[],
  all: readonly T[],
  look: (item: T) => U | undefined,
  { count, random }: { count: number; random: Random },
): Sample<T, U>[] {
  const several: Sample<T, U>[] = [];
  const others: Sample<T, U>[] = [];
  const wanted = Math.ceil(count / 2);
  const seen = new Set<T>();
  const consider = (item: T) => {
    if (seen.has(item)) return;
    seen.add(item);
    const uses = look(item);
    if (!uses) return;
    if (uses.files > 1 && several.length < wanted) several.push({ item, uses });
    else if (others.length < count - wanted) others.push({ item, uses });
  };
  let tries = 0;
  for (const item of drawn(likely, random)) {
    if (several.length >= wanted || tries++ >= MOST_TRIES * wanted) break;
    consider(item);
  }
  for (const item of drawn(all, random)) {
    if (
      several.length + others.length >= count ||
      (others.length >= count - wanted && tries++ > MOST_TRIES * count)
    )
      break;
    consider(item);
  }
  return [...several, ...others];
}

/** Each try is a search through the whole repository. */
const MOST_TRIES = 6;

function shuffled<T>(items: T[], random: Random): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
  return items;
}
