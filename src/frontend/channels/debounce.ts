/** Calls back once after things have been quiet for a while, or after a longest wait if they never are. */
import type { Clock } from '../../shared/base/lifetime.ts';

export interface DebounceOptions {
  readonly clock: Clock;
  readonly quietMs: number;
  readonly longestMs: number;
  flush(): void;
}

export class Debounce implements Disposable {
  readonly #options: DebounceOptions;
  #timer: Disposable | undefined;
  #since: number | undefined;

  constructor(options: DebounceOptions) {
    this.#options = options;
  }

  /** Something happened. */
  touch(): void {
    const { clock, quietMs, longestMs, flush } = this.#options;
    const now = clock.now();
    this.#since ??= now;
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.after(Math.min(quietMs, this.#since + longestMs - now), () => {
      this.#timer = undefined;
      this.#since = undefined;
      flush();
    });
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#since = undefined;
  }
}
