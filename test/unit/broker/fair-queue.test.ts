import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueLimits } from '../../../src/broker/fair-queue.ts';
import { failureOf } from '../../../src/shared/base/failure.ts';
import { type Deferred, deferred } from '../../../src/shared/base/lifetime.ts';

const LIMITS: FairQueueLimits = {
  runningPerSession: 2,
  runningInAll: 3,
  waitingPerSession: 4,
  waitingInAll: 6,
};

/** Calls that end when the test says so, and the order in which they were started. */
function bench(limits: FairQueueLimits) {
  const queue = new FairQueue<string>(limits);
  const started: string[] = [];
  const ends = new Map<string, Deferred<string>>();
  const call = (session: string, name: string, signal = new AbortController().signal) => {
    const end = deferred<string>();
    ends.set(name, end);
    const result = queue.run(
      session,
      () => {
        started.push(name);
        return end.promise;
      },
      signal,
    );
    result.catch(() => {});
    return result;
  };
  const finish = async (name: string) => {
    ends.get(name)?.resolve(name);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, call, finish };
}

describe('the fair queue', () => {
  it('lets a session run only so many calls at once', async () => {
    const { started, call, finish } = bench(LIMITS);
    for (const name of ['a1', 'a2', 'a3']) call('a', name);
    expect(started).toEqual(['a1', 'a2']);
    await finish('a1');
    expect(started).toEqual(['a1', 'a2', 'a3']);
  });

  it('takes turns between sessions instead of serving the first one to its end', async () => {
    const { started, call, finish } = bench({ ...LIMITS, runningInAll: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) call('a', name);
    call('b', 'b1');
    call('b', 'b2');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await finish('a1');
    await finish('a2');
    await finish('b1');
    expect(started.slice(3)).toEqual(['a3', 'b2']);
  });

  it('lets in a session that runs nothing although the rest is at the limit', () => {
    const { queue, started, call } = bench({ ...LIMITS, runningInAll: 2 });
    for (const session of ['a', 'b', 'c', 'd']) call(session, `${session}1`);
    expect(started).toEqual(['a1', 'b1', 'c1', 'd1']);
    expect(queue.running).toBe(4);
  });

  it('refuses what is over the caps, of one session and of all', async () => {
    const { call } = bench(LIMITS);
    const results = Array.from({ length: 7 }, (_, index) => call('a', `a${index}`));
    await expect(results[6]).rejects.toSatisfy((error) => failureOf(error)?.kind === 'overloaded');
    for (let index = 0; index < 4; index++) call('b', `b${index}`);
    await expect(call('b', 'b4')).rejects.toSatisfy((error) => failureOf(error)?.kind === 'overloaded');
  });

  it('takes a cancelled call out of the queue without running it', async () => {
    const { queue, started, call, finish } = bench(LIMITS);
    const cancel = new AbortController();
    call('a', 'a1');
    call('a', 'a2');
    const waiting = call('a', 'a3', cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toSatisfy((error) => failureOf(error)?.kind === 'cancelled');
    await finish('a1');
    expect(started).toEqual(['a1', 'a2']);
    expect(queue.waiting).toBe(0);
  });

  it('goes on after a call that throws at once', async () => {
    const { queue, call, finish } = bench({ ...LIMITS, runningPerSession: 1 });
    const thrown = queue.run(
      'a',
      () => {
        throw new Error('at once');
      },
      new AbortController().signal,
    );
    await expect(thrown).rejects.toThrow('at once');
    const next = call('a', 'a1');
    await finish('a1');
    await expect(next).resolves.toBe('a1');
  });

  it('keeps its limits and settles every call, whatever the order of starts, ends and cancels', async () => {
    const step = fc.record({
      session: fc.constantFrom('a', 'b', 'c', 'd'),
      cancel: fc.boolean(),
      end: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { queue, call, finish } = bench(LIMITS);
        const results: Promise<unknown>[] = [];
        const cancels: AbortController[] = [];
        for (const [index, { session, cancel, end }] of steps.entries()) {
          const controller = new AbortController();
          cancels.push(controller);
          results.push(call(session, `${index}`, controller.signal));
          if (cancel) cancels[Math.floor(index / 2)]?.abort();
          if (end) await finish(`${Math.floor(index / 3)}`);
          expect(queue.running).toBeLessThanOrEqual(LIMITS.runningInAll + 4);
          expect(queue.waiting).toBeLessThanOrEqual(LIMITS.waitingInAll);
        }
        for (let round = 0; round < 2; round++) for (const index of steps.keys()) await finish(`${index}`);
        await Promise.allSettled(results);
        expect([queue.running, queue.waiting]).toEqual([0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});
