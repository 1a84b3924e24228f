/** Callers that start a function beside or after themselves: by the text around their calls, and where they hand it over. */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { spawnAround } from '../../lexical/concurrency.ts';
import { type Place, placeKey, toPlaces } from '../../places/places.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { searchReferences } from '../references/reference-search.ts';
import type { Call, CallGraph } from './call-graph.ts';
import { callerAt } from './calls-by-references.ts';
import type { HierarchyItem } from './hierarchy-items.ts';

export interface ConcurrentCall {
  readonly caller: HierarchyItem;
  readonly site: Place;
  readonly pattern: string;
}

const MOST_USES = 500;
/** A function that is handed over stands in the same statement as what starts it. */
const STATEMENT_LINES = 20;

/** Among these calls. */
export async function concurrentAmong(
  context: ToolContext,
  language: string,
  calls: readonly Call[],
): Promise<readonly ConcurrentCall[]> {
  const texts = await context.files.readAll(calls.flatMap(({ item }) => item.place.file ?? []));
  return calls.flatMap(({ item, sites }) =>
    sites.flatMap((site) => {
      const lines = site.file && texts.get(site.file);
      const spawned = lines && spawnAround(language, lines, item.from.line, site.start);
      return spawned ? [{ caller: item, site, pattern: spawned.pattern }] : [];
    }),
  );
}

/** `new Thread(worker)` calls nothing itself, so no call hierarchy has it: such places are found among the references. */
export async function handedOver(
  context: ToolContext,
  target: Target,
  graph: CallGraph,
): Promise<readonly ConcurrentCall[]> {
  if (!graph.facts.methods.includes(ReferencesRequest.method)) return [];
  const { link } = target;
  const { result, facts } = await searchReferences(context, target);
  const places = await toPlaces(result, context.files, facts.encoding);
  const known = new Set((graph.incoming ?? []).flatMap(({ sites }) => sites.map(placeKey)));
  const uses = places.filter((place) => !known.has(placeKey(place))).slice(0, MOST_USES);
  const texts = await context.files.readAll(uses.flatMap(({ file }) => file ?? []));
  const found: ConcurrentCall[] = [];
  for (const place of uses) {
    const lines = place.file && texts.get(place.file);
    if (!place.file || !lines) continue;
    const from = Math.max(1, place.start.line - STATEMENT_LINES);
    const spawned = spawnAround(link.language, lines, from, place.start);
    if (!spawned?.isDirect) continue;
    const tree = await outlineOf(context, link, await context.files.read(place.file));
    found.push({ caller: callerAt({ tree, lines }, place), site: place, pattern: spawned.pattern });
  }
  return found;
}
