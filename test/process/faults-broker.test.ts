/** A broker that is killed, stopped or loses its files under sessions that use it. */
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import type { FaultSession } from '../support/fault-session.ts';
import { DIRECT_NOTE, described, faultWorld, inspect } from '../support/fault-world.ts';
import { isAlive, processesOfTest, untilDead } from '../support/processes.ts';

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('kill -9 of the broker', () => {
  it('with twenty calls pending from two front ends: each gets one answer, from a new server', async () => {
    await using world = faultWorld({
      scenario: { rules: [{ on: 'textDocument/hover', instances: [1], do: { never: true } }] },
    });
    const sessions = [await world.start(), await world.start()] as const;
    const pending = [...lines(1, 10), ...lines(11, 20)].map((line, index) =>
      inspect(sessions[index < 10 ? 0 : 1], line, line),
    );
    await world.untilPending(20);
    const { process: broker } = await world.recordWhere(() => true, 'a descriptor');
    const [server = 0] = world.serverPids();
    process.kill(broker.pid, 'SIGKILL');

    expect(await Promise.all(pending)).toEqual(lines(1, 20).map(described));
    await untilDead(server);
    expect(world.server.journal.received('initialize')).toHaveLength(2);
    // Whatever was answered twice has come by the time of a later answer.
    for (const session of sessions) expect(await inspect(session, 21, 'last')).toBe(described(21));
    const once = (from: number, to: number) =>
      Object.fromEntries(['"handshake"', '"last"', ...lines(from, to)].map((id) => [id, 1]));
    expect(sessions[0].answerCounts()).toEqual(once(1, 10));
    expect(sessions[1].answerCounts()).toEqual(once(11, 20));
    await world.end();
  });

  it('between calls goes unnoticed, and open documents are open again', async () => {
    await using world = faultWorld({ text: '//- bad.fake\nERROR here\n' });
    const session = await world.start();
    expect((await session.call('open_document', { file_path: 'bad.fake' })).text).toContain('opened');
    const { process: broker } = await world.recordWhere(() => true, 'a descriptor');
    process.kill(broker.pid, 'SIGKILL');
    await untilDead(broker.pid);
    const { text, isError } = await session.call('get_diagnostics');
    expect({ text, isError }).toEqual({ text: expect.stringContaining('ERROR here'), isError: false });
    expect(text).not.toMatch(DIRECT_NOTE);
    await world.end();
  });
});

describe('a server whose broker and guard are both killed', () => {
  it('is ended by the next broker', async () => {
    await using world = faultWorld({
      scenario: { stubborn: ['stdin', 'SIGTERM'], grandchildren: { count: 1 } },
    });
    const session = await world.start();
    expect(await inspect(session, 1)).toBe(described(1));
    const { process: broker } = await world.recordWhere(() => true, 'a descriptor');
    const [server = 0] = world.serverPids();
    const [grandchild] = world.server.journal.matching(['grandchild']);
    for (const guard of processesOfTest(world.workspace.testId))
      if (guard.command.includes('agent-lsp-guard')) process.kill(guard.pid, 'SIGKILL');
    process.kill(broker.pid, 'SIGKILL');
    await untilDead(broker.pid);
    expect(isAlive(server)).toBe(true);
    expect(await inspect(session, 2)).toBe(described(2));
    await untilDead(server);
    await untilDead(Number(grandchild?.child));
    await world.end();
  });
});

describe('a broker that stands still', () => {
  it('is left alone: attached and new sessions go on without it, later ones use it again', async () => {
    await using world = faultWorld();
    const attached = await world.start();
    expect(await inspect(attached, 1)).toBe(described(1));
    const { generation, process: broker } = await world.recordWhere(() => true, 'a descriptor');
    const [server = 0] = world.serverPids();
    process.kill(broker.pid, 'SIGSTOP');

    const alone = async (session: FaultSession, line: number) => {
      const answer = await inspect(session, line);
      expect(answer.split('\n')[0]).toBe(described(line));
      expect(answer).toMatch(DIRECT_NOTE);
    };
    await Promise.all([alone(attached, 2), alone(await world.start(), 3)]);
    expect(world.records().map((record) => record.generation)).toEqual([generation]);
    expect(isAlive(broker.pid) && isAlive(server)).toBe(true);
    expect(world.brokerProcesses()).toHaveLength(1);

    const stop = await world.run(['daemon-stop', '--all', '--now']);
    expect(stop).toMatchObject({ code: 1, out: expect.stringContaining('still there') });
    expect(isAlive(broker.pid)).toBe(true);

    process.kill(broker.pid, 'SIGCONT');
    expect(await inspect(await world.start(), 4)).toBe(described(4));
    expect(world.serverPids()).toHaveLength(3);
    const asked = world.server.journal.received('textDocument/hover').at(-1);
    expect(asked?.pid).toBe(server);
    await world.end();
  });
});

describe('a state directory that is deleted', () => {
  it('harms no attached session, and a new one finds the same server', async () => {
    await using world = faultWorld();
    const attached = await world.start();
    expect(await inspect(attached, 1)).toBe(described(1));
    const { generation } = await world.recordWhere(() => true, 'a descriptor');
    rmSync(world.workspace.stateDir, { recursive: true });
    expect(await inspect(attached, 2)).toBe(described(2));
    await world.recordWhere((record) => record.generation === generation, 'the descriptor again');
    expect(await inspect(await world.start(), 3)).toBe(described(3));
    expect(await inspect(attached, 4)).toBe(described(4));
    expect(world.serverPids()).toHaveLength(1);
    await world.end();
  });

  it('loses no call of a session that comes before it is there again', async () => {
    await using world = faultWorld();
    const attached = await world.start();
    expect(await inspect(attached, 1)).toBe(described(1));
    const newcomer = await world.start();
    rmSync(world.workspace.stateDir, { recursive: true });
    const answers = await Promise.all([inspect(newcomer, 2), inspect(attached, 3)]);
    expect(answers).toEqual([described(2), described(3)]);
    await until(() => world.brokerProcesses().length === 1, { what: 'one broker again' });
    expect(await inspect(attached, 4)).toBe(described(4));
    expect(await inspect(newcomer, 5)).toBe(described(5));
    await world.end();
  });
});
