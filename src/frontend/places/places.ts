/** Locations as servers return them, in any of their shapes, made into sorted places with public positions. */
import type { Location, LocationLink, Position, Range } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { uriToPath } from '../../shared/base/paths.ts';
import { type Encoding, type Point, TextLines, toPoint } from '../../shared/base/positions.ts';
import type { SourceFiles } from '../workspace/source-files.ts';

export interface Place {
  readonly uri: string;
  /** Undefined for what is no file on this disk, such as sources inside an archive. */
  readonly file: AbsPath | undefined;
  readonly start: Point;
  readonly end: Point;
}

export type LocationResult = Location | readonly Location[] | readonly LocationLink[] | null | undefined;

/** A place as the server counts; only what is shown is worth reading its file for. */
export interface ServerPlace {
  readonly uri: string;
  readonly file: AbsPath | undefined;
  readonly range: Range;
}

/** Duplicates removed, sorted by file and position. */
export async function placesOf(
  result: LocationResult,
  files: SourceFiles,
  encoding: Encoding,
): Promise<readonly Place[]> {
  return toPlaces(serverPlaces(result), files, encoding);
}

/** The same without public positions: order and duplicates are the same in every encoding. */
export function serverPlaces(result: LocationResult): readonly ServerPlace[] {
  const byFile = new Map<string, ServerPlace[]>();
  const known = new Map<string, { file: AbsPath | undefined; own: ServerPlace[] }>();
  for (const { uri, range } of listed(result)) {
    let entry = known.get(uri);
    if (!entry) {
      const file = uriToPath(uri);
      const own = byFile.get(file ?? uri) ?? [];
      byFile.set(file ?? uri, own);
      entry = { file, own };
      known.set(uri, entry);
    }
    entry.own.push({ uri, file: entry.file, range });
  }
  const names = [...byFile.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.flatMap((name) => inOrder(byFile.get(name) ?? []));
}

function inOrder(own: ServerPlace[]): readonly ServerPlace[] {
  if (own.length < 2) return own;
  own.sort((a, b) => comparePositions(a.range.start, b.range.start));
  return own.filter((place, index) => {
    const before = own[index - 1];
    return !before || comparePositions(before.range.start, place.range.start) !== 0;
  });
}

/** Reads the files of these places, unless the server counts as we do. */
export async function toPlaces(
  found: readonly ServerPlace[],
  files: SourceFiles,
  encoding: Encoding,
): Promise<readonly Place[]> {
  const place = await placeMaker(
    found.map(({ uri }) => uri),
    files,
    encoding,
  );
  return found.map(({ uri, range }) => place(uri, range));
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

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
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

/** The same for places with the same beginning, as the server counts. */
export function startOf({ uri, range: { start } }: Pick<ServerPlace, 'uri' | 'range'>): string {
  return `${uri} ${start.line}:${start.character}`;
}

/** Two places with the same key begin at the same character. */
export function placeKey(place: Place): string {
  return `${keyOf(place)}\n${place.start.line}:${place.start.column}`;
}

/** Its file, or the address of what is no file. */
export function keyOf(place: Place): string {
  return place.file ?? place.uri;
}
