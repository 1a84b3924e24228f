/** Where a name stands in the text of files, and which of these places are code. */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { groupBy } from '../../../../shared/base/group-by.ts';
import { type Point, TextOffsets } from '../../../../shared/base/positions.ts';
import type { MaskedCode } from '../../../lexical/code-mask.ts';
import { occurrences, withoutMarks } from '../../../lexical/words.ts';
import { comparePoints, type Place } from '../../../places/places.ts';
import type { SourceFile } from '../../../workspace/source-files.ts';
import { codePlaces } from './code-places.ts';

export interface Occurrence {
  readonly file: AbsPath;
  readonly at: Point;
}

export interface FileOccurrences {
  readonly all: number;
  /** Not in the places that were given, in code. */
  readonly inCode: readonly Occurrence[];
  /** Not in the places that were given, in comments and strings. */
  readonly inText: readonly Occurrence[];
}

export interface OccurrenceOptions {
  /** The places of the file that were listed already. */
  readonly known: readonly Place[];
  /** What has to stand behind the others. */
  readonly behind?: RegExp | undefined;
  /** For whoever has the code of the file already. */
  masked?(): MaskedCode;
}

export function occurrencesIn(
  { path: file, text, lines }: SourceFile,
  name: string,
  family: string,
  { known, behind, masked }: OccurrenceOptions,
): FileOccurrences {
  const byLine = new Map<number, Place[]>();
  for (const place of known)
    if (place.start.line === place.end.line)
      byLine.set(place.start.line, [...(byLine.get(place.start.line) ?? []), place]);
  const isKnown = (at: Point) => byLine.get(at.line)?.some((place) => covers(place, at)) ?? false;
  const width = withoutMarks(name).length;
  const mayBe = ({ line, column }: Point) => behind?.test(lines.at(line).slice(column - 1 + width)) ?? true;
  const found = occurrences(name, lines).filter((at) => isKnown(at) || mayBe(at));
  const left = found.filter((at) => !isKnown(at));
  if (left.length === 0) return { all: found.length, inCode: [], inText: [] };
  const isCode = codePlaces(text, family, masked?.());
  const offsets = new TextOffsets(text);
  const offsetOf = ({ line, column }: Point) =>
    offsets.offsetOf({ line: line - 1, character: column - 1 }, 'utf-16');
  const byKind = groupBy(left, (at) => isCode(offsetOf(at)));
  const of = (kind: boolean) => (byKind.get(kind) ?? []).map((at) => ({ file, at }));
  return { all: found.length, inCode: of(true), inText: of(false) };
}

/** Servers give marks and quotes of a name to it, or not. */
function covers({ start, end }: Place, at: Point): boolean {
  return comparePoints(start, at) <= 0 && comparePoints(at, end) < 0;
}

/** The place of a name that begins there. */
export function placeOf(
  { file, at }: Occurrence,
  uri: string,
  name: string,
): Place & { readonly file: AbsPath } {
  const end = { line: at.line, column: at.column + withoutMarks(name).length };
  return { uri, file, start: at, end };
}
