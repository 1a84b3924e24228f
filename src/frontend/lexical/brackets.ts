/**
 * Pairs brackets in masked code. A bracket that does not pair up has no partner, and callers refuse to edit instead
 * of guessing.
 */

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The bracket that closes the one at the offset. */
export function closingOf(code: string, open: number, end = code.length): number | undefined {
  const expected: string[] = [];
  for (let at = open; at < end; at++) {
    const character = code[at] ?? '';
    const closing = CLOSING[character];
    if (closing !== undefined) expected.push(closing);
    else if (')]}'.includes(character)) {
      if (expected.pop() !== character) return undefined;
      if (expected.length === 0) return at;
    }
  }
  return undefined;
}

/** The first bracket or comma-like mistake in a text, undefined when all pair up. */
export function unpaired(code: string): string | undefined {
  const open: string[] = [];
  for (const character of code) {
    if (CLOSING[character] !== undefined) open.push(character);
    else if (')]}'.includes(character)) {
      const partner = open.pop();
      if (partner === undefined || CLOSING[partner] !== character) return character;
    }
  }
  return open.at(-1);
}

export interface Group {
  readonly open: number;
  readonly close: number;
}

export interface TopLevel {
  /** The code with every group as its two brackets and blanks between them; as long as it was. */
  readonly flat: string;
  readonly groups: readonly Group[];
}

/** What stands in a part of the code outside of its brackets; undefined when these do not pair up. */
export function topLevel(code: string, from: number, to: number): TopLevel | undefined {
  const groups: Group[] = [];
  let flat = '';
  for (let at = from; at < to; at++) {
    const character = code[at] ?? '';
    if (')]}'.includes(character)) return undefined;
    flat += character;
    if (CLOSING[character] === undefined) continue;
    const close = closingOf(code, at, to);
    if (close === undefined) return undefined;
    groups.push({ open: at, close });
    flat += `${' '.repeat(close - at - 1)}${code[close] ?? ''}`;
    at = close;
  }
  return { flat, groups };
}
