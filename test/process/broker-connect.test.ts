/** From a plan to a broker, as front ends do it, with real broker processes. */
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectedBroker, connectToBroker } from '../../src/frontend/link/broker-connect.ts';
import { trySpawnLock } from '../../src/frontend/link/broker-lock.ts';
import { type Failure, failureOf } from '../../src/shared/base/failure.ts';
import { silentLog } from '../../src/shared/base/log.ts';
import { ownIdentity } from '../../src/shared/process/process-identity.ts';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import { readLastExit } from '../../src/shared/rendezvous/daemon-notes.ts';
import { RecordFile, recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import { ensurePrivateDirectory } from '../../src/shared/rendezvous/private-directory.ts';
import { VERSION } from '../../src/shared/version.ts';
import { type BrokerWorld, type BuiltEntry, brokerWorld, buildEntry } from '../support/broker-world.ts';
import { until } from '../support/events.ts';
import { processesOfTest } from '../support/processes.ts';

let entry: BuiltEntry;
let olderEntry: BuiltEntry;
beforeAll(async () => {
  [entry, olderEntry] = await Promise.all([buildEntry(), buildEntry({ version: '0.0.1' })]);
});
afterAll(() => {
  entry[Symbol.dispose]();
  olderEntry[Symbol.dispose]();
});

const BUDGET = { budgetMs: 30_000 };

async function unavailable(
  attempt: Promise<ConnectedBroker>,
): Promise<Extract<Failure, { kind: 'broker-unavailable' }>> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => failureOf(error),
  );
  if (failure?.kind !== 'broker-unavailable') throw new Error(`not unavailable: ${JSON.stringify(failure)}`);
  return failure;
}

async function stopAll(world: BrokerWorld, ...channels: ConnectedBroker[]): Promise<void> {
  for (const { channel } of channels) {
    if (!channel.closed)
      await channel.request(BROKER.stop, { mode: 'now', reason: 'test' }).catch(() => undefined);
    channel.close('done');
  }
  await world.expectNothingLeft();
}

describe('a front end', () => {
  it('starts a broker when there is none, and the next one joins it', async () => {
    await using world = brokerWorld(entry);
    const first = await connectToBroker(world.target(), BUDGET);
    const second = await connectToBroker(world.target(), BUDGET);
    expect(second.record.generation).toBe(first.record.generation);
    expect(processesOfTest(world.workspace.testId)).toHaveLength(1);
    await stopAll(world, first, second);
  });

  it('shares one start with others that come at the same time', async () => {
    await using world = brokerWorld(entry);
    const all = await Promise.all(Array.from({ length: 12 }, () => connectToBroker(world.target(), BUDGET)));
    expect(new Set(all.map(({ record }) => record.generation)).size).toBe(1);
    expect(processesOfTest(world.workspace.testId)).toHaveLength(1);
    await stopAll(world, ...all);
  });

  it('has a dead owner replaced', async () => {
    await using world = brokerWorld(entry);
    const dead = await world.owner();
    dead.child.kill('SIGKILL');
    await dead.exit;
    const found = await connectToBroker(world.target(), BUDGET);
    expect(found.record.generation).not.toBe(dead.record.generation);
    await stopAll(world, found);
  });

  it('leaves a stopped broker alone and says that it is unavailable', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    owner.child.kill('SIGSTOP');
    const failure = await unavailable(connectToBroker(world.target(), BUDGET));
    expect(failure.reason).toMatch(/silent.*left alone/);
    expect(world.record()?.generation).toBe(owner.record.generation);
    owner.child.kill('SIGCONT');
    await stopAll(world, await connectToBroker(world.target(), BUDGET));
  });

  it('learns at once that the broker it started has died, and what the log said', async () => {
    await using world = brokerWorld(entry);
    const killed = await unavailable(
      connectToBroker(world.target({ AGENT_LSP_CRASH_AT: 'after-bind' }), BUDGET),
    );
    expect(killed.reason).toContain('was killed by SIGKILL before it was ready');
    expect(killed.reason).toContain('starting');
    expect(killed.log).toBe(path.join(world.directory, 'broker.log'));
    const failing = {
      ...world.target(),
      program: { ...world.target().program, execArgv: ['--no-such-option'] },
    };
    expect((await unavailable(connectToBroker(failing, BUDGET))).reason).toMatch(
      /ended with code \d+.*no-such-option/s,
    );
    const missing = { ...world.target(), program: { ...world.target().program, execPath: '/no/such/node' } };
    expect((await unavailable(connectToBroker(missing, BUDGET))).reason).toContain('could not be started');
    await stopAll(world, await connectToBroker(world.target(), BUDGET));
  });

  it('does not wait for the lock of a front end that has died', async () => {
    await using world = brokerWorld(entry);
    ensurePrivateDirectory(world.directory);
    mkdirSync(path.join(world.directory, 'spawn.lock'));
    writeFileSync(
      path.join(world.directory, 'spawn.json'),
      JSON.stringify({ ...ownIdentity(), startTime: '1' }),
    );
    await stopAll(world, await connectToBroker(world.target(), BUDGET));
  });

  it('waits for a living one that starts a broker, and joins that', async () => {
    await using world = brokerWorld(entry);
    const lock = await trySpawnLock(world.directory, silentLog);
    const waiting = connectToBroker(world.target(), BUDGET);
    const owner = await world.owner();
    const found = await waiting;
    expect(found.record.generation).toBe(owner.record.generation);
    await lock?.[Symbol.asyncDispose]();
    await stopAll(world, found);
  });

  it('gives up when its budget is over, and can be called off', async () => {
    await using world = brokerWorld(entry);
    ensurePrivateDirectory(world.directory);
    new RecordFile(recordPath(world.directory), world.forgedRecord()).close();
    const failure = await unavailable(connectToBroker(world.target(), { budgetMs: 200 }));
    expect(failure.reason).toContain(`daemon ${process.pid}`);
    const cancel = new AbortController();
    const search = connectToBroker(world.target(), { ...BUDGET, signal: cancel.signal });
    cancel.abort();
    await expect(search).rejects.toSatisfy((error) => failureOf(error)?.kind === 'cancelled');
    expect(readdirSync(world.directory)).toEqual(['daemon.json']);
  });

  it('does not use a directory that is not its own', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only root can give a directory away');
    await using world = brokerWorld(entry);
    ensurePrivateDirectory(world.directory);
    chownSync(world.directory, 65534, 65534);
    expect((await unavailable(connectToBroker(world.target(), BUDGET))).reason).toContain(
      'belongs to user 65534',
    );
    expect(readdirSync(world.directory)).toEqual([]);
  });

  it('does not use a state directory that cannot be made', async () => {
    await using world = brokerWorld(entry);
    const file = world.workspace.write('file', '');
    const target = { ...world.target(), stateDirectory: file };
    expect((await unavailable(connectToBroker(target, BUDGET))).reason).toContain('cannot create');
  });
});

describe('version skew', () => {
  it('a newer front end makes an older broker drain and starts its own', async () => {
    await using older = brokerWorld(olderEntry);
    const target = { ...older.target(), program: { ...older.target().program, entryScript: entry.script } };
    const old = await older.owner();
    expect(old.record.version).toBe('0.0.1');
    const found = await connectToBroker(target, BUDGET);
    expect(found.record.version).toBe(VERSION);
    expect(await old.exit).toEqual({ code: 0, signal: null });
    await until(() => readLastExit(older.directory)?.reason === `replaced by version ${VERSION}`, {
      what: 'the reason',
    });
    await stopAll(older, found);
  });

  it('an older front end uses a newer broker whose protocol fits', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    const found = await connectToBroker(world.target(), { ...BUDGET, version: '0.0.1' });
    expect(found.record.generation).toBe(owner.record.generation);
    await stopAll(world, found);
  });

  it('an older front end does not disturb a newer broker that it cannot speak with', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    const failure = await unavailable(
      connectToBroker(world.target(), { ...BUDGET, version: '0.0.1', protocol: 0 }),
    );
    expect(failure.reason).toContain('does not speak with version 0.0.1');
    expect(world.record()?.generation).toBe(owner.record.generation);
    await stopAll(world, await connectToBroker(world.target(), BUDGET));
  });

  it('a front end whose installation starts older brokers takes what it gets instead of looping', async () => {
    await using world = brokerWorld(olderEntry);
    const found = await connectToBroker(world.target(), BUDGET);
    expect(found.record.version).toBe('0.0.1');
    await stopAll(world, found);
  });
});
