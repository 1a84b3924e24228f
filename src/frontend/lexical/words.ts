/**
 * Names on a line of source, read from the text alone: enough to find the name when an agent's column is missing or a
 * little off.
 */
import type { Point, TextLines } from '../../shared/base/positions.ts';

export interface Word {
  readonly text: string;
  /** 1-based, UTF-16. */
  readonly column: number;
}

const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*/gu;
const NEAR = 3;

export function wordsOf(line: string): readonly Word[] {
  return [...line.matchAll(WORD)].map((match) => ({ text: match[0], column: match.index + 1 }));
}

/** The word that the column is in or directly behind. */
export function wordAt(line: string, column: number): Word | undefined {
  const words = wordsOf(line);
  return (
    words.find((word) => column >= word.column && column < endOf(word)) ??
    words.find((word) => column === endOf(word))
  );
}

/** The word at the column, else the nearest one a few columns away. */
export function wordNear(line: string, column: number): Word | undefined {
  const distance = (word: Word) => (column < word.column ? word.column - column : column - endOf(word));
  const near = wordsOf(line).filter((word) => distance(word) <= NEAR);
  // The mark of a private name belongs to the name behind it.
  const marked = line[column - 1] === '#' ? wordAt(line, column + 1) : undefined;
  return marked ?? wordAt(line, column) ?? near.sort((a, b) => distance(a) - distance(b))[0];
}

/** `#field` as it stands among words. */
export function withoutMarks(marked: string): string {
  return marked.replace(/^[^\p{ID_Start}_$]+/u, '');
}

/** Where a name stands as a whole word, in file order, from a line on. Marks before it (`#field`) do not count. */
export function occurrences(marked: string, lines: TextLines, from = 1, to = lines.count): Point[] {
  const name = withoutMarks(marked);
  const found: Point[] = [];
  if (wordsOf(name)[0]?.text !== name) return found;
  for (let line = from; line <= Math.min(to, lines.count); line++) {
    const text = lines.at(line);
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
      if (isWord(text, at, at + name.length)) found.push({ line, column: at + 1 });
  }
  return found;
}

/** Whether these letters are a word by themselves. Lines are long and names frequent, so that all its words are found only in doubt. */
function isWord(text: string, start: number, end: number): boolean {
  const [before, after] = [text.charCodeAt(start - 1), text.charCodeAt(end)];
  if (isWordCharacter(after) || (isWordCharacter(before) && !isDigit(before))) return false;
  // A number may end before it, and of other alphabets the pattern knows.
  if (!isDigit(before) && !(before > LAST_OF_ASCII) && !(after > LAST_OF_ASCII)) return true;
  return wordsOf(text).some(({ column, text: word }) => column === start + 1 && word.length === end - start);
}

const LAST_OF_ASCII = 0x7f;

/** Of ASCII. */
function isWordCharacter(code: number): boolean {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || isDigit(code) || code === 0x5f || code === 0x24;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOf(word: Word): number {
  return word.column + word.text.length;
}
