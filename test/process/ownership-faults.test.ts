import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import { readLastExit, readServerNotes } from '../../src/shared/rendezvous/daemon-notes.ts';
import { recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import {
  ask,
  attached,
  type BuiltEntry,
  brokerWorld,
  buildEntry,
  connected,
  greetBroker,
  untilRecord,
} from '../support/broker-world.ts';
import { until } from '../support/events.ts';
import { isAlive, untilDead } from '../support/processes.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry();
});
afterAll(() => entry[Symbol.dispose]());

describe('kill -9', () => {
  it.each(['after-bind', 'before-publish', 'after-publish'] as const)(
    '%s leaves the way free',
    async (point) => {
      await using world = brokerWorld(entry);
      const crashed = world.start({ AGENT_LSP_CRASH_AT: point });
      expect(await crashed.exit).toEqual({ code: null, signal: 'SIGKILL' });
      expect(await crashed.line).toBeUndefined();
      await world.stop(await world.owner());
    },
  );

  it.each(['after-grave', 'after-unlink'] as const)(
    '%s of a burial does not stop the next one',
    async (point) => {
      await using world = brokerWorld(entry);
      const dead = await world.owner();
      dead.child.kill('SIGKILL');
      await dead.exit;
      for (let time = 0; time < 2; time++) {
        const crashed = world.start({ AGENT_LSP_CRASH_AT: point });
        const exit = await crashed.exit;
        // After the name was unlinked once, there is nothing left to bury for the second one.
        if (time === 1 && point === 'after-unlink') break;
        expect(exit).toEqual({ code: null, signal: 'SIGKILL' });
        if (point === 'after-unlink') break;
      }
      await world.stop(await world.owner());
    },
  );

  it('mid-initialize leaves a server that the next broker ends', async () => {
    await using world = brokerWorld(entry);
    const crashed = world.start({ AGENT_LSP_CRASH_AT: 'mid-initialize', TEST_SERVER: '1' });
    expect((await crashed.exit).signal).toBe('SIGKILL');
    const [note] = readServerNotes(world.directory);
    const server = note?.process.pid ?? 0;
    expect(isAlive(server)).toBe(true);
    const owner = await world.owner();
    await untilDead(server);
    await world.stop(owner);
  });

  it('while draining leaves no descriptor and nothing in the way', async () => {
    await using world = brokerWorld(entry);
    const crashed = await world.owner({ AGENT_LSP_CRASH_AT: 'draining' });
    crashed.child.kill('SIGTERM');
    expect((await crashed.exit).signal).toBe('SIGKILL');
    expect(world.record()).toBeUndefined();
    const owner = await world.owner();
    await world.stop(owner).catch((error: unknown) => {
      throw new Error(`after the crashed one: ${String(error)}`);
    });
  });
});

describe('a predecessor', () => {
  it('that still drains keeps its server while the next broker has its own', async () => {
    await using world = brokerWorld(entry);
    const old = await world.owner({ TEST_SERVER: '1' });
    using channel = await attached(old.record);
    const cancel = new AbortController();
    const running = ask(channel, 'test/hang', null, cancel.signal).catch(() => 'ended');
    await channel.request(BROKER.stop, { mode: 'drain', reason: 'upgrade' });
    await untilRecord(world, (record) => record === undefined, 'an unpublished descriptor');
    const [note] = readServerNotes(world.directory);
    const next = await world.owner({ TEST_SERVER: '1' });
    await until(() => readServerNotes(world.directory).length === 2, { what: 'the servers of both' });
    expect(isAlive(note?.process.pid ?? 0)).toBe(true);
    cancel.abort();
    expect(await running).toBe('ended');
    expect((await old.exit).code).toBe(0);
    expect(world.record()?.generation).toBe(next.record.generation);
    await world.stop(next);
  });

  it('that failed inside says why, and leaves nothing', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner({ TEST_SERVER: '1' });
    using channel = await attached(owner.record);
    await ask(channel, 'test/throw').catch(() => undefined);
    expect(await owner.exit).toEqual({ code: 1, signal: null });
    expect(readLastExit(world.directory)?.reason).toContain('thrown where nobody catches');
    await world.expectNothingLeft();
  });
});

describe('processes that stand still', () => {
  it('a stopped owner is not buried, and serves again when it goes on', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    owner.child.kill('SIGSTOP');
    const contender = world.start();
    expect(await contender.line).toMatch(/^busy .*silent/);
    await contender.exit;
    expect(world.record()?.generation).toBe(owner.record.generation);
    owner.child.kill('SIGCONT');
    using channel = await connected(owner.record);
    expect(await channel.request(BROKER.ping, {})).toBeNull();
    await world.stop(owner);
  });

  it('a reaper that paused before its look does not remove a successor', async () => {
    await using world = brokerWorld(entry);
    const dead = await world.owner();
    dead.child.kill('SIGKILL');
    await dead.exit;
    const paused = world.start({ TEST_STOP_AT: 'after-grave' });
    const grave = path.join(world.directory, `grave-${dead.record.generation}-1`);
    await until(() => existsSync(grave) && isStopped(paused.pid), { what: 'a paused reaper' });

    // While the holder of the grave lives, nobody else removes the descriptor.
    const waiting = world.start();
    expect(await waiting.line).toMatch(/^busy .*removing a dead owner/);
    expect(world.record()?.generation).toBe(dead.record.generation);

    // Somebody cleans up by hand and a successor comes; the reaper wakes up with its old intention.
    rmSync(recordPath(world.directory));
    const successor = await world.owner();
    paused.child.kill('SIGCONT');
    expect(await paused.line).toBe('lost');
    await paused.exit;
    expect(world.record()?.generation).toBe(successor.record.generation);
    await world.stop(successor);
  });
});

describe('staying the owner', () => {
  it('publishes again with a new socket when the state directory was deleted; sessions live on', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    using session = await attached(owner.record);
    rmSync(world.workspace.stateDir, { recursive: true, force: true });
    const again = await untilRecord(
      world,
      (record) => record?.generation === owner.record.generation,
      'a new descriptor',
    );
    expect(again?.socketPath).not.toBe(owner.record.socketPath);
    using newcomer = await attached(again ?? expect.unreachable());
    expect(await ask(newcomer, 'test/echo', 'new')).toBe('new');
    expect(await ask(session, 'test/echo', 'old')).toBe('old');
    await world.stop(owner);
  });

  it('opens a new socket when only the socket was swept away', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    rmSync(owner.record.socketPath);
    const again = await untilRecord(
      world,
      (record) => record?.socketPath !== owner.record.socketPath,
      'a new socket',
    );
    expect(again?.generation).toBe(owner.record.generation);
    using channel = await connected(again ?? expect.unreachable());
    expect(await channel.request(BROKER.ping, {})).toBeNull();
    await world.stop(owner);
  });

  it('leaves when somebody else owns the key by now', async () => {
    await using world = brokerWorld(entry);
    const first = await world.owner();
    first.child.kill('SIGSTOP');
    rmSync(recordPath(world.directory));
    const second = await world.owner();
    first.child.kill('SIGCONT');
    expect(await first.exit).toEqual({ code: 3, signal: null });
    expect(world.record()?.generation).toBe(second.record.generation);
    expect((await greetBroker(second.record)).kind).toBe('answered');
    await world.stop(second);
  });
});

function isStopped(pid: number): boolean {
  return identifyState(pid) === 'T';
}

function identifyState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).charAt(0);
  } catch {
    return undefined;
  }
}
