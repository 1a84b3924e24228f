/**
 * Questions that span files, of which only a few are with the server at a time. Most servers work them off one by one, and
 * whatever comes after them waits for all: a hover for the references of fifteen other sessions. Here they wait instead,
 * in the order in which they came, and what is answered from one file goes past them.
 * Decision: docs/decisions/broker.md#a-few-long-questions-at-a-time
 */
import { availableParallelism } from 'node:os';
import { type Clock, deferred, type Limit, onEnd } from '../shared/base/lifetime.ts';

export interface LongRequestLimits {
  /** With the server at a time. */
  readonly atOnce: number;
  /** One that takes longer does not keep others waiting any more: it may never be answered. */
  readonly countsMs: number;
}

/** With fewer, servers that work on several at once lose a tenth of what they can do. */
export function longRequestLimits({ oneAtATime }: { readonly oneAtATime: boolean }): LongRequestLimits {
  return { atOnce: oneAtATime ? 2 : Math.min(8, Math.max(4, availableParallelism())), countsMs: 1_000 };
}

export class LongRequests {
  readonly #clock: Clock;
  readonly #limits: LongRequestLimits;
  readonly #waiting: (() => void)[] = [];
  #counted = 0;

  constructor(clock: Clock, limits: LongRequestLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Signal and limit only end the wait; running is the task's own affair. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, limit?: Limit): Promise<T> {
    if (this.#counted < this.#limits.atOnce) this.#counted++;
    else await this.#handedOver(signal, limit);
    using _counted = this.#countedForAWhile();
    return await task();
  }

  /** Settles when another one's place is free; it stays counted. */
  #handedOver(signal: AbortSignal, limit: Limit | undefined): Promise<void> {
    const { promise, resolve, reject } = deferred<void>();
    const start = () => {
      waiting[Symbol.dispose]();
      resolve();
    };
    const waiting = onEnd(signal, limit, (reason) => {
      this.#waiting.splice(this.#waiting.indexOf(start), 1);
      reject(reason);
    });
    this.#waiting.push(start);
    return promise;
  }

  #countedForAWhile(): Disposable {
    let isCounted = true;
    const handOn = () => {
      if (!isCounted) return;
      isCounted = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#counted--;
    };
    const timer = this.#clock.after(this.#limits.countsMs, handOn);
    return {
      [Symbol.dispose]: () => {
        timer[Symbol.dispose]();
        handOn();
      },
    };
  }
}
