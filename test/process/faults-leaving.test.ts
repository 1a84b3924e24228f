/** Brokers that leave on purpose: idle, stopped, restarted or replaced, with sessions that go on. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readLastExit } from '../../src/shared/rendezvous/daemon-notes.ts';
import { daemonDirectory } from '../../src/shared/rendezvous/daemon-record.ts';
import { gate, until } from '../support/events.ts';
import { described, type FaultWorld, faultWorld, inspect } from '../support/fault-world.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { isAlive, untilDead } from '../support/processes.ts';

/** Of another length than ours: compiled code is kept by file name, and V8 tells two sources apart by their length. */
const OLDER = '0.0.1-before';

/** Of the broker that owns the key now: its process, its server and why it will have stopped. */
async function watched(world: FaultWorld) {
  const record = await world.recordWhere(() => true, 'a descriptor');
  const directory = daemonDirectory(world.workspace.stateDir, record.key);
  const server = world.serverPids().at(-1) ?? 0;
  return {
    ...record,
    server,
    reason: async () => {
      await Promise.all([untilDead(record.process.pid, 30_000), untilDead(server, 30_000)]);
      const exit = readLastExit(directory);
      expect(exit?.generation).toBe(record.generation);
      return exit?.reason;
    },
  };
}

describe('an idle broker', () => {
  it('leaves after its time, shuts the server down in order, and the next session has a new one', async () => {
    await using world = faultWorld();
    const args = ['--idle-timeout', '0.01'];
    const session = await world.start({ args });
    expect(await inspect(session, 1)).toBe(described(1));
    const broker = await watched(world);
    expect((await world.status()).idleExitInMs).toBeNull();
    await session.close();
    expect(await broker.reason()).toMatch(/^idle/);
    expect(world.server.journal.received('shutdown')).toHaveLength(1);
    expect(world.server.journal.matching(['exit'])).toMatchObject([{ code: 0 }]);
    expect(world.records()).toEqual([]);
    expect(await inspect(await world.start(), 2)).toBe(described(2));
    await world.end();
  });

  it('stays while a call takes longer than the idle time, and serves whoever comes just then', async () => {
    await using world = faultWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'textDocument/hover', nth: 1, do: { gate: gate(scratch, 'answer').path } }],
      }),
    });
    const args = ['--idle-timeout', '0'];
    const session = await world.start({ args });
    const slow = inspect(session, 1);
    await world.server.journal.waitFor(['received', 'textDocument/hover']);
    // With no time at all, each of these meets a broker that is about to leave, leaving, or gone.
    for (let line = 2; line <= 6; line++) {
      const passing = await world.start({ args });
      expect(await inspect(passing, line)).toBe(described(line));
      await passing.close();
    }
    gate(world.workspace.scratch, 'answer').open();
    expect(await slow).toBe(described(1));
    await session.close();
    for (let line = 7; line <= 9; line++) {
      const passing = await world.start({ args });
      expect(await inspect(passing, line)).toBe(described(line));
      await passing.close();
    }
    await until(() => world.brokerProcesses().length === 0, { what: 'the end of the last broker' });
    await world.end();
  });
});

describe('daemon-stop', () => {
  it('lets running calls finish while a newcomer is served by a successor', async () => {
    await using world = faultWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'textDocument/hover', instances: [1], do: { gate: gate(scratch, 'answer').path } }],
      }),
    });
    const session = await world.start();
    const running = inspect(session, 1);
    await world.server.journal.waitFor(['received', 'textDocument/hover']);
    const broker = await watched(world);
    const stopping = world.run(['daemon-stop', '--all']);
    await until(() => world.records().length === 0, { what: 'a broker that gives up its name' });

    expect(await inspect(await world.start(), 2)).toBe(described(2));
    expect(world.serverPids()).toHaveLength(2);
    // The session that has a call running there goes to the successor with the next one.
    expect(await inspect(session, 3)).toBe(described(3));
    gate(world.workspace.scratch, 'answer').open();
    expect(await running).toBe(described(1));
    const askedOf = (instance: number) =>
      world.server.journal.received('textDocument/hover').filter((entry) => entry.instance === instance);
    expect([askedOf(1).length, askedOf(2).length]).toEqual([1, 2]);
    expect(await stopping).toMatchObject({ code: 0, out: expect.stringContaining('stopped') });
    await untilDead(broker.server);
    expect(world.brokerProcesses()).toHaveLength(1);
    await world.end();
  });

  it('--now ends running calls, which are asked again elsewhere', async () => {
    await using world = faultWorld({
      scenario: { rules: [{ on: 'textDocument/hover', instances: [1], do: { never: true } }] },
    });
    const session = await world.start();
    const running = inspect(session, 1);
    await world.server.journal.waitFor(['received', 'textDocument/hover']);
    const broker = await watched(world);
    expect(await world.run(['daemon-stop', '--all', '--now'])).toMatchObject({ code: 0 });
    expect(await running).toBe(described(1));
    expect(isAlive(broker.server)).toBe(false);
    await world.end();
  });
});

describe('a server that does not want to leave', () => {
  it('is ended with its children by daemon-stop', async () => {
    await using world = faultWorld({
      scenario: { stubborn: ['shutdown', 'exit', 'stdin', 'SIGTERM'], grandchildren: { count: 2 } },
    });
    const session = await world.start();
    expect(await inspect(session, 1)).toBe(described(1));
    await session.close();
    expect((await world.run(['daemon-stop', '--all'])).code).toBe(0);
    await world.end();
  });
});

describe('daemon-restart', () => {
  it('brings up a new broker and server, and attached sessions go on with it', async () => {
    await using world = faultWorld();
    const session = await world.start();
    expect(await inspect(session, 1)).toBe(described(1));
    const broker = await watched(world);
    const restarted = await world.run(['daemon-restart', '--all', '--now']);
    expect(restarted).toMatchObject({ code: 0, out: expect.stringContaining('restarted') });
    expect(await broker.reason()).toBe('daemon-restart');
    await world.recordWhere((record) => record.generation !== broker.generation, 'a successor');
    expect(await inspect(session, 2)).toBe(described(2));
    expect(world.serverPids()).toHaveLength(2);
    await world.end();
  });
});

describe('another release', () => {
  it('that is newer replaces the broker of an older one, whose sessions go on with the new one', async () => {
    await using world = faultWorld();
    const older = await world.start({ program: installedCopy(world, 'older', OLDER) });
    expect(await inspect(older, 1)).toBe(described(1));
    const broker = await watched(world);
    expect(broker.version).toBe(OLDER);
    const newer = await world.start();
    expect(await inspect(newer, 2)).toBe(described(2));
    expect(await broker.reason()).toBe(`replaced by version ${packageJson.version}`);
    expect(await inspect(older, 3)).toBe(described(3));
    expect(world.records().map(({ version }) => version)).toEqual([packageJson.version]);
    expect(world.serverPids()).toHaveLength(2);
    await world.end();
  });

  it('that was installed over a running one takes over when nobody is attached', async () => {
    await using world = faultWorld();
    const program = installedCopy(world, 'replaced', packageJson.version);
    const first = await world.start({ program });
    expect(await inspect(first, 1)).toBe(described(1));
    const broker = await watched(world);
    utimesSync(program, new Date(), new Date(Date.now() + 5_000));
    const second = await world.start({ program });
    expect(await inspect(second, 2)).toBe(described(2));
    expect(world.serverPids()).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
    expect(await broker.reason()).toContain('replaced on disk');
    expect(await inspect(await world.start({ program }), 3)).toBe(described(3));
    await world.end();
  });
});

/** The built program in a place of its own, as if it were of another version. */
function installedCopy(world: FaultWorld, name: string, version: string): string {
  const place = path.join(world.workspace.scratch, name);
  const dist = path.join(place, 'dist');
  mkdirSync(place);
  cpSync(path.dirname(BUILT_PROGRAM), dist, { recursive: true });
  for (const file of readdirSync(dist)) {
    const text = readFileSync(path.join(dist, file), 'latin1');
    writeFileSync(
      path.join(dist, file),
      text.replaceAll(`"${packageJson.version}"`, `"${version}"`),
      'latin1',
    );
  }
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ ...packageJson, version }));
  symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(place, 'node_modules'));
  return path.join(dist, path.basename(BUILT_PROGRAM));
}
