/** Front ends that are killed, leave with calls pending, or use the same ids as others. */
import { describe, expect, it } from 'vitest';
import { gate, type JournalEntry, until } from '../support/events.ts';
import type { FaultSession } from '../support/fault-session.ts';
import { described, type FaultWorld, faultWorld, inspect } from '../support/fault-world.ts';

const NEVER = { rules: [{ on: 'textDocument/hover', do: { never: true } }] } as const;
const STUBBORN = {
  ...NEVER,
  stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin', 'cancel'],
  grandchildren: { count: 2 },
} as const;
/** Five seconds are promised (test/unit/shared/host/process/orphan-time.test.ts); a machine with other work is given three times as long. */
const ORPHANS_GONE_MS = 15_000;

function hovers(world: FaultWorld): readonly JournalEntry[] {
  return world.server.journal.received('textDocument/hover');
}

/** Ids that the server was told to forget, in order. */
function cancelled(world: FaultWorld): readonly unknown[] {
  return world.server.journal
    .received('$/cancelRequest')
    .map(({ message }) => (message?.params as { id: unknown } | undefined)?.id);
}

/** The hover of a line, by the id that the server knows. */
function idAtServer(world: FaultWorld, line: number): unknown {
  const asked = hovers(world).filter(
    ({ message }) =>
      (message?.params as { position: { line: number } } | undefined)?.position.line === line - 1,
  );
  expect(asked).toHaveLength(1);
  return asked[0]?.message?.id;
}

describe('a front end that is killed with twenty calls in flight', () => {
  it('is cleaned up after by the broker, which serves the others meanwhile', async () => {
    await using world = faultWorld({ scenario: NEVER });
    const [victim, other] = [await world.start(), await world.start()];
    const symbols = () => other.call('list_symbols', { file_path: 'many.fake' });
    expect((await symbols()).text).toContain('f24');
    for (let line = 1; line <= 20; line++) void inspect(victim, line).catch(() => {});
    await world.untilPending(20);
    expect((await symbols()).text).toContain('f24');

    victim.signal('SIGKILL');
    await world.untilPending(0);
    expect((await symbols()).text).toContain('f24');
    // What had not had its turn was never sent; the server was told about all the rest.
    const asked = hovers(world).map(({ message }) => message?.id);
    expect(asked.length).toBeGreaterThan(0);
    expect([...cancelled(world)].sort()).toEqual([...asked].sort());
    expect((await world.status()).sessions).toHaveLength(1);
    expect(world.server.journal.received('initialize')).toHaveLength(1);
    await world.end();
  });

  it('leaves nothing of a stubborn server and its children in direct mode', async () => {
    await using world = faultWorld({ scenario: STUBBORN });
    const victim = await world.start({ daemon: 'never' });
    for (let line = 1; line <= 20; line++) void inspect(victim, line).catch(() => {});
    await until(() => hovers(world).length === 20, { what: 'twenty calls at the server' });
    victim.signal('SIGKILL');
    await victim.exited;
    await world.workspace.expectNothingLeft(ORPHANS_GONE_MS);
    await world.end();
  });

  it('leaves nothing of a stubborn server when its broker is killed as well', async () => {
    await using world = faultWorld({ scenario: STUBBORN });
    const victim = await world.start();
    for (let line = 1; line <= 20; line++) void inspect(victim, line).catch(() => {});
    await world.untilPending(20);
    const { process: broker } = await world.recordWhere(() => true, 'a descriptor');
    victim.signal('SIGKILL');
    process.kill(broker.pid, 'SIGKILL');
    await world.workspace.expectNothingLeft(ORPHANS_GONE_MS).catch((error: unknown) => {
      // The descriptor and the socket are the next owner's to clear; here only processes count.
      if (!String(error).includes('left behind')) throw error;
    });
    world.server.rewrite({});
    expect(await inspect(await world.start(), 1)).toBe(described(1));
    await world.end();
  });
});

describe('request ids', () => {
  it.each(['always', 'never'] as const)(
    'of two front ends may be the same, and only the own one is cancelled (daemon %s)',
    async (daemon) => {
      await using world = faultWorld({
        scenario: ({ scratch }) => ({
          rules: [{ on: 'textDocument/hover', do: { gate: gate(scratch, 'answer').path } }],
        }),
      });
      const [one, two] = [await world.start({ daemon }), await world.start({ daemon })];
      const mine = inspect(one, 1, 7);
      const alsoMine = inspect(one, 2, '7');
      const theirs = inspect(two, 3, 7);
      const onlyTheirs = inspect(two, 4, 8);
      await until(() => hovers(world).length === 4, { what: 'all calls at the server' });

      await one.cancel(8);
      await one.cancel('handshake');
      await one.cancel('unknown');
      await one.cancel(7);
      await until(() => cancelled(world).length > 0, { what: 'a cancellation' });
      expect(cancelled(world)).toEqual([idAtServer(world, 1)]);

      gate(world.workspace.scratch, 'answer').open();
      expect(await Promise.all([alsoMine, theirs, onlyTheirs])).toEqual([2, 3, 4].map(described));
      for (const finished of [8, 7, '7']) for (const session of [one, two]) await session.cancel(finished);
      expect(await inspect(one, 5, 'last')).toBe(described(5));
      expect(await inspect(two, 6, 'last')).toBe(described(6));
      expect(cancelled(world)).toEqual([idAtServer(world, 1)]);
      expect(one.answerCounts()).toEqual({ '"handshake"': 1, '"7"': 1, '"last"': 1 });
      expect(two.answerCounts()).toEqual({ '"handshake"': 1, 7: 1, 8: 1, '"last"': 1 });
      // A call that nobody answers does not hold the test.
      void mine.catch(() => {});
      await world.end();
    },
  );
});

describe('two front ends with the same search', () => {
  it('make the server work once, and the one that is killed does not take it from the other', async () => {
    await using world = faultWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'textDocument/references', do: { gate: gate(scratch, 'answer').path } }],
      }),
    });
    const [victim, other] = [await world.start(), await world.start()];
    const search = (session: FaultSession) =>
      session.call('find_references', {
        file_path: 'many.fake',
        line: 3,
        column: 10,
        include_declaration: true,
      });
    void search(victim).catch(() => {});
    await world.server.journal.waitFor(['received', 'textDocument/references']);
    const found = search(other);
    await world.untilPending(2);
    // It takes the same way through the broker: when it is answered, the search before it has been taken there.
    expect((await other.call('find_symbol', { query: 'f3' })).text).toContain('f3');

    victim.signal('SIGKILL');
    await world.untilPending(1);
    gate(world.workspace.scratch, 'answer').open();
    expect((await found).text).toContain('1 reference to f3 (many.fake:3:10)');
    expect(world.server.journal.received('textDocument/references')).toHaveLength(1);
    expect(cancelled(world)).toEqual([]);
    await world.end();
  });
});

describe('a front end with calls pending', () => {
  it.each([
    { daemon: 'always', end: 'the end of its input', code: 0 },
    { daemon: 'never', end: 'the end of its input', code: 0 },
    { daemon: 'always', end: 'SIGTERM', code: 143 },
    { daemon: 'never', end: 'SIGTERM', code: 143 },
  ] as const)('leaves (daemon $daemon) at $end, and takes its calls back', async ({ daemon, end, code }) => {
    await using world = faultWorld({ scenario: NEVER });
    const session = await world.start({ daemon });
    for (let line = 1; line <= 5; line++) void inspect(session, line).catch(() => {});
    await until(() => hovers(world).length === 5, { what: 'the calls at the server' });
    if (end === 'SIGTERM') session.signal('SIGTERM');
    else session.endInput();
    expect(await session.exited).toEqual({ code, signal: null });
    expect(session.answerCounts()).toEqual({ '"handshake"': 1 });
    if (daemon === 'always') {
      await world.untilPending(0);
      expect(cancelled(world)).toHaveLength(5);
      expect((await world.status()).sessions).toEqual([]);
    }
    await world.end();
  });

  it('leaves at the end of its input while it is still looking for a broker', async () => {
    await using world = faultWorld();
    const first = await world.start();
    expect(await inspect(first, 1)).toBe(described(1));
    const { process: broker } = await world.recordWhere(() => true, 'a descriptor');
    process.kill(broker.pid, 'SIGSTOP');
    const second = await world.start();
    void inspect(second, 2).catch(() => {});
    second.endInput();
    expect(await second.exited).toEqual({ code: 0, signal: null });
    process.kill(broker.pid, 'SIGCONT');
    await world.end();
  });
});
