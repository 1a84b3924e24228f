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

const MAX_LENGTH = 2 * 1024 * 1024;
const MAX_CACHED = 100;

interface Cached {
  /** Taken before the text was read. */
  readonly stamp: FileStamp;
  readonly source: SourceFile;
}

export class SourceFiles {
  readonly #cache = new Map<AbsPath, Cached>();

  /** Fails with what the path is instead: missing, a directory, binary, too large or unreadable. */
  async read(file: AbsPath): Promise<SourceFile> {
    const known = this.#known(file);
    if (known) return known;
    const { text, stamp } = await readTextFile(file);
    if (text.length > MAX_LENGTH) fail({ kind: 'not-a-text-file', path: file, reason: 'too-large' });
    const source = { path: file, text, lines: new TextLines(text) };
    this.#keep(file, { stamp, source });
    return source;
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
    try {
      return cached?.stamp.settled && textStamp(file).key === cached.stamp.key ? cached.source : undefined;
    } catch {
      return undefined;
    }
  }

  #keep(file: AbsPath, entry: Cached): void {
    this.#cache.delete(file);
    this.#cache.set(file, entry);
    const oldest = this.#cache.keys().next().value;
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
  }
}
