/**
 * Which files mention which words, kept between questions: reading thousands of files for each would take longer than
 * the server's answer. Every word is kept once, and of each file only the numbers of its words.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import type { AbsPath } from '../base/brand.ts';
import { textOrNothing } from './read-text.ts';

/** Larger files are not written by hand, and cost more than they tell. */
const LARGEST = 2 * 1024 * 1024;
const NONE = new Uint32Array();

/** Statements that import, and lines that load a module in the middle of code; examples in comments are neither. */
const IMPORTS =
  /^[ \t]*(?:import|export)\b[^;'"]*['"][^'"\n]+['"]|^(?![ \t]*(?:\*|\/\/)).*\b(?:require|import)\s*\(\s*['"][^'"\n]+['"]/gm;

interface Entry {
  readonly stamp: string;
  readonly words: Uint32Array;
  imports?: string;
}

export class MentionIndex {
  readonly #numbers = new Map<string, number>();
  readonly #files = new Map<AbsPath, Entry>();

  clear(): void {
    this.#files.clear();
    this.#numbers.clear();
  }

  /** The file is not what it was. */
  forget(file: AbsPath): void {
    this.#files.delete(file);
  }

  /** The numbers of words that pass: to be found in files with `mentions`. */
  wordsThat(test: (word: string) => boolean): ReadonlySet<number> {
    const found = new Set<number>();
    for (const [word, number] of this.#numbers) if (test(word)) found.add(number);
    return found;
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word);
  }

  /** Reads the file if it is not known; with `verify` also if it has changed since. False when it cannot be read. */
  learn(file: AbsPath, verify: boolean): boolean {
    const known = this.#files.get(file);
    if (known && !verify) return true;
    const stat = statSync(file, { throwIfNoEntry: false });
    const stamp = stat ? stampOf(stat) : '';
    if (known?.stamp === stamp) return true;
    this.#files.set(file, { stamp, words: stat && stat.size <= LARGEST ? this.#wordsOf(file) : NONE });
    return stat !== undefined;
  }

  mentions(file: AbsPath, word: number): boolean {
    return holds(this.#files.get(file)?.words ?? NONE, word);
  }

  mentionsAny(file: AbsPath, words: ReadonlySet<number>): boolean {
    return this.#files.get(file)?.words.some((each) => words.has(each)) ?? false;
  }

  /** The statements by which a known file imports others, read once for each of its texts. */
  importsIn(file: AbsPath): string {
    const known = this.#files.get(file);
    if (!known) return '';
    known.imports ??= (textOrNothing(file).match(IMPORTS) ?? []).join('\n');
    return known.imports;
  }

  #wordsOf(file: AbsPath): Uint32Array {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      return NONE;
    }
    if (text.includes('\0')) return NONE;
    const found = new Set<number>();
    for (let at = 0; at < text.length; ) {
      if (!isPartOfWord(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const start = at;
      while (at < text.length && isPartOfWord(text.charCodeAt(at))) at++;
      found.add(this.#number(text.slice(start, at)));
    }
    return Uint32Array.from(found).sort();
  }

  #number(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A slice keeps the whole text alive.
    this.#numbers.set(Buffer.from(word).toString(), number);
    return number;
  }
}

/** Letters, digits, `_` and `$`; whatever is not ASCII counts as a letter, so that no name is cut. */
function isPartOfWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}

function holds(sorted: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

function stampOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
