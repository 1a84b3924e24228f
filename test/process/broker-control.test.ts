/** Looking at brokers and stopping them, as the command line does, with real broker processes. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cleanStale,
  listBrokers,
  restartBroker,
  stopBroker,
} from '../../src/frontend/link/broker-control.ts';
import { recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import { ask, attached, type BuiltEntry, brokerWorld, buildEntry } from '../support/broker-world.ts';
import { isAlive } from '../support/processes.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry();
});
afterAll(() => entry[Symbol.dispose]());

describe('a listing', () => {
  it('shows running, stopped, stale and unreachable brokers', async () => {
    await using world = brokerWorld(entry);
    const { stateDir } = world.workspace;
    expect(await listBrokers(stateDir)).toEqual([]);
    const owner = await world.owner();
    const other = world.start({ TEST_KEY: 'other' });
    expect(await other.line).toMatch(/^ready/);
    expect(await listBrokers(stateDir)).toMatchObject([
      { kind: 'running', status: { pid: owner.pid, generation: owner.record.generation } },
      {
        kind: 'running',
        status: { pid: other.pid, language: 'memory', logPath: expect.stringContaining('other') },
      },
    ]);

    owner.child.kill('SIGKILL');
    other.child.kill('SIGTERM');
    await Promise.all([owner.exit, other.exit]);
    expect(await listBrokers(stateDir)).toMatchObject([
      {
        kind: 'stale',
        record: { generation: owner.record.generation },
        reason: expect.stringContaining('gone'),
      },
      { kind: 'stopped', lastExit: { reason: 'signal SIGTERM', root: world.workspace.root } },
    ]);

    const next = await world.owner();
    next.child.kill('SIGSTOP');
    expect((await listBrokers(stateDir))[0]).toMatchObject({
      kind: 'unreachable',
      record: { process: { pid: next.pid } },
    });
    next.child.kill('SIGKILL');
    await next.exit;
  });
});

describe('stopping', () => {
  it('lets running calls finish, or not, and waits until the process has gone', async () => {
    await using world = brokerWorld(entry);
    const first = await world.owner();
    expect(await stopBroker(first.record, { mode: 'drain', reason: 'by hand' })).toEqual({ kind: 'stopped' });
    expect(isAlive(first.pid)).toBe(false);
    const second = await world.owner();
    using channel = await attached(second.record);
    const hanging = ask(channel, 'test/hang').catch(() => 'ended');
    const busy = await stopBroker(second.record, { mode: 'drain', reason: 'by hand', timeoutMs: 300 });
    expect(busy).toMatchObject({ kind: 'still-there', reason: expect.stringContaining('now') });
    expect(await stopBroker(second.record, { mode: 'now', reason: 'by hand' })).toEqual({ kind: 'stopped' });
    expect(await hanging).toBe('ended');
    expect(await stopBroker(second.record, { mode: 'now', reason: 'again' })).toEqual({
      kind: 'gone-before',
    });
    await world.expectNothingLeft();
  });

  it('never signals a process that did not prove to be that broker', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    owner.child.kill('SIGSTOP');
    expect(await stopBroker(owner.record, { mode: 'now', reason: 'test' })).toMatchObject({
      kind: 'still-there',
    });
    owner.child.kill('SIGCONT');
    expect(
      await stopBroker({ ...owner.record, token: 'wrong' }, { mode: 'now', reason: 'test' }),
    ).toMatchObject({
      kind: 'still-there',
    });
    const reused = {
      ...owner.record,
      process: { ...owner.record.process, startTime: '1' },
      socketPath: '/nowhere',
    };
    expect(await stopBroker(reused, { mode: 'now', reason: 'test' })).toEqual({ kind: 'gone-before' });
    expect(isAlive(owner.pid)).toBe(true);
    await stopBroker(owner.record, { mode: 'now', reason: 'test' });
    await world.expectNothingLeft();
  });

  it('ends a broker that proved itself and ignores the request', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner({ TEST_HANG_STOP: '1' });
    expect(await stopBroker(owner.record, { mode: 'now', reason: 'test' })).toEqual({ kind: 'killed' });
    expect(isAlive(owner.pid)).toBe(false);
  });

  it('and starting again gives a new generation', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    let successor: Awaited<ReturnType<typeof world.owner>> | undefined;
    const outcome = await restartBroker(owner.record, {
      mode: 'drain',
      reason: 'restart',
      start: async () => {
        successor = await world.owner();
      },
    });
    expect(outcome).toEqual({ kind: 'stopped' });
    expect(successor?.record.generation).not.toBe(owner.record.generation);
    if (successor) await stopBroker(successor.record, { mode: 'now', reason: 'test' });
    await world.expectNothingLeft();
  });
});

describe('cleaning', () => {
  it('removes what dead brokers left, and nothing of living ones', async () => {
    await using world = brokerWorld(entry);
    const { stateDir } = world.workspace;
    const dead = await world.owner();
    const living = world.start({ TEST_KEY: 'living' });
    expect(await living.line).toMatch(/^ready/);
    dead.child.kill('SIGKILL');
    await dead.exit;
    expect(await cleanStale(stateDir)).toEqual([recordPath(world.directory)]);
    expect(existsSync(dead.record.socketPath)).toBe(false);
    expect(await cleanStale(stateDir)).toEqual([]);
    expect(isAlive(living.pid)).toBe(true);
    living.child.kill('SIGTERM');
    await living.exit;
    const inTwoWeeks = Date.now() + 14 * 24 * 3600_000;
    const directory = path.join(stateDir, 'daemons/living');
    expect(readFileSync(path.join(directory, 'broker.log'), 'utf8')).toContain('owner');
    expect(await cleanStale(stateDir, inTwoWeeks)).toEqual([directory]);
    expect(existsSync(directory)).toBe(false);
    await world.workspace.expectNothingLeft();
  });
});
