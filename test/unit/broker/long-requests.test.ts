import { describe, expect, it } from 'vitest';
import { LongRequests, longRequestLimits } from '../../../src/broker/long-requests.ts';
import { FailureError, failureOf } from '../../../src/shared/base/failure.ts';
import { type Deferred, deferred } from '../../../src/shared/base/lifetime.ts';
import { quirksOf } from '../../../src/shared/host/protocol/server-quirks.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const COUNTS_MS = 1_000;

/** Calls that end when the test says so, and the order in which they were started. */
function bench() {
  const clock = new FakeClock();
  const longRequests = new LongRequests(clock, { atOnce: 2, countsMs: COUNTS_MS });
  const started: string[] = [];
  const ends = new Map<string, Deferred<string>>();
  const call = (name: string, signal = new AbortController().signal, ms?: number) => {
    const end = deferred<string>();
    ends.set(name, end);
    const failure = () =>
      new FailureError({ kind: 'timeout', what: name, afterMs: ms ?? 0, state: 'waiting' });
    const task = () => {
      started.push(name);
      return end.promise;
    };
    const result = longRequests.run(task, signal, ms === undefined ? undefined : { ms, clock, failure });
    result.catch(() => {});
    return result;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const finish = async (name: string) => {
    ends.get(name)?.resolve(name);
    await settled();
  };
  return { clock, started, ends, call, finish, settled };
}

describe('long calls', () => {
  it('are two at a time for a server that works on one, and more for others', () => {
    expect(longRequestLimits(quirksOf('pyright')).atOnce).toBe(2);
    expect(longRequestLimits(quirksOf('typescript-language-server')).atOnce).toBe(2);
    expect(longRequestLimits(quirksOf('typescript-7')).atOnce).toBeGreaterThan(2);
  });

  it('run a few at a time, and the others in the order in which they came', async () => {
    const { started, call, finish } = bench();
    const results = ['a', 'b', 'c', 'd'].map((name) => call(name));
    expect(started).toEqual(['a', 'b']);
    await finish('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await finish('a');
    await finish('c');
    await finish('d');
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('hand a place on to who waits longest, not to who comes just then', async () => {
    const { started, ends, call, settled } = bench();
    for (const name of ['a', 'b', 'c']) call(name);
    ends.get('a')?.resolve('a');
    call('d');
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('give their place away when they fail', async () => {
    const { started, ends, call, settled } = bench();
    const failing = call('a');
    for (const name of ['b', 'c']) call(name);
    ends.get('a')?.reject(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('keep nobody waiting when they take too long, and count for nothing when they end after all', async () => {
    const { clock, started, call, finish, settled } = bench();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) call(name);
    await clock.advance(COUNTS_MS);
    await settled();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    await finish('a');
    await finish('b');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    await finish('c');
    await finish('d');
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('can be cancelled or run out of time while they wait, and nobody waits for them then', async () => {
    const { clock, started, call, finish } = bench();
    const controller = new AbortController();
    call('a');
    call('b');
    const cancelled = call('c', controller.signal);
    const late = call('d', undefined, 500);
    call('e');
    controller.abort();
    await clock.advance(500);
    expect(failureOf(await cancelled.catch((error: unknown) => error))?.kind).toBe('cancelled');
    expect(failureOf(await late.catch((error: unknown) => error))?.kind).toBe('timeout');
    await finish('a');
    expect(started).toEqual(['a', 'b', 'e']);
  });
});
