/** Callers, callees, supertypes and subtypes as lines by file and as data. */

import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { keyOf, type Place } from '../../places/places.ts';
import { oneLine } from '../../render/budget.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { Call } from './call-graph.ts';
import { type HierarchyItem, type ItemData, isInTests, itemData, labelOf } from './hierarchy-items.ts';

/** What starts the work at a call site, where that was looked for. */
export type Started = ReadonlyMap<Place, string>;

const MOST_SITES = 6;

/** `src/manager.ts (2)` with a line for each of its items below; those in tests come last, a line for each file. */
export function itemLines(
  items: readonly HierarchyItem[],
  roots: Roots,
  more: (item: HierarchyItem) => string = () => '',
): string[] {
  const isTest = (own: readonly HierarchyItem[]) => own.some((item) => isInTests(item, roots));
  const files = [...groupBy(items, ({ place }) => shownFile(place, roots))];
  const tests = files.filter(([, own]) => isTest(own));
  const lines = files
    .filter(([, own]) => !isTest(own))
    .flatMap(([name, own]) => [
      `${name} (${own.length})`,
      ...own.map((item) => `  ${item.kind} ${shortName(item)} ${shownPlace(item.place)}${more(item)}`),
    ]);
  if (tests.length === 0) return lines;
  const count = tests.reduce((sum, [, own]) => sum + own.length, 0);
  lines.push(`tests: ${count} in ${counted(tests.length, 'file')}`);
  const inShort = (item: HierarchyItem) => `${shortName(item)} ${shownPlace(item.place)}${more(item)}`;
  return [...lines, ...tests.map(([name, own]) => `  ${name}: ${own.map(inShort).join('; ')}`)];
}

/** `  method Manager.stopAll 88:20 calls at 92:14, 95:3`; `home` is the file whose name need not be said. */
export function callLines(
  calls: readonly Call[],
  roots: Roots,
  about: { readonly verb: string; readonly started: Started; home(item: HierarchyItem): Place | undefined },
): string[] {
  const sitesOf = new Map(calls.map(({ item, sites }) => [item, sites]));
  return itemLines(
    calls.map(({ item }) => item),
    roots,
    (item) => {
      const home = about.home(item);
      const sites = sitesOf.get(item) ?? [];
      const shown = sites.slice(0, MOST_SITES).map((site) => {
        const file = home && keyOf(home) === keyOf(site) ? '' : `${shownFile(site, roots)}:`;
        const start = about.started.get(site);
        return `${file}${shownPlace(site)}${start === undefined ? '' : ` (${start})`}`;
      });
      const rest = sites.length - shown.length;
      return ` ${about.verb} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    },
  );
}

export interface CallData extends ItemData {
  readonly call_sites: { line: number; column: number; file?: string }[];
}

/** A call site names its file only where that is not the file of the caller. */
export function callData({ item, sites }: Call, home: Place | undefined): CallData {
  return {
    ...itemData(item),
    call_sites: sites.map((site) => ({
      ...site.start,
      ...(home && keyOf(home) === keyOf(site) ? {} : { file: keyOf(site) }),
    })),
  };
}

/** How long an item gets when written down, generously. */
export function itemSize({ name, place }: HierarchyItem): number {
  return 160 + name.length + place.uri.length;
}

export function shownFile(place: Place, roots: Roots): string {
  return place.file === undefined ? place.uri : roots.display(place.file);
}

export function shownPlace({ start }: Place): string {
  return `${start.line}:${start.column}`;
}

function shortName(item: HierarchyItem): string {
  return oneLine(labelOf(item), 100);
}
