import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openBrokerLog } from '../../../src/broker/broker-log.ts';
import type { CrashPoint } from '../../../src/broker/crash-points.ts';
import { type DrainSteps, drain } from '../../../src/broker/drain.ts';
import { Latencies } from '../../../src/broker/latencies.ts';
import { MemoryMeter } from '../../../src/broker/memory.ts';
import { watchProgram } from '../../../src/broker/program.ts';
import { compareVersions } from '../../../src/frontend/link/version-skew.ts';
import { deferred } from '../../../src/shared/base/lifetime.ts';
import { silentLog } from '../../../src/shared/base/log.ts';
import { processTree } from '../../../src/shared/process/process-tree.ts';
import { judge } from '../../../src/shared/rendezvous/ownership-verdict.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createWorkspace } from '../../support/workspace.ts';

describe('the verdict on an owner that cannot be greeted', () => {
  it.each([
    { contact: 'refused', liveness: 'gone', verdict: 'dead' },
    { contact: 'absent', liveness: 'gone', verdict: 'dead' },
    { contact: 'refused', liveness: 'different', verdict: 'dead' },
    { contact: 'absent', liveness: 'different', verdict: 'dead' },
    { contact: 'refused', liveness: 'alive', verdict: 'socket-lost' },
    { contact: 'absent', liveness: 'alive', verdict: 'socket-lost' },
    { contact: 'refused', liveness: 'unknown', verdict: 'dead' },
    { contact: 'absent', liveness: 'unknown', verdict: 'socket-lost' },
    { contact: 'silent', liveness: 'alive', verdict: 'silent' },
    { contact: 'silent', liveness: 'gone', verdict: 'silent' },
    { contact: 'hung-up', liveness: 'alive', verdict: 'overloaded' },
    { contact: 'overloaded', liveness: 'gone', verdict: 'overloaded' },
    { contact: 'timeout', liveness: 'gone', verdict: 'overloaded' },
    { contact: 'forbidden', liveness: 'gone', verdict: 'forbidden' },
  ] as const)(
    'is for $contact and a process that is $liveness: $verdict',
    ({ contact, liveness, verdict }) => {
      expect(judge(contact, liveness, 'linux')).toBe(verdict);
    },
  );

  it('takes a refusal for no proof on macOS, where a full queue refuses too', () => {
    expect(judge('refused', 'unknown', 'darwin')).toBe('socket-lost');
  });

  it('takes an absent pipe for a proof on Windows', () => {
    expect(judge('absent', 'unknown', 'win32')).toBe('dead');
  });
});

describe('draining', () => {
  function bench() {
    const clock = new FakeClock();
    const order: string[] = [];
    const quiet = deferred<void>();
    const note = (name: string) => async () => void order.push(name);
    const steps: DrainSteps = {
      unpublish: note('unpublish'),
      whenQuiet: () => quiet.promise,
      stopServer: note('stop server'),
      leaveNote: note('note'),
      hangUp: note('hang up'),
      at: (point: CrashPoint) => void order.push(point),
    };
    return { clock, order, quiet, steps };
  }

  it('gives the name up first and the socket last', async () => {
    const { clock, order, quiet, steps } = bench();
    const done = drain('drain', steps, { clock, log: silentLog });
    quiet.resolve();
    await clock.advance(1000);
    await done;
    expect(order).toEqual(['unpublish', 'draining', 'stop server', 'note', 'hang up']);
  });

  it('finishes running calls and stays a second for latecomers', async () => {
    const { clock, order, quiet, steps } = bench();
    const done = drain('drain', steps, { clock, log: silentLog });
    await clock.advance(5000);
    expect(order).toEqual(['unpublish', 'draining']);
    quiet.resolve();
    await done;
    expect(order).toContain('hang up');
    const early = bench();
    early.quiet.resolve();
    const second = drain('drain', early.steps, { clock: early.clock, log: silentLog });
    await early.clock.advance(999);
    expect(early.order).not.toContain('stop server');
    await early.clock.advance(1);
    await second;
  });

  it('does not wait for calls for ever, and not at all when it must go now', async () => {
    const { clock, order, steps } = bench();
    const done = drain('drain', steps, { clock, log: silentLog });
    await clock.advance(60_000);
    await done;
    expect(order).toContain('hang up');
    const now = bench();
    await drain('now', now.steps, { clock: now.clock, log: silentLog });
    expect(now.order).toContain('hang up');
  });

  it('goes on when a step fails or a server does not stop', async () => {
    const { clock, order, steps } = bench();
    const failing: DrainSteps = {
      ...steps,
      unpublish: () => Promise.reject(new Error('disk full')),
      stopServer: () => new Promise(() => {}),
    };
    const done = drain('now', failing, { clock, log: silentLog });
    await clock.advance(10_000);
    await done;
    expect(order).toEqual(['draining', 'note', 'hang up']);
  });
});

describe('figures', () => {
  it('are ranks over the latest calls', () => {
    const latencies = new Latencies(100);
    expect(latencies.summary()).toEqual({ total: 0, failed: 0, p50Ms: 0, p95Ms: 0 });
    for (let call = 1; call <= 50; call++) latencies.record(1_000_000, false);
    for (let call = 1; call <= 100; call++) latencies.record(call, true);
    expect(latencies.summary()).toEqual({ total: 150, failed: 50, p50Ms: 50, p95Ms: 95 });
  });

  it('of memory add up the tree and are measured again after a while only', async () => {
    const clock = new FakeClock();
    let looks = 0;
    const meter = new MemoryMeter({
      clock,
      tree: async () => [1, 2, 3],
      usage: async () => {
        looks++;
        return { 1: { memory: 1e12, cpu: 1 }, 2: { memory: 5, cpu: 2.25 }, 3: null };
      },
    });
    expect(await meter.figures()).toMatchObject({ treeRssBytes: 1e12 + 5, cpuPercent: 3.3 });
    await meter.figures();
    expect(looks).toBe(1);
    await clock.advance(15_000);
    await meter.figures();
    expect(looks).toBe(2);
  });

  it('of memory fall back to the own process where the platform gives none', async () => {
    const meter = new MemoryMeter({ tree: () => Promise.reject(new Error('no ps')) });
    const figures = await meter.figures();
    expect(figures.treeRssBytes).toBe(figures.brokerRssBytes);
    expect(figures.brokerRssBytes).toBeGreaterThan(0);
  });

  it('of memory are real here', async () => {
    expect((await new MemoryMeter().figures()).treeRssBytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(await processTree(process.pid)).toContain(process.pid);
  });
});

describe('versions', () => {
  it.each([
    { version: '1.2.3', against: '1.2.3', order: 0 },
    { version: '1.2.3', against: '1.2.4', order: -1 },
    { version: '1.10.0', against: '1.9.9', order: 1 },
    { version: '2.0.0-beta.2', against: '2.0.0', order: -1 },
    { version: '2.0.0-beta.2', against: '2.0.0-beta.10', order: -1 },
    { version: '2.0.0-alpha', against: '2.0.0-alpha.1', order: -1 },
    { version: '2.0.0-1', against: '2.0.0-alpha', order: -1 },
    { version: '1.2.3+build', against: '1.2.3', order: 0 },
    { version: 'nonsense', against: '0.0.1', order: -1 },
  ])('$version against $against', ({ version, against, order }) => {
    expect(Math.sign(compareVersions(version, against))).toBe(order);
    expect(Math.sign(compareVersions(against, version))).toBe(order === 0 ? 0 : -order);
  });
});

describe('the program on disk', () => {
  it('counts as changed when it is replaced or removed', async () => {
    await using workspace = createWorkspace();
    const script = workspace.write('program.mjs', 'one');
    const changed = watchProgram(script);
    expect(changed()).toBe(false);
    writeFileSync(script, 'three');
    expect(changed()).toBe(true);
    const again = watchProgram(script);
    utimesSync(script, 1, 1);
    expect(again()).toBe(true);
    const removed = watchProgram(script);
    workspace.remove('program.mjs');
    expect(removed()).toBe(true);
  });
});

describe('the log', () => {
  it('is turned over when it has grown, by whoever is told to', async () => {
    await using workspace = createWorkspace();
    const file = workspace.write('broker.log', 'x'.repeat(6 * 1024 * 1024));
    const log = openBrokerLog(file, { generation: 'g' });
    log.info('before');
    log.rotate();
    log.info('after', { n: 1 });
    expect(statSync(`${file}.1`).size).toBeGreaterThan(6 * 1024 * 1024);
    const entry = JSON.parse(workspace.read('broker.log').trim());
    expect(entry).toMatchObject({ msg: 'after', n: 1, generation: 'g' });
    log.rotate();
    expect(workspace.read('broker.log').split('\n')).toHaveLength(2);
  });

  it('is turned over by itself while it grows, and leaves out what is below its level', async () => {
    await using workspace = createWorkspace();
    const file = workspace.file('broker.log');
    const log = openBrokerLog(file, {});
    log.debug('not wanted');
    for (let line = 0; line < 1000; line++) log.info('line', { text: 'x'.repeat(10_000) });
    expect(statSync(`${file}.1`).size).toBeGreaterThan(4 * 1024 * 1024);
    expect(statSync(file).size).toBeLessThan(6 * 1024 * 1024);
    expect(workspace.read('broker.log.1')).not.toContain('not wanted');
  });

  it('starts again after its directory was deleted', async () => {
    await using workspace = createWorkspace();
    const file = workspace.write('d/broker.log', '');
    const log = openBrokerLog(file, {});
    workspace.remove('d');
    log.info('lost');
    workspace.write('d/other', '');
    log.reopen();
    log.info('found');
    expect(workspace.read('d/broker.log')).toContain('found');
  });
});
