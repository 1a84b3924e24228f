/**
 * Work of which only so much is under way at a time: a server that gets everything at once answers nothing soon.
 * Decision: docs/decisions/dependencies.md#pools-of-our-own
 */

/**
 * The same work for every item; results in the order of the items. After an error nothing more is begun, and the error
 * is thrown when what was under way has ended: nothing goes on behind the back of the caller.
 */
export async function eachBounded<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const left = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const results: R[] = [];
  const errors: unknown[] = [];
  let begun = 0;
  const worker = async () => {
    while (errors.length === 0) {
      const index = begun++;
      try {
        const { done, value } = await left.next();
        if (done || errors.length > 0) return;
        results[index] = await work(value);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}

/** For work of several kinds that shares one bound. */
export class Pool {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
