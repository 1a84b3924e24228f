/**
 * Time and the end of things. Every wait takes a signal or a deadline from here,
 * and the clock is passed in, so that tests move time instead of sleeping.
 * Decision: docs/decisions/base-and-wire.md#one-listener-and-one-timer-per-call
 */
import { FailureError } from './failure.ts';

export interface Clock {
  /** Monotonic milliseconds: unaffected by wall-clock changes. */
  now(): number;
  /**
   * Calls back once after `ms`; the returned disposable cancels. A timer keeps the process alive, because a call that
   * waits for one must not be cut off; the main modules end their process explicitly.
   */
  after(ms: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Resolves after `ms`, or rejects with `cancelled` when the signal fires first. */
export function delay(
  ms: number,
  options: { clock?: Clock; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const clock = options.clock ?? systemClock;
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) return reject(new FailureError({ kind: 'cancelled' }));
    const onAbort = () => {
      timer[Symbol.dispose]();
      reject(new FailureError({ kind: 'cancelled' }));
    };
    const timer = clock.after(ms, () => {
      options.signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    options.signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A time after which a wait is over, and what it fails with then. */
export interface Limit {
  readonly ms: number;
  readonly clock: Clock;
  failure(): Error;
}

/**
 * Calls `end` once, when the signal fires or the time is over, unless it was disposed of before. One listener and one
 * timer: a signal made of signals costs more than all else in a short call.
 */
export function onEnd(
  signal: AbortSignal | undefined,
  limit: Limit | undefined,
  end: (reason: Error) => void,
): Disposable {
  const onAbort = () => finish(new FailureError({ kind: 'cancelled' }));
  const timer = limit?.clock.after(limit.ms, () => finish(limit.failure()));
  signal?.addEventListener('abort', onAbort, { once: true });
  const release = () => {
    timer?.[Symbol.dispose]();
    signal?.removeEventListener('abort', onAbort);
  };
  const finish = (reason: Error) => {
    release();
    end(reason);
  };
  return { [Symbol.dispose]: release };
}

/** Settles like `work`, or rejects as soon as the signal fires or the time is over; `work` itself goes on. */
export function abandonable<T>(work: Promise<T>, signal: AbortSignal | undefined, limit?: Limit): Promise<T> {
  if (!signal && !limit) return work;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      // Nobody will look at it any more.
      work.catch(() => {});
      return reject(new FailureError({ kind: 'cancelled' }));
    }
    const waiting = onEnd(signal, limit, reject);
    work.then(
      (value) => {
        waiting[Symbol.dispose]();
        resolve(value);
      },
      (error: unknown) => {
        waiting[Symbol.dispose]();
        reject(error);
      },
    );
  });
}

/** Settles like `work`, or with `onTimeout()` after `ms`. */
export function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => T,
  clock: Clock = systemClock,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    });
    work.then(resolve, reject).finally(() => timer[Symbol.dispose]());
  });
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** A set of listeners; each subscription is a disposable. A throwing listener does not silence the others: what it threw is thrown when all have heard. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  add(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  emit(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} listeners failed`);
    if (errors.length === 1) throw errors[0];
  }

  get size(): number {
    return this.#listeners.size;
  }
}
