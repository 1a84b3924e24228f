/**
 * The text of source files as the front end needs it: to turn columns into server positions and to show lines.
 * A file is read again whenever its time or size changed, so a line that is shown is a line that is there.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { FailureError, fail } from '../../shared/base/failure.ts';
import { TextLines } from '../../shared/base/positions.ts';
import { type FileStamp, readTextFile, textStamp } from '../../shared/base/text-file.ts';

export interface SourceFile {
  readonly path: AbsPath;
  readonly text: string;
  readonly lines: TextLines;
}

/** What follows from a text alone, in a language. */
type FromText<T> = (text: string, family: string) => T;

const MAX_LENGTH = 2 * 1024 * 1024;

/** What is kept of what was read. */
export interface SourceBounds {
  readonly files: number;
  readonly characters: number;
}

const OF_ONE_SESSION: SourceBounds = { files: 100, characters: Number.POSITIVE_INFINITY };
/**
 * Where sessions share what they read: questions of many of them are about more files than those of one, and the same
 * file is not kept as often as there are sessions.
 * Decision: docs/decisions/http.md#sessions-share-what-they-read
 */
export const OF_MANY_SESSIONS: SourceBounds = { files: 2_000, characters: 16 * 1024 * 1024 };

interface Cached {
  /** Taken before the text was read. */
  readonly stamp: FileStamp;
  readonly source: SourceFile;
}

export class SourceFiles {
  readonly #bounds: SourceBounds;
  /** The one that was wanted last at the end. */
  readonly #cache = new Map<AbsPath, Cached>();
  readonly #derived = new WeakMap<SourceFile, Map<FromText<unknown>, Map<string, unknown>>>();
  #characters = 0;

  constructor(bounds: SourceBounds = OF_ONE_SESSION) {
    this.#bounds = bounds;
  }

  /** Fails with what the path is instead: missing, a directory, binary, too large or unreadable. */
  async read(file: AbsPath): Promise<SourceFile> {
    const known = this.#known(file);
    if (known) return known;
    const { text, stamp } = await readTextFile(file);
    if (text.length > MAX_LENGTH) fail({ kind: 'not-a-text-file', path: file, reason: 'too-large' });
    const source = { path: file, text, lines: new TextLines(text) };
    this.#forget(file);
    this.#keep(file, { stamp, source });
    this.#makeRoom();
    return source;
  }

  /** Worked out once for as long as the text is kept. */
  derived<T>(derive: FromText<T>, source: SourceFile, family: string): T {
    const ofSource = this.#derived.get(source) ?? new Map<FromText<unknown>, Map<string, unknown>>();
    this.#derived.set(source, ofSource);
    const byFamily = ofSource.get(derive) ?? new Map<string, unknown>();
    ofSource.set(derive, byFamily);
    if (!byFamily.has(family)) byFamily.set(family, derive(source.text, family));
    return byFamily.get(family) as T;
  }

  /** For showing places: files that cannot be read are left out, and their lines are not shown. */
  async readAll(files: Iterable<AbsPath>): Promise<ReadonlyMap<AbsPath, TextLines>> {
    const found = new Map<AbsPath, TextLines>();
    const unread: AbsPath[] = [];
    for (const file of new Set(files)) {
      // Most files of an answer were in the one before.
      const known = this.#known(file);
      if (known) found.set(file, known.lines);
      else unread.push(file);
    }
    await Promise.all(
      unread.map(async (file) => {
        const lines = await this.#linesOrNothing(file);
        if (lines) found.set(file, lines);
      }),
    );
    return found;
  }

  async #linesOrNothing(file: AbsPath): Promise<TextLines | undefined> {
    try {
      return (await this.read(file)).lines;
    } catch (error) {
      if (error instanceof FailureError) return undefined;
      throw error;
    }
  }

  /** What was read before, if the file is still the same. Of one that is gone, reading says what is wrong. */
  #known(file: AbsPath): SourceFile | undefined {
    const cached = this.#cache.get(file);
    if (!cached?.stamp.settled || stampOf(file) !== cached.stamp.key) return undefined;
    this.#forget(file);
    this.#keep(file, cached);
    return cached.source;
  }

  #keep(file: AbsPath, entry: Cached): void {
    this.#cache.set(file, entry);
    this.#characters += entry.source.text.length;
  }

  #forget(file: AbsPath): void {
    this.#characters -= this.#cache.get(file)?.source.text.length ?? 0;
    this.#cache.delete(file);
  }

  #makeRoom(): void {
    const { files, characters } = this.#bounds;
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= files && this.#characters <= characters) return;
      this.#forget(oldest);
    }
  }
}

/** Of one that is gone there is none. */
function stampOf(file: AbsPath): string | undefined {
  try {
    return textStamp(file).key;
  } catch {
    return undefined;
  }
}
