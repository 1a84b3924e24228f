/** Places as lines: flat for a few definitions, grouped by file for references. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { TextLines } from '../../shared/base/positions.ts';
import { groupBy } from '../group-by.ts';
import { isInImport } from '../import-lines.ts';
import { declarationAround } from '../outline-listing.ts';
import { keyOf, type Place } from '../places.ts';
import type { Roots } from '../roots.ts';
import type { SymbolNode } from '../symbol-tree.ts';
import { oneLine } from './budget.ts';

export interface Surroundings {
  readonly roots: Roots;
  readonly texts: ReadonlyMap<AbsPath, TextLines>;
  /** Symbols of files, where they were asked for: they give each place the name of what it is in. */
  readonly trees?: ReadonlyMap<AbsPath, readonly SymbolNode[]>;
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
      `  +${others.reduce((sum, [, own]) => sum + own.length, 0)} in ${others.length} more ${others.length === 1 ? 'file' : 'files'}`,
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

/** From here on a container is said once, and only the first containers of a file with a source. */
const MANY = 12;
const MOST_SOURCES = 8;

function containerLines(places: readonly Place[], around: Surroundings, sources: number): string[] {
  const containers = new Map(places.map((place) => [place, containerOf(place, around)]));
  const groups = groupBy(places, (place) => containers.get(place) ?? sourceLine(place, around));
  const described = [...groups.values()].flatMap((own) => {
    const [first] = own;
    return first ? [{ first, ats: own.map(at).join(', '), container: containers.get(first) ?? '' }] : [];
  });
  const also = described.slice(sources).map(({ ats, container }) => `${ats} ${container}`.trimEnd());
  return [
    ...described.slice(0, sources).map(({ first, ats, container }) => {
      const within = container === '' ? '' : ` in ${container}`;
      return `  ${ats}${within}  ${excerpt(first, around)}`.trimEnd();
    }),
    ...(also.length === 0 ? [] : [`  also ${also.join('; ')}`]),
  ];
}

/** A short piece of the line, with the use in it. */
function excerpt(place: Place, around: Surroundings): string {
  const line = (place.file && around.texts.get(place.file)?.at(place.start.line)) ?? '';
  const indent = line.length - line.trimStart().length;
  if (place.start.line === place.end.line && place.end.column - indent <= EXCERPT)
    return oneLine(line, EXCERPT);
  const from = Math.max(indent, place.start.column - EXCERPT / 2);
  const isMidWord = /^\w\w/.test(line.slice(from - 1, from + 1));
  return `…${oneLine(line.slice(from).replace(isMidWord ? /^\w+/ : '', ''), EXCERPT - 1)}`;
}

const EXCERPT = 40;

/** Places of one container with the same source share a line; of more than two such lines the others follow by position. */
function placeLines(places: readonly Place[], around: Surroundings): string[] {
  const containers = groupBy(places, (place) => containerOf(place, around) ?? '');
  return [...containers].flatMap(([container, own]) => {
    const within = container === '' ? '' : ` in ${container}`;
    const bySource = [...groupBy(own, (place) => sourceLine(place, around))];
    const shown = bySource.slice(0, container === '' ? bySource.length : 2);
    const lines = shown.map(([source, same]) => `  ${same.map(at).join(', ')}${within}  ${source}`.trimEnd());
    const folded = bySource.slice(shown.length).flatMap(([, same]) => same);
    return folded.length === 0
      ? lines
      : [...lines, `  +${folded.length} more${within}: ${folded.map(at).join(', ')}`];
  });
}

function containerOf(place: Place, around: Surroundings): string | undefined {
  const tree = place.file && around.trees?.get(place.file);
  return tree && declarationAround(tree, place.start)?.path.slice(-2).join('.');
}

function sourceLine(place: Place, around: Surroundings): string {
  return oneLine((place.file && around.texts.get(place.file)?.at(place.start.line)) ?? '');
}

function nameOf(place: Place, around: Surroundings): string {
  return place.file === undefined ? place.uri : around.roots.display(place.file);
}

function at(place: Place): string {
  return `${place.start.line}:${place.start.column}`;
}
