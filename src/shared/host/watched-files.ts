/**
 * Tells the server about files that changed on disk without being open: created, changed and deleted ones, in batches.
 * An accelerator only: documents are compared with the disk before each request whether or not this works.
 */
import path from 'node:path';
import picomatch from 'picomatch';
import {
  type FileEvent,
  type FileSystemWatcher,
  type Registration,
  WatchKind,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import { messageOf } from '../base/failure.ts';
import type { Clock } from '../base/lifetime.ts';
import type { Log } from '../base/log.ts';
import { isInside, pathToUri, uriToPath } from '../base/paths.ts';

export interface DiskEvent {
  readonly path: string;
  readonly type: 'create' | 'update' | 'delete';
}

export type Subscribe = (
  root: AbsPath,
  callback: (error: Error | null, events: readonly DiskEvent[]) => void,
) => Promise<{ unsubscribe(): Promise<void> }>;

export interface WatcherDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly send: (changes: FileEvent[]) => void;
  readonly subscribe?: Subscribe;
}

const DEBOUNCE_MS = 150;
const SKIPPED = ['.git', 'node_modules', 'target', 'build', 'dist', 'vendor', '__pycache__', '.venv', 'venv'];
const CHANGE_TYPE = { create: 1, update: 2, delete: 3 } as const;
const KIND_OF = { create: WatchKind.Create, update: WatchKind.Change, delete: WatchKind.Delete } as const;

type Matcher = (event: DiskEvent) => boolean;

export class WatchedFiles {
  readonly #root: AbsPath;
  readonly #deps: WatcherDeps;
  readonly #waiting = new Map<string, DiskEvent['type']>();
  #matchers: readonly Matcher[] = [];
  #subscription: Promise<{ unsubscribe(): Promise<void> } | undefined> | undefined;
  #flush: Disposable | undefined;

  constructor(root: AbsPath, deps: WatcherDeps) {
    this.#root = root;
    this.#deps = deps;
  }

  /** Watches for what the server has registered now; without registrations nothing is watched. */
  registered(registrations: readonly Registration[]): void {
    this.#matchers = registrations.flatMap((registration) => {
      const options = registration.registerOptions as { watchers?: FileSystemWatcher[] } | undefined;
      return (options?.watchers ?? []).map((watcher) => matcherOf(watcher, this.#root));
    });
    if (this.#matchers.length > 0) this.#subscription ??= this.#watch();
  }

  async dispose(): Promise<void> {
    this.#flush?.[Symbol.dispose]();
    this.#waiting.clear();
    this.#matchers = [];
    await (await this.#subscription)?.unsubscribe();
  }

  async #watch(): Promise<{ unsubscribe(): Promise<void> } | undefined> {
    try {
      const subscribe = this.#deps.subscribe ?? parcelSubscribe;
      return await subscribe(this.#root, (error, events) => {
        if (error) this.#deps.log.warn('watching files failed', { root: this.#root, error: error.message });
        else this.#seen(events);
      });
    } catch (error) {
      this.#deps.log.warn('files are not watched', { root: this.#root, error: messageOf(error) });
      return undefined;
    }
  }

  #seen(events: readonly DiskEvent[]): void {
    for (const event of events) {
      if (isSkipped(event.path, this.#root) || !this.#matchers.some((matches) => matches(event))) continue;
      this.#waiting.set(event.path, event.type);
    }
    if (this.#waiting.size === 0) return;
    this.#flush?.[Symbol.dispose]();
    this.#flush = this.#deps.clock.after(DEBOUNCE_MS, () => this.#tell());
  }

  #tell(): void {
    const changes = [...this.#waiting].map(([file, type]) => ({
      uri: pathToUri(file as AbsPath),
      type: CHANGE_TYPE[type],
    }));
    this.#waiting.clear();
    this.#deps.send(changes);
  }
}

/** Dot directories and build output are skipped, as users expect of a watcher; a file named `.env` is not. */
function isSkipped(file: string, root: AbsPath): boolean {
  const directories = path.relative(root, path.dirname(file)).split(path.sep);
  return directories.some(
    (name) => SKIPPED.includes(name) || (name.startsWith('.') && name !== '.' && name !== '..'),
  );
}

function matcherOf(watcher: FileSystemWatcher, root: AbsPath): Matcher {
  const { globPattern } = watcher;
  const kind = watcher.kind ?? WatchKind.Create | WatchKind.Change | WatchKind.Delete;
  const pattern = typeof globPattern === 'string' ? globPattern : globPattern.pattern;
  const baseUri = typeof globPattern === 'string' ? undefined : globPattern.baseUri;
  const base = (baseUri && uriToPath(typeof baseUri === 'string' ? baseUri : baseUri.uri)) ?? root;
  const matches = picomatch(pattern, { dot: true });
  return (event) =>
    (kind & KIND_OF[event.type]) !== 0 &&
    ((isInside(event.path, base) && matches(path.relative(base, event.path).split(path.sep).join('/'))) ||
      (path.isAbsolute(pattern) && matches(event.path)));
}

/** Loaded on use: the native module must not be able to keep anything from starting. */
async function parcelSubscribe(...[root, callback]: Parameters<Subscribe>): ReturnType<Subscribe> {
  const { default: watcher } = await import('@parcel/watcher');
  return watcher.subscribe(root, callback, { ignore: SKIPPED.map((name) => `**/${name}/**`) });
}
