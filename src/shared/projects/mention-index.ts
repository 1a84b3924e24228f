/**
 * Which files mention which words, kept between questions: reading thousands of files for each would take longer than
 * the server's answer. Every word is kept once, and of each file only the numbers of its words.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import type { AbsPath } from '../base/brand.ts';
import { textOrNothing } from '../base/read-text.ts';
import { MAX_TEXT_BYTES } from '../base/text-file.ts';
import type { DeclaredName } from '../link/reach-question.ts';
import { declaredNames } from './declared-names.ts';
import { isNotebook, notebookCode } from './notebook-code.ts';

/** Larger files are hardly written by hand: their words are not kept, but looked for whenever a name is asked for. */
const LARGEST_KEPT = 2 * 1024 * 1024;
const NONE: Words = { words: new Uint32Array(), counts: new Uint32Array() };

/** Statements that import, and lines that load a module in the middle of code; examples in comments are neither. */
const IMPORTS =
  /^[ \t]*(?:import|export)\b[^;'"]*['"][^'"\n]+['"]|^(?![ \t]*(?:\*|\/\/)).*\b(?:require|import)\s*\(\s*['"][^'"\n]+['"]/gm;

interface Words {
  /** Sorted. */
  readonly words: Uint32Array;
  /** How often each of them stands in the file. */
  readonly counts: Uint32Array;
}

interface Entry extends Words {
  readonly stamp: string;
  /** What of it is known. */
  readonly kind: 'kept' | 'large' | 'unread';
  /** Of a large file: what it was looked through for last, since a question asks for its name several times. */
  looked?: { readonly word: string; readonly count: number | undefined };
  imports?: string;
  /** Of each line that looks like a declaration: the number of its word, the line, and a number that overloads share. */
  declared?: Uint32Array;
}

export class MentionIndex {
  readonly #numbers = new Map<string, number>();
  /** By their numbers. */
  readonly #words: string[] = [];
  readonly #files = new Map<AbsPath, Entry>();

  clear(): void {
    this.#files.clear();
    this.#numbers.clear();
    this.#words.length = 0;
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
    const isLarge = stat !== undefined && stat.size > LARGEST_KEPT && !isNotebook(file);
    const text = stat === undefined ? EMPTY : isLarge ? undefined : readText(file);
    const kind = text ? 'kept' : isLarge ? 'large' : 'unread';
    this.#files.set(file, { stamp, kind, ...(text ? this.#wordsOf(text) : NONE) });
    return stat !== undefined;
  }

  mentions(file: AbsPath, word: number): boolean {
    const known = this.#files.get(file);
    if (known?.kind === 'large') return (lookThrough(file, known, this.#words[word] ?? '') ?? 0) > 0;
    return indexIn(known?.words ?? NONE.words, word) >= 0;
  }

  /**
   * How often the word stands in the file, which is looked through for it alone if its words are not kept: that takes a
   * tenth of the time that learning them takes. Undefined when it cannot be read: it is larger than any text, or not for
   * this user.
   */
  countIn(file: AbsPath, word: string, verify: boolean): number | undefined {
    if (verify) this.#forgetChanged(file);
    const known = this.#files.get(file);
    if (known?.kind === 'kept') {
      const number = this.#numbers.get(word);
      return number === undefined ? 0 : (known.counts[indexIn(known.words, number)] ?? 0);
    }
    return known?.kind === 'large' ? lookThrough(file, known, word) : countInFile(file, word);
  }

  #forgetChanged(file: AbsPath): void {
    const known = this.#files.get(file);
    const stat = known && statSync(file, { throwIfNoEntry: false });
    if (known && known.stamp !== (stat ? stampOf(stat) : '')) this.#files.delete(file);
  }

  /** Of a large file it is not known. */
  mentionsAny(file: AbsPath, words: ReadonlySet<number>): boolean {
    const known = this.#files.get(file);
    return known?.kind === 'large' || (known?.words.some((each) => words.has(each)) ?? false);
  }

  /** The statements by which a known file imports others, read once for each of its texts. */
  importsIn(file: AbsPath): string {
    const known = this.#files.get(file);
    if (!known) return '';
    known.imports ??= (textOrNothing(file).match(IMPORTS) ?? []).join('\n');
    return known.imports;
  }

  /** Which of these words a known file looks like declaring, and where. */
  declarationsIn(file: AbsPath, words: ReadonlySet<number>): readonly DeclaredName[] {
    const declared = this.#declaredIn(file);
    const groups = new Map<number, { name: string; lines: number[] }>();
    for (let at = 0; at < declared.length; at += 3) {
      const word = declared[at] ?? 0;
      if (!words.has(word)) continue;
      const group = declared[at + 2] ?? 0;
      const found = groups.get(group) ?? { name: this.#words[word] ?? '', lines: [] };
      found.lines.push(declared[at + 1] ?? 0);
      groups.set(group, found);
    }
    return [...groups.values()];
  }

  /** Read once for each text of the file. */
  #declaredIn(file: AbsPath): Uint32Array {
    const known = this.#files.get(file);
    if (!known) return NONE.words;
    known.declared ??= Uint32Array.from(
      declaredNames(readText(file)?.toString('utf8') ?? '').flatMap(({ name, lines }, group) => {
        const word = this.#number(name);
        return lines.flatMap((line) => [word, line, group]);
      }),
    );
    return known.declared;
  }

  #wordsOf(bytes: Buffer): Words {
    const text = bytes.toString('utf8');
    const found = new Map<number, number>();
    for (let at = 0; at < text.length; ) {
      if (!isPartOfWord(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const start = at;
      while (at < text.length && isPartOfWord(text.charCodeAt(at))) at++;
      const number = this.#number(text.slice(start, at));
      found.set(number, (found.get(number) ?? 0) + 1);
    }
    const words = Uint32Array.from(found.keys()).sort();
    return { words, counts: words.map((word) => found.get(word) ?? 0) };
  }

  #number(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A slice keeps the whole text alive.
    const own = Buffer.from(word).toString();
    this.#numbers.set(own, number);
    this.#words.push(own);
    return number;
  }
}

/** Undefined when it cannot be read. */
function lookThrough(file: AbsPath, entry: Entry, word: string): number | undefined {
  if (entry.looked?.word !== word) entry.looked = { word, count: countInFile(file, word) };
  return entry.looked.count;
}

function countInFile(file: AbsPath, word: string): number | undefined {
  const text = readText(file);
  return text && countInText(text, word);
}

const EMPTY = Buffer.alloc(0);

/** Undefined for what is too large or cannot be read; what is no text or gone meanwhile has no words. */
function readText(file: AbsPath): Buffer | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return EMPTY;
    if (stat.size > MAX_TEXT_BYTES) return undefined;
    const bytes = readFileSync(file);
    if (bytes.includes(0)) return EMPTY;
    return isNotebook(file) ? Buffer.from(notebookCode(bytes.toString('utf8'))) : bytes;
  } catch {
    return undefined;
  }
}

/** Most files have not even the letters, and need not be decoded. A name that is all marks is no word anywhere. */
function countInText(bytes: Buffer, word: string): number {
  if (word === '' || !bytes.includes(word)) return 0;
  const text = bytes.toString('utf8');
  let count = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!isPartOfWord(text.charCodeAt(at - 1)) && !isPartOfWord(text.charCodeAt(at + word.length))) count++;
  return count;
}

/** Letters, digits, `_` and `$`. */
function isPartOfWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    (code > 127 && isForeignLetter(code))
  );
}

/** Halves of letters beyond the first plane count as letters, so that no name is cut. */
function isForeignLetter(code: number): boolean {
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return /[\p{ID_Continue}\u200c\u200d]/u.test(String.fromCharCode(code));
}

/** -1 when it is not there. */
function indexIn(sorted: Uint32Array, wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function stampOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}
