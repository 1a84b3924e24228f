/**
 * Public positions are 1-based lines and 1-based UTF-16 columns, in and out.
 * Servers count from 0 in the encoding they negotiated; this file is the only one that converts.
 */
import type { Position } from 'vscode-languageserver-protocol';

export type Encoding = 'utf-8' | 'utf-16' | 'utf-32';

/** A place as agents see it: both numbers start at 1, the column counts UTF-16 units. */
export interface Point {
  readonly line: number;
  readonly column: number;
}

/** Splits at LF, CRLF and lone CR, as the protocol does. */
export class TextLines {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\n|\r/);
  }

  get count(): number {
    return this.#lines.length;
  }

  /** The text of a 1-based line without its line end; empty past the end. */
  at(line: number): string {
    return this.#lines[line - 1] ?? '';
  }
}

/** A point in the server's terms. The column may be one past the end of the line. */
export function toServerPosition(point: Point, lines: TextLines, encoding: Encoding): Position {
  const units = point.column - 1;
  const character = encoding === 'utf-16' ? units : measure(lines.at(point.line).slice(0, units), encoding);
  return { line: point.line - 1, character };
}

/** A server's position as a public point. In UTF-16 the text is not needed and not looked at. */
export function toPoint(position: Position, lines: () => TextLines, encoding: Encoding): Point {
  if (encoding === 'utf-16') return { line: position.line + 1, column: position.character + 1 };
  const text = lines().at(position.line + 1);
  return { line: position.line + 1, column: unitsFor(text, position.character, encoding) + 1 };
}

function measure(text: string, encoding: Exclude<Encoding, 'utf-16'>): number {
  return encoding === 'utf-8' ? Buffer.byteLength(text) : [...text].length;
}

/** How many UTF-16 units of `text` lie before `offset` counted in the other encoding. */
function unitsFor(text: string, offset: number, encoding: Exclude<Encoding, 'utf-16'>): number {
  let seen = 0;
  let units = 0;
  for (const character of text) {
    if (seen >= offset) break;
    seen += measure(character, encoding);
    units += character.length;
  }
  return units;
}
