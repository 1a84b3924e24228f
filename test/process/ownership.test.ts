/** Who owns a key, with real processes that are killed, stopped and raced. */
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrashPoint } from '../../src/broker/crash-points.ts';
import { identifyProcess, ownIdentity } from '../../src/shared/process/process-identity.ts';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import { readLastExit } from '../../src/shared/rendezvous/daemon-notes.ts';
import { RecordFile, recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import {
  ask,
  attached,
  type BrokerWorld,
  type BuiltEntry,
  brokerWorld,
  buildEntry,
  connected,
} from '../support/broker-world.ts';
import { until } from '../support/events.ts';
import { isAlive, untilDead } from '../support/processes.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry();
});
afterAll(() => entry[Symbol.dispose]());

function plant(world: BrokerWorld, change: Parameters<BrokerWorld['forgedRecord']>[0]): void {
  mkdirSync(world.directory, { recursive: true, mode: 0o700 });
  new RecordFile(recordPath(world.directory), world.forgedRecord(change)).close();
}

describe('becoming the owner', () => {
  it('publishes, answers, and leaves nothing but notes', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    using channel = await connected(owner.record);
    expect(await channel.request(BROKER.ping, {})).toBeNull();
    expect(lstatSync(recordPath(world.directory)).mode & 0o777).toBe(0o600);
    expect(lstatSync(world.directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(world.directory).sort()).toEqual(
      ['broker.log', 'daemon.json', 'daemon.pid', path.basename(owner.record.socketPath)].sort(),
    );
    await world.stop(owner);
    expect(readLastExit(world.directory)).toMatchObject({
      reason: 'signal SIGTERM',
      generation: owner.record.generation,
      pid: owner.pid,
    });
  });

  it('is for one only, and the others say so and leave', async () => {
    await using world = brokerWorld(entry);
    const owner = await world.owner();
    const second = world.start();
    expect(await second.line).toBe('lost');
    expect(await second.exit).toEqual({ code: 0, signal: null });
    expect(world.record()?.generation).toBe(owner.record.generation);
    await world.stop(owner);
  });

  it('gives one owner among 16 contenders, round after round, with crashes at every step', async () => {
    await using world = brokerWorld(entry);
    const points: CrashPoint[] = [
      'after-bind',
      'before-publish',
      'after-publish',
      'after-grave',
      'after-unlink',
    ];
    for (let round = 0; round < 4; round++) {
      const brokers = Array.from({ length: 16 }, (_, index) => {
        const point = points[(index + round) % 8];
        return world.start(point ? { AGENT_LSP_CRASH_AT: point } : {});
      });
      const lines = await Promise.all(brokers.map((broker) => broker.line));
      const ready = brokers.filter((_, index) => lines[index]?.startsWith('ready '));
      const owner = await until(() => ready.find((broker) => broker.pid === world.record()?.process.pid), {
        what: 'a living owner',
        seen: () => JSON.stringify(lines),
      });
      const living = ready.filter((broker) => isAlive(broker.pid));
      expect(living.map((broker) => broker.pid)).toEqual([owner.pid]);
      for (const line of lines) expect(line === undefined || /^(ready |lost$)/.test(line)).toBe(true);
      using channel = await attached(world.record() ?? expect.unreachable());
      expect(await ask(channel, 'test/echo', round)).toBe(round);
      owner.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await Promise.all(brokers.map((broker) => broker.exit));
    }
    await world.stop(await world.owner());
  });
});

describe('a stale descriptor', () => {
  it('of a dead process is taken over', async () => {
    await using world = brokerWorld(entry);
    const first = await world.owner();
    first.child.kill('SIGKILL');
    await first.exit;
    expect(world.record()?.generation).toBe(first.record.generation);
    const second = await world.owner();
    expect(second.record.generation).not.toBe(first.record.generation);
    expect(existsSync(first.record.socketPath)).toBe(false);
    await world.stop(second);
  });

  it('whose pid now belongs to a foreign process is taken over, and that process is never signalled', async () => {
    await using world = brokerWorld(entry);
    const script =
      'for (const s of ["SIGTERM","SIGINT","SIGHUP"]) process.on(s, () => process.exit(66)); setInterval(() => {}, 1e9)';
    const foreign = spawn(process.execPath, ['-e', `${script}; process.stdout.write("up")`], {
      env: world.workspace.env(),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    await new Promise((resolve) => foreign.stdout.once('data', resolve));
    const reused = { ...(identifyProcess(foreign.pid ?? 0) ?? ownIdentity()), startTime: '1' };
    plant(world, { process: reused });
    writeFileSync(
      path.join(world.directory, 'server-deadbeefdeadbeef.json'),
      JSON.stringify({ generation: 'deadbeefdeadbeef', broker: reused, process: reused }),
    );
    const owner = await world.owner();
    expect(owner.record.generation).not.toBe('deadbeefdeadbeef');
    owner.child.kill('SIGTERM');
    await owner.exit;
    expect(foreign.exitCode).toBeNull();
    expect(isAlive(foreign.pid ?? 0)).toBe(true);
    foreign.kill('SIGKILL');
    await untilDead(foreign.pid ?? 0);
  });

  it('of a living process without a socket is left alone', async () => {
    await using world = brokerWorld(entry);
    plant(world, {});
    const contender = world.start();
    expect(await contender.line).toMatch(/^busy .*alive/);
    expect(await contender.exit).toEqual({ code: 2, signal: null });
    expect(world.record()?.generation).toBe('deadbeefdeadbeef');
    expect(readdirSync(world.directory).sort()).toEqual(['broker.log', 'daemon.json']);
  });

  it.each([
    { what: 'garbage', make: (file: string) => writeFileSync(file, '{"generation":') },
    { what: 'empty', make: (file: string) => writeFileSync(file, '') },
    { what: 'a directory', make: (file: string) => mkdirSync(file) },
    { what: 'a dangling symlink', make: (file: string) => symlinkSync('/nowhere', file) },
  ])('that is $what is put away', async ({ make }) => {
    await using world = brokerWorld(entry);
    mkdirSync(world.directory, { recursive: true, mode: 0o700 });
    make(recordPath(world.directory));
    const contenders = await Promise.all(
      [world.start(), world.start(), world.start()].map(async (b) => [b, await b.line] as const),
    );
    expect(contenders.map(([, line]) => line?.split(' ')[0]).sort()).toEqual(['lost', 'lost', 'ready']);
    const owner = contenders.find(([, line]) => line?.startsWith('ready'))?.[0];
    await world.stop(owner ?? expect.unreachable());
  });

  it('that is a symlink to a file elsewhere leaves that file untouched', async () => {
    await using world = brokerWorld(entry);
    const precious = world.workspace.write('precious.json', '{"precious": true}');
    mkdirSync(world.directory, { recursive: true, mode: 0o700 });
    symlinkSync(precious, recordPath(world.directory));
    await world.stop(await world.owner());
    expect(world.workspace.read('precious.json')).toBe('{"precious": true}');
  });
});
