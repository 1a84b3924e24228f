import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../src/shared/base/lifetime.ts';
import { eachBounded, Pool } from '../../../../src/shared/base/pool.ts';

describe('The same work for many items', () => {
  it('is never done for more at once than allowed, and keeps the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await eachBounded([5, 4, 3, 2, 1, 0], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      running--;
      return turns * 10;
    });
    expect(results).toEqual([50, 40, 30, 20, 10, 0]);
    expect(most).toBe(2);
  });

  it('begins nothing more after an error, and throws it when the others have ended', async () => {
    const slow = deferred<void>();
    const ended: string[] = [];
    const outcome = eachBounded(['slow', 'bad', 'never', 'never'], 2, async (item) => {
      if (item === 'bad') throw new Error(item);
      await slow.promise;
      ended.push(item);
    }).catch((error: Error) => `${error.message} after ${ended}`);
    // Long enough for a worker that goes on to take the next item.
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    expect(await outcome).toBe('bad after slow');
  });

  it('takes items from a source only as fast as it works, and passes on that the source failed', async () => {
    let given = 0;
    async function* source() {
      for (const item of [1, 2, 3]) {
        given++;
        yield item;
      }
      throw new Error('no more');
    }
    const gate = deferred<void>();
    const outcome = eachBounded(source(), 2, () => gate.promise).catch((error: Error) => error.message);
    await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBe(2);
    gate.resolve();
    expect(await outcome).toBe('no more');
  });
});

describe('A pool', () => {
  it('lets the next begin when one has ended, also by an error', async () => {
    const pool = new Pool(1);
    const first = deferred<string>();
    const begun: number[] = [];
    const one = pool
      .run(async () => {
        begun.push(1);
        return first.promise;
      })
      .catch((error: Error) => error.message);
    const two = pool.run(async () => begun.push(2));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([1]);
    first.reject(new Error('failed'));
    expect(await one).toBe('failed');
    expect(await two).toBe(2);
  });
});
