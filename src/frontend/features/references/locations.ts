/** Places as lines: flat for a few definitions, grouped by file for references. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import type { TextLines } from '../../../shared/base/positions.ts';
import { isInImport } from '../../lexical/import-lines.ts';
import { keyOf, type Place } from '../../places/places.ts';
import { excerptAt } from '../../render/source-excerpt.ts';
import { containerName } from '../../symbols/containers.ts';
import type { Outlines } from '../../symbols/outlines.ts';
import type { Roots } from '../../workspace/roots.ts';

export interface Surroundings {
  readonly roots: Roots;
  readonly texts: ReadonlyMap<AbsPath, TextLines>;
  /** Of files where they were asked for: they give each place the name of what it is in. */
  readonly outlines?: Outlines;
}

/** `src/a.ts:12:3  source line`, one place per line. */
export function flatLines(places: readonly Place[], around: Surroundings): string[] {
  return places.map((place) => {
    const source = sourceLine(place, around);
    return `${nameOf(place, around)}:${at(place)}${source === '' ? '' : `  ${source}`}`;
  });
}

/** Files with their places below. The more there are, the less is said of each. */
export function groupedLines(places: readonly Place[], around: Surroundings): string[] {
  const files = byFile(places, around);
  const perFile = Math.max(1, Math.floor(MOST_SOURCES / files.length));
  return files.flatMap(([name, own]) => {
    const [imports, uses] = apart(own, (place) => isImport(place, around));
    const imported = imports.length === 0 ? '' : ` import ${imports.map(at).join(', ')}`;
    const lines = places.length > MANY ? containerLines(uses, around, perFile) : placeLines(uses, around);
    return [`${name} (${own.length})${imported}`, ...lines];
  });
}

function byFile(places: readonly Place[], around: Surroundings): [string, Place[]][] {
  return [...groupBy(places, keyOf)].map(([, own]) => [own[0] ? nameOf(own[0], around) : '', own]);
}

/** The line of an import says nothing that the name and the file do not say. */
function isImport(place: Place, around: Surroundings): boolean {
  const lines = place.file && around.texts.get(place.file);
  return lines !== undefined && isInImport(lines, place.start.line);
}

function apart<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (belongs(item) ? yes : no).push(item);
  return [yes, no];
}

/** Places in tests by position only, and not more than say which tests they are. */
export function foldedTests(
  places: readonly Place[],
  around: Surroundings,
): { readonly lines: string[]; readonly isCut: boolean } {
  const files = byFile(places, around);
  const lines = files.slice(0, TEST_FILES).map(([name, own]) => {
    const more = own.length > TEST_PLACES ? `, +${own.length - TEST_PLACES} more` : '';
    return `  ${name}: ${own.slice(0, TEST_PLACES).map(at).join(', ')}${more}`;
  });
  const others = files.slice(TEST_FILES);
  if (others.length > 0)
    lines.push(
      `  +${others.reduce((sum, [, own]) => sum + own.length, 0)} in ${counted(others.length, 'more file')}`,
    );
  const isCut = others.length > 0 || files.some(([, own]) => own.length > TEST_PLACES);
  return { lines, isCut };
}

const TEST_FILES = 4;
const TEST_PLACES = 4;

/** How long a place gets when written down, generously. */
export function placeSize(place: { readonly uri: string }): number {
  return 140 + place.uri.length / 2;
}

/** From here on only the first containers of a file are shown with a source, each with one if there are many. */
const MANY = 12;
const MOST_SOURCES = 7;

/** Places of one container whose lines are the same: only those may stand beside one of them. */
interface Alike {
  readonly places: readonly Place[];
  readonly container: string;
  readonly source: string;
}

function alike(places: readonly Place[], around: Surroundings, most?: number): Alike[] {
  const described = places.map((place) => {
    const source = sourceLine(place, around, most);
    const line = (place.file && around.texts.get(place.file)?.at(place.start.line)) ?? '';
    return { place, container: containerOf(place, around) ?? '', source, line: line.trim() };
  });
  const groups = groupBy(described, ({ container, source, line }) => [container, source, line].join('\n'));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ ...first, places: own.map(({ place }) => place) }] : [];
  });
}

/** The first lines of the first containers; the others by position and container. */
function containerLines(places: readonly Place[], around: Surroundings, sources: number): string[] {
  const groups = alike(places, around, EXCERPT);
  const named = new Set<string>();
  const [firsts, further] = apart(groups, ({ container }) => {
    const isFirst = container === '' || !named.has(container);
    named.add(container);
    return isFirst;
  });
  const shown = new Set([...firsts, ...further].slice(0, sources));
  const others = groups.filter((group) => !shown.has(group));
  const also = [...groupBy(others, ({ container }) => container)].map(([container, own]) =>
    `${own.flatMap((group) => group.places.map(at)).join(', ')} ${container}`.trimEnd(),
  );
  return [
    ...groups.filter((group) => shown.has(group)).map(alikeLine),
    ...(also.length === 0 ? [] : [`  also ${also.join('; ')}`]),
  ];
}

const EXCERPT = 40;

/** Of more than two lines of a container the others follow by position. */
function placeLines(places: readonly Place[], around: Surroundings): string[] {
  return [...groupBy(alike(places, around), ({ container }) => container)].flatMap(([container, own]) => {
    const shown = own.slice(0, container === '' ? own.length : 2);
    const folded = own.slice(shown.length).flatMap((group) => group.places);
    const lines = shown.map(alikeLine);
    return folded.length === 0
      ? lines
      : [...lines, `  +${folded.length} more in ${container}: ${folded.map(at).join(', ')}`];
  });
}

function alikeLine({ places, container, source }: Alike): string {
  const within = container === '' ? '' : ` in ${container}`;
  return `  ${places.map(at).join(', ')}${within}  ${source}`.trimEnd();
}

function containerOf(place: Place, around: Surroundings): string | undefined {
  const outline = place.file && around.outlines?.get(place.file);
  return outline && containerName(outline, place.start);
}

function sourceLine(place: Place, around: Surroundings, most?: number): string {
  return excerptAt(place.file && around.texts.get(place.file), place, most);
}

function nameOf(place: Place, around: Surroundings): string {
  return place.file === undefined ? place.uri : around.roots.display(place.file);
}

function at(place: Place): string {
  return `${place.start.line}:${place.start.column}`;
}
