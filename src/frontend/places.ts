/** Locations as servers return them, in any of their shapes, made into sorted places with public positions. */
import type { Location, LocationLink, Range } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../shared/base/brand.ts';
import { uriToPath } from '../shared/base/paths.ts';
import { type Encoding, type Point, TextLines, toPoint } from '../shared/base/positions.ts';
import type { SourceFiles } from './source-files.ts';

export interface Place {
  readonly uri: string;
  /** Undefined for what is no file on this disk, such as sources inside an archive. */
  readonly file: AbsPath | undefined;
  readonly start: Point;
  readonly end: Point;
}

export type LocationResult = Location | readonly Location[] | readonly LocationLink[] | null | undefined;

/** Duplicates removed, sorted by file and position. */
export async function placesOf(
  result: LocationResult,
  files: SourceFiles,
  encoding: Encoding,
): Promise<readonly Place[]> {
  const found = listed(result);
  const place = await placeMaker(
    found.map(({ uri }) => uri),
    files,
    encoding,
  );
  const places = found.map(({ uri, range }) => place(uri, range));
  return withoutDuplicates(places).sort(byPlace);
}

/** Makes places of ranges in these files, whose text is needed only where the server does not count in UTF-16. */
export async function placeMaker(
  uris: Iterable<string>,
  files: SourceFiles,
  encoding: Encoding,
): Promise<(uri: string, range: Range) => Place> {
  const texts =
    encoding === 'utf-16'
      ? new Map<AbsPath, TextLines>()
      : await files.readAll([...uris].flatMap((uri) => uriToPath(uri) ?? []));
  return (uri, range) => {
    const file = uriToPath(uri);
    const lines = () => (file && texts.get(file)) ?? new TextLines('');
    return {
      uri,
      file,
      start: toPoint(range.start, lines, encoding),
      end: toPoint(range.end, lines, encoding),
    };
  };
}

export function byPlace(a: Place, b: Place): number {
  const [first, second] = [keyOf(a), keyOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return comparePoints(a.start, b.start);
}

export function comparePoints(a: Point, b: Point): number {
  return a.line - b.line || a.column - b.column;
}

/** The shape of a place in JSON answers. */
export interface PlaceData {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

export function placeData(place: Place): PlaceData {
  return {
    file: keyOf(place),
    line: place.start.line,
    column: place.start.column,
    end_line: place.end.line,
    end_column: place.end.column,
  };
}

function listed(result: LocationResult): { uri: string; range: Range }[] {
  if (!result) return [];
  const all: readonly (Location | LocationLink)[] = 'uri' in result ? [result] : result;
  return all.map((one) =>
    'targetUri' in one
      ? { uri: one.targetUri, range: one.targetSelectionRange }
      : { uri: one.uri, range: one.range },
  );
}

function withoutDuplicates(places: readonly Place[]): Place[] {
  const seen = new Map(places.map((place) => [placeKey(place), place] as const));
  return [...seen.values()];
}

/** Two places with the same key begin at the same character. */
export function placeKey(place: Place): string {
  return `${keyOf(place)}\n${place.start.line}:${place.start.column}`;
}

/** Its file, or the address of what is no file. */
export function keyOf(place: Place): string {
  return place.file ?? place.uri;
}
