/** Who owns a key, with the whole product: however front ends race and whatever dead brokers left, calls are served. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { daemonDirectory, recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import { DIRECT_NOTE, described, type FaultWorld, faultWorld, inspect } from '../support/fault-world.ts';
import { isAlive, untilDead } from '../support/processes.ts';

/** Leaves the descriptor of a broker that was killed; its path is returned. */
async function withDeadOwner(world: FaultWorld): Promise<string> {
  const session = await world.start();
  expect(await inspect(session, 1)).toBe(described(1));
  const { process: owner, key } = await world.recordWhere(() => true, 'a descriptor');
  await session.close();
  process.kill(owner.pid, 'SIGKILL');
  await Promise.all([owner.pid, ...world.serverPids()].map((pid) => untilDead(pid)));
  return recordPath(daemonDirectory(world.workspace.stateDir, key));
}

async function expectShared(world: FaultWorld, line: number): Promise<void> {
  expect(await inspect(await world.start(), line)).toBe(described(line));
}

function foreignProcess(world: FaultWorld): ChildProcess & { readonly pid: number } {
  const child = spawn('sleep', ['3600'], { env: world.workspace.env(), stdio: 'ignore' });
  if (child.pid === undefined) throw new Error('sleep did not start');
  return Object.assign(child, { pid: child.pid });
}

describe('front ends that race', () => {
  it('fifty from cold are all served by one broker with one server', async () => {
    await using world = faultWorld();
    const sessions = await world.startMany(50);
    const answers = await Promise.all(sessions.map((session) => inspect(session, 7)));
    expect(new Set(answers)).toEqual(new Set([described(7)]));
    expect(world.server.journal.received('initialize')).toHaveLength(1);
    expect(world.records()).toHaveLength(1);
    expect(world.brokerProcesses()).toHaveLength(1);
    await world.end();
  });

  it('twelve that find a dead owner are all served by one successor', async () => {
    await using world = faultWorld();
    await withDeadOwner(world);
    const sessions = await world.startMany(12);
    const answers = await Promise.all(sessions.map((session) => inspect(session, 2)));
    expect(new Set(answers)).toEqual(new Set([described(2)]));
    expect(world.server.journal.received('initialize')).toHaveLength(2);
    expect(world.brokerProcesses()).toHaveLength(1);
    await world.end();
  });
});

describe('what a dead broker left', () => {
  it('a descriptor of a process that is gone is replaced', async () => {
    await using world = faultWorld();
    const descriptor = await withDeadOwner(world);
    const stale = JSON.parse(readFileSync(descriptor, 'utf8'));
    await expectShared(world, 2);
    expect(world.records().map(({ generation }) => generation)).not.toContain(stale.generation);
    await world.end();
  });

  it('a process that has the pid by now is never signalled, neither by a front end nor by daemon-stop', async () => {
    await using world = faultWorld();
    const descriptor = await withDeadOwner(world);
    const foreign = foreignProcess(world);
    const record = JSON.parse(readFileSync(descriptor, 'utf8'));
    const reused = JSON.stringify({ ...record, process: { ...record.process, pid: foreign.pid } });
    writeFileSync(descriptor, reused);
    await expectShared(world, 3);
    expect((await world.run(['daemon-stop', '--all', '--now'])).code).toBe(0);
    writeFileSync(descriptor, reused);
    expect(await world.run(['daemon-stop', '--all', '--now'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('was dead already, cleaned up'),
    });
    expect(isAlive(foreign.pid)).toBe(true);
    foreign.kill('SIGKILL');
    await world.end();
  });

  it.each<{ readonly what: string; readonly forge: (descriptor: string, elsewhere: string) => void }>([
    { what: 'an empty file', forge: (descriptor) => writeFileSync(descriptor, '') },
    { what: 'garbage', forge: (descriptor) => writeFileSync(descriptor, '\0\0not a descriptor{') },
    {
      what: 'another JSON text',
      forge: (descriptor) => writeFileSync(descriptor, '{"pid": 1, "socketPath": 7}'),
    },
    { what: 'a directory', forge: (descriptor) => mkdirSync(descriptor) },
    { what: 'a symbolic link', forge: (descriptor, elsewhere) => symlinkSync(elsewhere, descriptor) },
  ])('$what in place of the descriptor is put aside', async ({ forge }) => {
    await using world = faultWorld();
    const descriptor = await withDeadOwner(world);
    const elsewhere = world.workspace.write(`${world.workspace.scratch}/elsewhere`, 'untouched');
    rmSync(descriptor);
    forge(descriptor, elsewhere);
    await expectShared(world, 4);
    expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
    await world.end();
  });
});

describe('kill -9 of a broker', () => {
  it.each(['after-bind', 'before-publish', 'after-publish', 'mid-initialize'])(
    '%s: the call that started it is served without it, the next session by a new one',
    async (point) => {
      await using world = faultWorld();
      const unlucky = await world.start({ env: { AGENT_LSP_CRASH_AT: point } });
      const answer = await inspect(unlucky, 5);
      expect(answer.split('\n')[0]).toBe(described(5));
      expect(answer).toMatch(DIRECT_NOTE);
      await expectShared(world, 6);
      await unlucky.close();
      await untilOnlyOneServer(world);
      await world.end();
    },
  );

  it.each(['after-grave', 'after-unlink'])(
    '%s of a dead predecessor: the next session has its broker',
    async (point) => {
      await using world = faultWorld();
      await withDeadOwner(world);
      const unlucky = await world.start({ env: { AGENT_LSP_CRASH_AT: point } });
      expect(await inspect(unlucky, 5)).toMatch(DIRECT_NOTE);
      await expectShared(world, 6);
      await unlucky.close();
      await untilOnlyOneServer(world);
      await world.end();
    },
  );

  it('draining: the next call of the same session has a new one', async () => {
    await using world = faultWorld();
    const session = await world.start({ env: { AGENT_LSP_CRASH_AT: 'draining' } });
    expect(await inspect(session, 1)).toBe(described(1));
    expect((await world.run(['daemon-stop', '--all'])).code).toBe(0);
    expect(await inspect(session, 2)).toBe(described(2));
    await untilOnlyOneServer(world);
    await session.close();
    // This one, too, kills itself when it is asked to leave, and makes room for one that does not.
    expect((await world.run(['daemon-stop', '--all'])).code).toBe(0);
    await expectShared(world, 3);
    await untilOnlyOneServer(world);
    await world.end();
  });
});

/** The server that was started last lives; those of dead owners do not. */
async function untilOnlyOneServer(world: FaultWorld): Promise<void> {
  const [last, ...orphans] = [...world.serverPids()].reverse();
  await Promise.all(orphans.map((pid) => untilDead(pid)));
  expect(isAlive(last ?? 0)).toBe(true);
}
