/** Blocks such as Rust's `impl Trait for Type`: there, and not in its declaration, stands what a type inherits. */
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import { comparePoints } from '../places/places.ts';

export interface Implementation {
  readonly trait: Point;
  readonly type: Point;
}

const MOST_LINES = 6;
/** The block in whose head the place is the name of the trait or of the type. */
export function implementationAround(
  lines: TextLines,
  place: Point,
  language: string,
): Implementation | undefined {
  const { implementations: look } = languageFacts(language).text;
  if (!look) return undefined;
  for (let line = place.line; line > Math.max(0, place.line - MOST_LINES); line--) {
    if (!look.head.test(lines.at(line))) continue;
    const rows = Array.from({ length: MOST_LINES }, (_, index) => lines.at(line + index));
    const groups = look.names.exec(rows.join('\n').split('{')[0] ?? '')?.indices?.groups;
    if (!groups?.trait || !groups.type) return undefined;
    const found = { trait: pointAt(rows, line, groups.trait[0]), type: pointAt(rows, line, groups.type[0]) };
    return [found.trait, found.type].some((at) => comparePoints(at, place) === 0) ? found : undefined;
  }
  return undefined;
}

function pointAt(rows: readonly string[], firstLine: number, offset: number): Point {
  const before = rows.join('\n').slice(0, offset).split('\n');
  return { line: firstLine + before.length - 1, column: (before.at(-1) ?? '').length + 1 };
}
