/** Tells that files changed on disk, so that answers about references that were given before may be old. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { Debounce } from './debounce.ts';
import type { Outlet, Subscription } from './outlet.ts';

export interface StaleChannelOptions {
  readonly clock: Clock;
  readonly outlet: Outlet;
  subscriptions(): readonly Subscription[];
}

const QUIET_MS = 3_000;
const LONGEST_MS = 15_000;
const MOST_REMEMBERED = 200;

export class StaleChannel implements Disposable {
  readonly #options: StaleChannelOptions;
  readonly #debounce: Debounce;
  readonly #changedAt = new Map<AbsPath, number>();
  readonly #untold = new Set<AbsPath>();
  #missed = false;

  constructor(options: StaleChannelOptions) {
    this.#options = options;
    const { clock } = options;
    const flush = () => this.#flush();
    this.#debounce = new Debounce({ clock, quietMs: QUIET_MS, longestMs: LONGEST_MS, flush });
  }

  /** The newest last. */
  get changes(): readonly { readonly file: AbsPath; readonly secondsAgo: number }[] {
    const now = this.#options.clock.now();
    return [...this.#changedAt].map(([file, at]) => ({ file, secondsAgo: Math.round((now - at) / 1000) }));
  }

  changedOnDisk(files: readonly AbsPath[]): void {
    if (files.length === 0) return;
    const now = this.#options.clock.now();
    for (const file of files) {
      this.#untold.add(file);
      this.#changedAt.delete(file);
      this.#changedAt.set(file, now);
    }
    for (const file of [...this.#changedAt.keys()].slice(0, -MOST_REMEMBERED)) this.#changedAt.delete(file);
    this.#debounce.touch();
  }

  missed(): void {
    this.#missed = true;
    this.#debounce.touch();
  }

  [Symbol.dispose](): void {
    this.#debounce[Symbol.dispose]();
  }

  #flush(): void {
    const { outlet, subscriptions } = this.#options;
    const count = this.#untold.size;
    const files = `${this.#missed ? 'at least ' : ''}${counted(count, 'file')}`;
    const what = count === 0 ? 'files may have changed on disk unseen' : `${files} changed on disk`;
    this.#untold.clear();
    this.#missed = false;
    for (const { kind, uri } of subscriptions()) if (kind === 'references') outlet.updated(uri);
    const message = `${what}: references found before may be old, ask again`;
    outlet.tell('info', 'file_watcher', { type: 'stale_references', files_changed: count, message });
  }
}
