/** Brokers of one state directory keep to a common budget: real processes, each with sessions that come and go. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBrokers, stopBroker } from '../../src/frontend/link/broker-control.ts';
import { spawnBroker } from '../../src/frontend/link/broker-spawn.ts';
import { systemClock } from '../../src/shared/base/lifetime.ts';
import type { BrokerChannel } from '../../src/shared/rendezvous/broker-channel.ts';
import { readLastExit } from '../../src/shared/rendezvous/daemon-notes.ts';
import {
  type DaemonRecord,
  daemonDirectory,
  readRecord,
  recordPath,
} from '../../src/shared/rendezvous/daemon-record.ts';
import {
  ask,
  attached,
  type BrokerWorld,
  type BuiltEntry,
  brokerWorld,
  buildEntry,
} from '../support/broker-world.ts';
import { until } from '../support/events.ts';
import { isAlive, untilDead } from '../support/processes.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry();
});
afterAll(() => entry[Symbol.dispose]());

describe('the budget of idle brokers', () => {
  it('keeps three per language: the least recently used leave, one with a session and other languages stay', async () => {
    await using world = brokerWorld(entry);
    using inUse = await startUsed(world, 'in-use', 'go');
    using other = await startUsed(world, 'other', 'python');
    using a = await startUsed(world, 'a', 'go');
    using b = await startUsed(world, 'b', 'go');
    using c = await startUsed(world, 'c', 'go');
    using d = await startUsed(world, 'd', 'go');
    using e = await startUsed(world, 'e', 'go');

    await other.hangUp();
    // Not in the order in which they were started.
    for (const broker of [d, b, a, c, e]) await broker.hangUp();
    await Promise.all([untilDead(d.pid), untilDead(b.pid)]);
    for (const gone of [d, b])
      expect(readLastExit(gone.directory)).toMatchObject({
        reason: 'budget: at most 3 idle go servers are kept, and this one was used least recently',
        language: 'go',
      });

    expect(await running(world)).toEqual(['a', 'c', 'e', 'in-use', 'other']);
    expect(await ask(inUse.channel, 'test/echo', 'still served')).toBe('still served');

    // Coming back makes a broker the most recent one; the next time another has to leave.
    using again = await attached(a.record());
    await a.hangUp(again);
    await inUse.hangUp();
    await untilDead(c.pid);
    expect(await running(world)).toEqual(['a', 'e', 'in-use', 'other']);

    await stopAll(world);
    await world.workspace.expectNothingLeft();
  });

  it('a new owner sends idle neighbours away, but never itself', async () => {
    await using world = brokerWorld(entry);
    using idle = await startUsed(world, 'idle', 'go');
    await idle.hangUp();
    const owner = await start(world, 'new', 'go', { AGENT_LSP_MAX_IDLE_PER_LANGUAGE: '0' });
    await untilDead(idle.pid);
    expect(await running(world)).toEqual(['new']);
    using channel = await attached(owner.record());
    expect(await ask(channel, 'test/echo', 'served')).toBe('served');
    await stopAll(world);
    await world.workspace.expectNothingLeft();
  });

  it('a neighbour that does not answer is left alone, and the others are looked after all the same', async () => {
    await using world = brokerWorld(entry);
    const env = { AGENT_LSP_MAX_IDLE_PER_LANGUAGE: '1' };
    using stopped = await startUsed(world, 'stopped', 'go', env);
    using first = await startUsed(world, 'first', 'go', env);
    using second = await startUsed(world, 'second', 'go', env);
    process.kill(stopped.pid, 'SIGSTOP');
    await first.hangUp();
    await second.hangUp();
    await untilDead(first.pid);
    expect(isAlive(stopped.pid)).toBe(true);
    process.kill(stopped.pid, 'SIGCONT');
    expect(await ask(stopped.channel, 'test/echo', 1)).toBe(1);
    await stopAll(world);
    await world.workspace.expectNothingLeft();
  });

  it('counts memory as well: a broker over the limit leaves when its last session has left', async () => {
    await using world = brokerWorld(entry);
    using broker = await startUsed(world, 'large', 'go', { AGENT_LSP_MAX_IDLE_MEMORY_MB: '1' });
    await broker.hangUp();
    await untilDead(broker.pid);
    expect(readLastExit(broker.directory)?.reason).toMatch(/^budget: idle servers use \d+ MB of 1 MB/);
    await world.workspace.expectNothingLeft();
  });
});

interface StartedBroker {
  readonly pid: number;
  readonly directory: string;
  record(): DaemonRecord;
}

interface UsedBroker extends StartedBroker, Disposable {
  readonly channel: BrokerChannel;
  /** Ends the only session and waits until the broker has noted when that was. */
  hangUp(channel?: BrokerChannel): Promise<void>;
}

/** As front ends do it. */
async function start(
  world: BrokerWorld,
  key: string,
  language: string,
  env: Readonly<Record<string, string>> = {},
): Promise<StartedBroker> {
  const { stateDir } = world.workspace;
  const directory = daemonDirectory(stateDir, key);
  const outcome = await spawnBroker({
    directory,
    stateDirectory: stateDir,
    launch: { ...world.launch, plan: { ...world.launch.plan, language } },
    program: world.target({ TEST_KEY: key, ...env }).program,
    clock: systemClock,
    timeoutMs: 20_000,
  });
  expect(outcome).toEqual({ kind: 'provided' });
  const record = () => {
    const reading = readRecord(recordPath(directory));
    if (reading.kind !== 'found') throw new Error(`no descriptor of ${key}: ${reading.kind}`);
    return reading.record;
  };
  return { pid: record().process.pid, directory, record };
}

/** With a session from the beginning. */
async function startUsed(...what: Parameters<typeof start>): Promise<UsedBroker> {
  const broker = await start(...what);
  const { directory } = broker;
  const session = await attached(broker.record());
  expect(await ask(session, 'test/echo', 'used')).toBe('used');
  const noted = () => {
    const reading = readRecord(recordPath(directory));
    // A broker that leaves at once has taken its descriptor away.
    return reading.kind === 'absent'
      ? Number.POSITIVE_INFINITY
      : reading.kind === 'found' && reading.record.lastActivityAt;
  };
  return {
    ...broker,
    channel: session,
    async hangUp(channel = session) {
      const before = await until(noted, { what: 'a readable descriptor' });
      await until(() => Date.now() > before, { what: 'a later moment than the last one noted' });
      channel.close('the session is over');
      await until(() => Number(noted()) > before, { what: `${directory} to become idle`, watch: directory });
    },
    [Symbol.dispose]: () => session.close('the test is over'),
  };
}

async function running(world: BrokerWorld): Promise<string[]> {
  const listings = await listBrokers(world.workspace.stateDir);
  return listings.flatMap((listing) => (listing.kind === 'running' ? [listing.record.key] : [])).sort();
}

async function stopAll(world: BrokerWorld): Promise<void> {
  const listings = await listBrokers(world.workspace.stateDir);
  await Promise.all(
    listings.map(async (listing) => {
      if (listing.kind !== 'running') return;
      expect(await stopBroker(listing.record, { mode: 'now', reason: 'the test is over' })).toEqual({
        kind: 'stopped',
      });
    }),
  );
}
