/**
 * Some servers learn of a created or deleted file at once but update their list of files only some time later, and
 * until then leave the file out of answers across files. Such a server writes a line to its log when it has updated
 * the list.
 */
import type { Clock } from '../../base/lifetime.ts';
import { withTimeout } from '../../base/lifetime.ts';
import type { Log } from '../../base/log.ts';

export interface FileListDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Settles when the server has read everything that was sent before. */
  barrier(): Promise<unknown>;
}

interface News {
  /** Lines before this belong to an earlier change. */
  read: boolean;
  readonly taken: Promise<void>;
  take(): void;
}

/** Files that its settings exclude make it say nothing. */
const MOST_MS = 2_000;

export class FileListNews {
  readonly #pattern: RegExp | undefined;
  readonly #deps: FileListDeps;
  #news: News | undefined;

  constructor(pattern: RegExp | undefined, deps: FileListDeps) {
    this.#pattern = pattern;
    this.#deps = deps;
  }

  /** To be called right after the server was told that files came or went. */
  told(): void {
    if (!this.#pattern) return;
    const earlier = this.#news;
    let line = (): void => {};
    const heard = new Promise<void>((resolve) => {
      line = resolve;
    });
    const news: News = { read: false, take: line, taken: this.#await(heard, () => news) };
    this.#news = news;
    // A reader that waits for the earlier change waits for this one instead.
    earlier?.take();
  }

  logLine(text: string): void {
    if (this.#news?.read && this.#pattern?.test(text)) this.#news.take();
  }

  /** Resolves at once unless something is pending, and after some time in any case. */
  async taken(): Promise<void> {
    while (this.#news) await this.#news.taken;
  }

  async #await(heard: Promise<void>, own: () => News): Promise<void> {
    const { clock, log, barrier } = this.#deps;
    // Not before the caller has its object.
    await Promise.resolve();
    await Promise.race([heard, barrier().catch(() => {})]);
    own().read = true;
    await withTimeout(heard, MOST_MS, () => log.debug('no word on the list of files'), clock);
    if (this.#news === own()) this.#news = undefined;
  }
}
