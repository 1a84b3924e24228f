import { describe, expect, it } from 'vitest';
import { IdleTimer } from '../../../src/broker/idle.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MINUTE = 60_000;

function bench(timeoutMs = 30 * MINUTE) {
  const clock = new FakeClock(1000);
  let wallOffset = 1_700_000_000_000;
  let expired = 0;
  const idle = new IdleTimer({
    timeoutMs,
    clock,
    wallNow: () => clock.now() + wallOffset,
    expired: () => {
      expired++;
    },
  });
  return { clock, idle, expired: () => expired, sleepMachine: (ms: number) => (wallOffset += ms) };
}

describe('idle exit', () => {
  it('comes once, after the whole time without anybody', async () => {
    const { clock, expired } = bench();
    await clock.advance(30 * MINUTE - 1);
    expect(expired()).toBe(0);
    await clock.advance(1);
    expect(expired()).toBe(1);
    await clock.advance(60 * MINUTE);
    expect(expired()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('does not come while somebody is attached, and takes the whole time afterwards', async () => {
    const { clock, idle, expired } = bench();
    await clock.advance(29 * MINUTE);
    const session = idle.hold();
    session.markUsed();
    await clock.advance(90 * MINUTE);
    session.release();
    await clock.advance(30 * MINUTE - 1);
    expect(expired()).toBe(0);
    await clock.advance(1);
    expect(expired()).toBe(1);
  });

  it('is not put off by looks from outside', async () => {
    const { clock, idle, expired } = bench();
    for (let minute = 0; minute < 29; minute++) {
      const look = idle.hold();
      await clock.advance(10);
      look.release();
      await clock.advance(MINUTE - 10);
    }
    expect(idle.remainingMs).toBe(MINUTE);
    await clock.advance(MINUTE);
    expect(expired()).toBe(1);
  });

  it('never comes during a look, but right after one that lasted beyond the time', async () => {
    const { clock, idle, expired } = bench();
    await clock.advance(29 * MINUTE);
    const look = idle.hold();
    await clock.advance(5 * MINUTE);
    expect(expired()).toBe(0);
    look.release();
    await clock.advance(0);
    expect(expired()).toBe(1);
  });

  it('waits for the last of several and forgives a double release', async () => {
    const { clock, idle, expired } = bench();
    const [first, second] = [idle.hold(), idle.hold()];
    first.release();
    first.release();
    await clock.advance(60 * MINUTE);
    expect(expired()).toBe(0);
    second.markUsed();
    second.release();
    await clock.advance(30 * MINUTE);
    expect(expired()).toBe(1);
  });

  it('starts again when the machine has slept', async () => {
    const { clock, idle, expired, sleepMachine } = bench();
    await clock.advance(20 * MINUTE);
    sleepMachine(8 * 60 * MINUTE);
    await clock.advance(10 * MINUTE);
    expect(expired()).toBe(0);
    expect(idle.remainingMs).toBeGreaterThan(19 * MINUTE);
    await clock.advance(21 * MINUTE);
    expect(expired()).toBe(1);
  });

  it('leaves whoever started it the time to come, however short the idle time is', async () => {
    const clock = new FakeClock();
    let expired = 0;
    const idle = new IdleTimer({
      timeoutMs: 50,
      firstUseMs: 10_000,
      clock,
      wallNow: () => clock.now(),
      expired: () => expired++,
    });
    await clock.advance(9000);
    const session = idle.hold();
    session.markUsed();
    session.release();
    expect(expired).toBe(0);
    await clock.advance(50);
    expect(expired).toBe(1);
  });

  it('keeps short times too, and stops for good when told', async () => {
    const short = bench(50);
    await short.clock.advance(50);
    expect(short.expired()).toBe(1);
    const stopped = bench();
    stopped.idle.hold().release();
    stopped.idle.stop();
    await stopped.clock.advance(60 * MINUTE);
    expect(stopped.expired()).toBe(0);
  });
});
