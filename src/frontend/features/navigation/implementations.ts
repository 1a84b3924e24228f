/**
 * Finds implementations that a server leaves out of its first answer because it knows opened projects only: heirs of
 * heirs, in projects that never name the type itself, heirs of what was built of it, and classes without a name.
 */
import { uriToPath } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { type TextLines, toServerPosition } from '../../../shared/base/positions.ts';
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import { headerAround } from '../../lexical/base-clauses.ts';
import { wordAt } from '../../lexical/words.ts';
import { byPlace, comparePoints, type Place, placeKey, placesOf } from '../../places/places.ts';
import { type Incomplete, untilRetry } from '../../render/incomplete.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { sendReferences } from '../references/send-references.ts';

export interface FurtherQuestion {
  readonly target: Target;
  readonly facts: ServerFacts;
  /** What the server listed first. */
  readonly found: readonly Place[];
  /** Asks it once more. */
  again(): Promise<readonly Place[]>;
}

/** Longer chains of projects that only know each other's heirs are followed when the question is asked again. */
const MOST_ROUNDS = 3;
/** Of further heirs the ones without a name are not looked for. */
const MOST_HEIRS = 100;
/** When less of the call's patience is left, what was found is the answer. */
const WORTH_ASKING_MS = 1_000;
/** Up to the use: whatever follows the keywords may name several types. */
const NAMELESS = /\bclass\s+(?:extends|implements)\b[^{]*$/;

export interface FurtherImplementations {
  readonly places: readonly Place[];
  /** Why some may be missing. */
  readonly incomplete?: Incomplete;
}

export async function furtherImplementations(
  context: ToolContext,
  { target, facts, found, again }: FurtherQuestion,
): Promise<FurtherImplementations> {
  const { link, name, source } = target;
  const cut = (places: readonly Place[]) => {
    const sentence = (retry: string) =>
      `${facts.serverName} has not been asked for all heirs of ${name} in time; ${retry}`;
    return { places, incomplete: untilRetry(1_000, sentence) };
  };
  let places = found;
  for (let round = 0; ; round++) {
    const also = await namesAt(context, places);
    // Members have the name of what they implement.
    if (also.every((each) => each === name)) break;
    if (context.patienceMs() < WORTH_ASKING_MS) return cut(places);
    const about = { name, also, file: source.path };
    const { documents, later } = await context.servers.reach(link, about, context.remainingMs() / 3);
    if (documents.length + later.length === 0) break;
    if (round === MOST_ROUNDS) return cut(places);
    const more = withoutDoubles([...places, ...(await again())]);
    // The projects of further heirs were not loaded in time.
    if (later.length > 0) return cut(more);
    if (more.length === places.length) break;
    places = more;
  }
  if (isMember(target, await namesAt(context, places))) return { places };
  const heirs = [undefined, ...places.slice(0, MOST_HEIRS)];
  let isCut = false;
  const nameless = await eachBounded(heirs, 4, async (heir) => {
    isCut ||= context.patienceMs() < WORTH_ASKING_MS;
    return isCut ? [] : heirsInText(context, target, facts, heir);
  });
  const all = withoutDoubles([...places, ...nameless.flat()]);
  if (isCut) return cut(all);
  if (places.length <= MOST_HEIRS) return { places: all };
  const reason = `classes without a name were looked for below ${MOST_HEIRS} of the ${places.length} heirs of ${name} only`;
  return { places: all, incomplete: { reason } };
}

/** Members are implemented under their own name, and only types have heirs without one. */
function isMember({ source, point, name }: Target, names: readonly string[]): boolean {
  const isType = /\b(?:class|interface|type)\s/.test(source.lines.at(point.line).slice(0, point.column - 1));
  return !isType && names.every((each) => each === name);
}

async function namesAt(context: ToolContext, places: readonly Place[]): Promise<readonly string[]> {
  const texts = await context.files.readAll(places.flatMap(({ file }) => file ?? []));
  const names = places.flatMap(({ file, start }) => {
    const line = file && texts.get(file)?.at(start.line);
    return (line && wordAt(line, start.column)?.text) ?? [];
  });
  return [...new Set(names)];
}

/** Classes that inherit from the target, or from a type at a place, and that servers leave out of their lists. */
async function heirsInText(
  context: ToolContext,
  { link, source, position }: Target,
  facts: ServerFacts,
  heir: Place | undefined,
): Promise<readonly Place[]> {
  const at = heir?.file === undefined ? undefined : await context.files.read(heir.file);
  const from =
    at && heir
      ? { source: at, position: () => toServerPosition(heir.start, at.lines, facts.encoding) }
      : { source, position };
  const options = context.during(from.source.path);
  const uses = await sendReferences(link, facts, { ...from, includeDeclaration: false }, options);
  const places = await placesOf(uses, context.files, facts.encoding);
  const texts = await context.files.readAll((uses ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []));
  return places.flatMap((place) => {
    const lines = place.file ? texts.get(place.file) : undefined;
    const line = lines?.at(place.start.line);
    const found = NAMELESS.exec(line?.slice(0, place.start.column - 1) ?? '');
    if (!found) return lines ? (namedHeir(lines, place, link.language) ?? []) : [];
    const start = { line: place.start.line, column: found.index + 1 };
    return [{ ...place, start, end: { line: start.line, column: start.column + 'class'.length } }];
  });
}

/** Where a project has what was built of a type, some servers lead from its heirs to the type, and not back. */
function namedHeir(lines: TextLines, { uri, file, start: use }: Place, language: string): Place | undefined {
  const header = headerAround(lines, use, language);
  if (header?.kind !== 'class' || comparePoints(header.at, use) === 0) return undefined;
  const { at: start, name } = header;
  return { uri, file, start, end: { line: start.line, column: start.column + name.length } };
}

function withoutDoubles(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [placeKey(place), place])).values()].sort(byPlace);
}
