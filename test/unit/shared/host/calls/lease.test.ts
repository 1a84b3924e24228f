/** Readers and windows: who is let in when, and that nobody is forgotten. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { Lease } from '../../../../../src/shared/host/calls/lease.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const never = new AbortController().signal;

/** Notes in `log` who got in, in order; the returned functions end them. */
function world() {
  const clock = new FakeClock();
  const lease = new Lease(clock);
  const log: string[] = [];
  const reader = async (name: string, signal = never) => {
    if (!lease.tryEnter()) await lease.enter(signal);
    log.push(name);
    return () => lease.leave();
  };
  const window = async (name: string, signal = never) => {
    const close = await lease.openWindow(signal);
    log.push(name);
    return close;
  };
  return { clock, lease, log, reader, window };
}

describe('the lease of a server', () => {
  it('lets readers in at once while nobody wants a window', () => {
    const { lease } = world();
    expect([lease.tryEnter(), lease.tryEnter(), lease.tryEnter()]).toEqual([true, true, true]);
  });

  it('opens windows one at a time, in the order they were asked for', async () => {
    const { log, window } = world();
    const closing = [window('first'), window('second'), window('third')];
    for (const [index, name] of ['first', 'second', 'third'].entries()) {
      const close = await closing[index];
      expect(log.at(-1)).toBe(name);
      expect(log).toHaveLength(index + 1);
      close?.();
    }
  });

  it('opens a window when the running readers are gone, and lets new ones pass until then', async () => {
    const { clock, log, reader, window } = world();
    const leave = await reader('running');
    const open = window('window');
    await clock.advance(1900);
    const leaveNew = await reader('new');
    leave();
    await nextTurn();
    expect(log).toEqual(['running', 'new']);
    leaveNew();
    await open;
    expect(log).toEqual(['running', 'new', 'window']);
  });

  it('holds new readers back once a window has waited for two seconds', async () => {
    const { clock, log, reader, window } = world();
    const leave = await reader('running');
    const open = window('window');
    await clock.advance(2000);
    const held = reader('held');
    await nextTurn();
    expect(log).toEqual(['running']);
    leave();
    const close = await open;
    await nextTurn();
    expect(log).toEqual(['running', 'window']);
    close();
    await held;
    expect(log).toEqual(['running', 'window', 'held']);
  });

  it('does not keep readers waiting for a window that one endless reader keeps from opening', async () => {
    const { clock, log, reader, window } = world();
    const leave = await reader('endless');
    const open = window('window');
    await clock.advance(2000);
    const held = reader('held');
    await clock.advance(5000);
    (await held)();
    expect(log).toEqual(['endless', 'held']);
    leave();
    await open;
  });

  it('lets what waited behind a window in before the next window', async () => {
    const { log, reader, window } = world();
    const close = await window('first');
    const second = window('second');
    const readers = [reader('one'), reader('two')];
    close();
    for (const leave of await Promise.all(readers)) {
      expect(log).toEqual(['first', 'one', 'two']);
      leave();
    }
    await second;
    expect(log.at(-1)).toBe('second');
  });

  it('lets readers in that were held back for a window that gives up', async () => {
    const { clock, log, reader, window } = world();
    await reader('running');
    const controller = new AbortController();
    const open = window('window', controller.signal).catch(failureOf);
    await clock.advance(2000);
    const held = reader('held');
    await nextTurn();
    controller.abort();
    await held;
    expect(await open).toEqual({ kind: 'cancelled' });
    expect(log).toEqual(['running', 'held']);
  });

  it('forgets a reader that gave up while it was held back', async () => {
    const { log, reader, window } = world();
    const close = await window('first');
    const controller = new AbortController();
    const held = reader('held', controller.signal).catch(failureOf);
    controller.abort();
    expect(await held).toEqual({ kind: 'cancelled' });
    close();
    await window('second');
    expect(log).toEqual(['first', 'second']);
  });

  it('leaves no timer behind', async () => {
    const { clock, reader, window } = world();
    const close = await window('window');
    const held = reader('held');
    await nextTurn();
    close();
    (await held)();
    await nextTurn();
    expect(clock.pending).toBe(0);
  });

  it('keeps windows alone, and lets everybody in who waits long enough, in any order of events', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('read' as const) },
      { weight: 2, arbitrary: fc.constant('open' as const) },
      { weight: 4, arbitrary: fc.constant('end' as const) },
      { weight: 1, arbitrary: fc.constant('give up' as const) },
      { weight: 2, arbitrary: fc.constantFrom(700, 2500, 6000) },
    );
    const run = async (steps: readonly (number | string)[]) => {
      const { clock, lease } = world();
      const inside: { readonly kind: 'reader' | 'window'; readonly leave: () => void }[] = [];
      const waiting = new Set<AbortController>();
      const come = (kind: 'reader' | 'window') => {
        const controller = new AbortController();
        waiting.add(controller);
        const entered =
          kind === 'reader'
            ? lease.enter(controller.signal).then(() => () => lease.leave())
            : lease.openWindow(controller.signal);
        entered
          .then((leave) => inside.push({ kind, leave }))
          .catch(() => {})
          .finally(() => waiting.delete(controller));
      };
      const check = async () => {
        await nextTurn();
        if (inside.some(({ kind }) => kind === 'window')) expect(inside).toHaveLength(1);
      };
      for (const each of steps) {
        if (each === 'read') come('reader');
        else if (each === 'open') come('window');
        else if (each === 'end') inside.shift()?.leave();
        else if (each === 'give up') [...waiting][0]?.abort();
        else await clock.advance(Number(each));
        await check();
      }
      while (inside.length > 0) {
        inside.shift()?.leave();
        await check();
      }
      expect(waiting.size).toBe(0);
      expect(clock.pending).toBe(0);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), run), { numRuns: 200 });
  });
});
