/**
 * The time that a call has. It stands still while the call waits for the user's permission, which may take minutes.
 */
import type { Clock } from '../../shared/base/lifetime.ts';

export class CallDeadline implements Disposable {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  #endsAt: number;
  #timer: Disposable | undefined;
  #pauses = 0;
  #leftMs = 0;

  constructor(clock: Clock, limitMs: number, onOver: () => void) {
    this.#clock = clock;
    this.#onOver = onOver;
    this.#endsAt = clock.now() + limitMs;
    this.#timer = clock.after(limitMs, onOver);
  }

  /** Milliseconds that are left. */
  readonly remainingMs = (): number =>
    this.#pauses > 0 ? this.#leftMs : Math.max(0, this.#endsAt - this.#clock.now());

  /** Stops the time until `waiting` has settled. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    this.#pause();
    try {
      return await waiting;
    } finally {
      this.#resume();
    }
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    // A user who is still being asked does not set it again.
    this.#pauses += 1;
  }

  #pause(): void {
    if (this.#pauses === 0) {
      this.#leftMs = this.remainingMs();
      this.#timer?.[Symbol.dispose]();
    }
    this.#pauses += 1;
  }

  #resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#endsAt = this.#clock.now() + this.#leftMs;
    this.#timer = this.#clock.after(this.#leftMs, this.#onOver);
  }
}

/** The time of something that asks nobody. */
export function remainingOf(clock: Clock, limitMs: number): () => number {
  const endsAt = clock.now() + limitMs;
  return () => Math.max(0, endsAt - clock.now());
}
