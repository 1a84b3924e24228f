/**
 * A clock that tests move by hand, so that half an hour of idling takes no time and happens in a known order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/shared/base/lifetime.ts';

export class FakeClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): Disposable {
    const timer: Timer = { due: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  }

  /** How many timers are waiting. */
  get pending(): number {
    return this.#timers.size;
  }

  /** When the next timer is due, seen from now; undefined when there is none. */
  get nextIn(): number | undefined {
    const next = this.#next(Number.POSITIVE_INFINITY);
    return next && next.due - this.#now;
  }

  /**
   * Moves time on. Timers that fall due run in order, each at its own moment, also those that were set meanwhile;
   * what they set off settles before the next one.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await nextTurn();
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.due);
      timer.callback();
      await nextTurn();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due || a.order - b.order)[0];
  }
}

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}
