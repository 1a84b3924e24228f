/** Callers and callees of a function, by whichever means they were found. */
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import { byPlace, type Place, placeKey } from '../../places/places.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Accounting } from '../references/accounting/accounting.ts';
import { byImportance, type HierarchyItem, itemKey } from './hierarchy-items.ts';

export type Direction = 'incoming' | 'outgoing' | 'both';

/** A caller or callee with the places of the calls. */
export interface Call {
  readonly item: HierarchyItem;
  readonly sites: readonly Place[];
}

/** Code that has the function from one of these may call it, which is no call of it that can be seen. */
export interface OtherUses {
  readonly values: readonly Place[];
  readonly imports: readonly Place[];
}

export interface CallGraph {
  /** What the question is about; none when there is no function at the place. */
  readonly items: readonly HierarchyItem[];
  /** Undefined when not asked for. */
  readonly incoming: readonly Call[] | undefined;
  readonly outgoing: readonly Call[] | undefined;
  readonly facts: ServerFacts;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
  /** Uses that are no calls, where callers were asked for. */
  readonly otherUses?: OtherUses;
  readonly accounting?: Accounting | undefined;
  /** By what other means this was found, where the server has no call hierarchy. */
  readonly means?: string;
}

/** One entry per caller or callee with all its call sites, in the order in which they are shown. */
export function orderedCalls(calls: readonly Call[], { roots }: ToolContext): readonly Call[] {
  const byItem = new Map<string, { item: HierarchyItem; sites: Map<string, Place> }>();
  for (const { item, sites } of calls) {
    const key = itemKey(item);
    const entry = byItem.get(key) ?? { item, sites: new Map<string, Place>() };
    for (const site of sites) entry.sites.set(placeKey(site), site);
    byItem.set(key, entry);
  }
  const order = byImportance(roots);
  return [...byItem.values()]
    .map(({ item, sites }) => ({ item, sites: [...sites.values()].sort(byPlace) }))
    .sort((a, b) => order(a.item, b.item));
}
