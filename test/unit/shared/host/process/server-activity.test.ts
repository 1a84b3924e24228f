import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  measureTree,
  ServerActivity,
  type Usage,
} from '../../../../../src/shared/host/process/server-activity.ts';
import { until } from '../../../../support/events.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

describe('activity of a server', () => {
  it('counts the samples in a row in which nothing was computed', async () => {
    const clock = new FakeClock();
    let usage: Usage = { spent: 5, running: false };
    const activity = new ServerActivity(1, clock, () => usage);
    using _ = activity.watch();
    expect(activity.idleSamplesSince(0)).toBe(0);
    await clock.advance(60);
    expect(activity.idleSamplesSince(0)).toBe(2);
    usage = { spent: 6, running: false };
    await clock.advance(25);
    expect(activity.idleSamplesSince(0)).toBe(0);
    usage = { spent: 6, running: true };
    await clock.advance(50);
    expect(activity.idleSamplesSince(0)).toBe(0);
    usage = { spent: 6, running: false };
    await clock.advance(50);
    expect(activity.idleSamplesSince(0)).toBe(2);
    expect(activity.idleSamplesSince(clock.now())).toBe(0);
  });

  it('knows how long the server has rested at a stretch', async () => {
    const clock = new FakeClock();
    let running = false;
    const activity = new ServerActivity(1, clock, () => ({ spent: 0, running }));
    expect(activity.longestRestSince(0)).toBeUndefined();
    using _ = activity.watch();
    await clock.advance(100);
    running = true;
    await clock.advance(200);
    running = false;
    await clock.advance(50);
    expect(activity.longestRestSince(0)).toBe(125);
    expect(activity.longestRestSince(150)).toBe(50);
  });

  it('is sampled only while somebody watches', async () => {
    const clock = new FakeClock();
    let samples = 0;
    const activity = new ServerActivity(1, clock, () => {
      samples++;
      return { spent: 0, running: false };
    });
    const first = activity.watch();
    const second = activity.watch();
    await clock.advance(100);
    first[Symbol.dispose]();
    await clock.advance(100);
    second[Symbol.dispose]();
    const before = samples;
    await clock.advance(1000);
    expect(samples).toBe(before);
    expect(clock.pending).toBe(0);
  });

  it('is not known of a process that is not ours, or where the platform does not tell', () => {
    const clock = new FakeClock();
    expect(new ServerActivity(undefined, clock).known).toBe(false);
    const silent = new ServerActivity(1, clock, () => undefined);
    using _ = silent.watch();
    expect(silent.known).toBe(false);
  });

  it.skipIf(process.platform !== 'linux')('includes the children of the process', async () => {
    const busy = `for (;;);`;
    const parent = `const {spawn}=require('node:child_process');spawn(process.execPath,['-e',${JSON.stringify(busy)}],{stdio:'ignore'});setInterval(()=>{},1e6)`;
    const child = spawn(process.execPath, ['-e', parent], { stdio: 'ignore', detached: true });
    try {
      const { pid = 0 } = child;
      const spent = () => measureTree(pid)?.spent ?? 0;
      await until(() => measureTree(pid)?.running === true, { what: 'a busy child' });
      const before = spent();
      await until(() => spent() > before + 20, { what: 'time spent by the child' });
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await once(child, 'exit');
    }
  });
});
