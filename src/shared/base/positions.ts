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

/** Splits at LF, CRLF and lone CR, as the protocol does; when a line is asked for, because most texts are only searched. */
export class TextLines {
  readonly #text: string;
  #split: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** The text of a 1-based line without its line end; empty past the end. */
  at(line: number): string {
    return this.#lines[line - 1] ?? '';
  }

  get #lines(): readonly string[] {
    this.#split ??= this.#text.split(this.#text.includes('\r') ? /\r\n|\n|\r/ : '\n');
    return this.#split;
  }
}

/**
 * Where each line of a text begins and ends, so that positions become offsets. As the protocol says, a character past
 * the end of its line means that end, and a line past the last one the end of the text.
 */
export class TextOffsets {
  readonly #text: string;
  readonly #starts = [0];
  readonly #ends: number[] = [];

  constructor(text: string) {
    this.#text = text;
    if (text.includes('\r')) this.#findMixed();
    else this.#findFeeds();
    this.#ends.push(text.length);
  }

  offsetOf({ line, character }: Position, encoding: Encoding): number {
    const start = this.#starts[line];
    const end = this.#ends[line];
    if (start === undefined || end === undefined) return this.#text.length;
    if (encoding !== 'utf-16')
      return start + unitsFor(this.#text.slice(start, end), Math.max(character, 0), encoding);
    const offset = Math.min(start + Math.max(character, 0), end);
    return this.#isInsidePair(offset) ? offset + 1 : offset;
  }

  pointAt(offset: number): Point {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** Ten times as fast, and a rename asks for it in hundreds of files. */
  #findFeeds(): void {
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) {
      this.#ends.push(at);
      this.#starts.push(at + 1);
    }
  }

  #findMixed(): void {
    for (const { 0: lineEnd, index } of this.#text.matchAll(/\r\n|\n|\r/g)) {
      this.#ends.push(index);
      this.#starts.push(index + lineEnd.length);
    }
  }

  /** Half of a pair is no character, and would not survive being written. */
  #isInsidePair(offset: number): boolean {
    return /^[\ud800-\udbff][\udc00-\udfff]$/.test(this.#text.slice(offset - 1, offset + 1)) && offset > 0;
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
