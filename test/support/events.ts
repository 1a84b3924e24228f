/**
 * How tests wait: for a condition with a bound and a text that says what did not come,
 * for a line in a fake server's journal, and for nothing else. Nobody sleeps for a fixed time.
 */
import { existsSync, type FSWatcher, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface WaitOptions {
  /** Ends the sentence "waited n ms for ...". */
  readonly what: string;
  readonly timeoutMs?: number;
  /** A file or directory whose changes are a good moment to look again. */
  readonly watch?: string;
  /** Added to the error, to show how far things got. */
  readonly seen?: () => string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const POLL_MS = 15;

/** Resolves with the first value of `condition` that is neither undefined nor false. */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  options: WaitOptions,
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = performance.now() + timeoutMs;
  using changes = changesOf(options.watch);
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) {
      const seen = options.seen ? `\n${options.seen()}` : '';
      throw new Error(`waited ${timeoutMs} ms for ${options.what}${seen}`);
    }
    await changes.next();
  }
}

/** One line of a fake server's journal; which fields are there depends on the event. */
export interface JournalEntry {
  readonly event: string;
  readonly at: number;
  readonly pid: number;
  /** Counts the servers started with this journal from 1. */
  readonly instance: number;
  /** Of a listening server, counted from 1. */
  readonly connection?: number;
  readonly method?: string;
  readonly message?: { readonly id?: number | string; readonly method?: string; readonly params?: unknown };
  readonly [field: string]: unknown;
}

/** An event and, if given, the method it is about. */
export type JournalMatch = readonly [event: string, method?: string];
export type JournalTest = JournalMatch | ((entry: JournalEntry) => boolean);

export class Journal {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** All complete lines so far. */
  entries(): readonly JournalEntry[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line): JournalEntry => JSON.parse(line));
  }

  matching(test: JournalTest): readonly JournalEntry[] {
    return this.entries().filter(matcher(test));
  }

  /** The messages of this method that came in, oldest first. */
  received(method: string): readonly JournalEntry[] {
    return this.matching(['received', method]);
  }

  /** Breaches of the protocol by the client; a correct client leaves none. */
  violations(): readonly JournalEntry[] {
    return this.matching(['violation']);
  }

  /** Waits for the `count`-th entry (the first, if not said) that passes. */
  waitFor(test: JournalTest, options: { count?: number; timeoutMs?: number } = {}): Promise<JournalEntry> {
    const count = options.count ?? 1;
    const what = typeof test === 'function' ? 'a journal entry' : `the journal entry ${test.join(' ')}`;
    return until(() => this.matching(test)[count - 1], {
      what: count === 1 ? what : `${what} (number ${count})`,
      watch: path.dirname(this.file),
      seen: () => `the journal has:\n${this.entries().map(summary).join('\n')}`,
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
  }
}

/** A file that fake servers wait for (`gate`) or wait to be gone (`untilGone`). */
export interface Gate {
  readonly path: string;
  open(): void;
  close(): void;
}

export function gate(directory: string, name: string): Gate {
  const file = path.join(directory, `${name}.gate`);
  mkdirSync(directory, { recursive: true });
  return {
    path: file,
    open: () => writeFileSync(file, ''),
    close: () => rmSync(file, { force: true }),
  };
}

/** Wakes up at a change, and from time to time in case the change was not reported. */
function changesOf(watched: string | undefined): Disposable & { next(): Promise<void> } {
  let wake: () => void = () => {};
  let watcher: FSWatcher | undefined;
  if (watched !== undefined && existsSync(watched)) {
    watcher = watch(watched, () => wake());
    watcher.on('error', () => watcher?.close());
  }
  return {
    next: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    [Symbol.dispose]: () => watcher?.close(),
  };
}

function matcher(test: JournalTest): (entry: JournalEntry) => boolean {
  if (typeof test === 'function') return test;
  const [event, method] = test;
  return (entry) => entry.event === event && (method === undefined || entry.method === method);
}

function summary(entry: JournalEntry): string {
  return `  ${entry.instance} ${entry.event} ${entry.method ?? ''}`;
}
