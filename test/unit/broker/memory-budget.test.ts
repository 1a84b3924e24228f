/** Whose server has to sleep when all take too much memory, and that nobody is ever interrupted by it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BudgetEntry,
  type BudgetLimits,
  overBudget,
  sleepsIn,
  type UseFigures,
} from '../../../src/broker/budget.ts';
import { askToSleep, otherBrokers } from '../../../src/broker/neighbours.ts';
import { systemClock } from '../../../src/shared/base/lifetime.ts';
import { silentLog } from '../../../src/shared/base/log.ts';
import type { BrokerChannel } from '../../../src/shared/rendezvous/broker-channel.ts';
import { BROKER } from '../../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../../src/shared/rendezvous/broker-protocol.ts';
import { type InsideBroker, insideBroker } from '../../support/broker-inside.ts';
import { ask, attached, connected } from '../../support/broker-world.ts';
import { until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createWorkspace } from '../../support/workspace.ts';

const MINUTE = 60_000;
const MEGABYTE = 1024 * 1024;
const LIMITS: BudgetLimits = {
  maxIdlePerLanguage: 3,
  maxIdleBytes: 1e18,
  maxBytes: 1000 * MEGABYTE,
  sleepAfterMs: 2 * MINUTE,
};

describe('who gives way when all take too much', () => {
  it('nobody, as long as they do not', () => {
    const brokers = [open('/a', { quietMs: 1e9 }), open('/b', { quietMs: 1e9 })];
    expect(overBudget(brokers, LIMITS)).toEqual({ evictions: [], lookAgainInMs: undefined });
  });

  it('first brokers without a session, however recently they were used, then servers that nobody asks', () => {
    const brokers = [
      open('/quiet', { quietMs: 60 * MINUTE }),
      open('/busy', { quietMs: 0 }),
      left('/left', { lastActivityAt: 9 }),
      left('/left-before', { lastActivityAt: 8 }),
    ];
    expect(chosen(brokers, 1999)).toEqual(['leave /left-before']);
    expect(chosen(brokers, 1400)).toEqual(['leave /left-before', 'leave /left']);
    expect(chosen(brokers, 999)).toEqual(['leave /left-before', 'leave /left', 'sleep /quiet']);
  });

  it('the one that was asked longest ago, and only as many as it takes', () => {
    const brokers = [3, 9, 5, 7].map((minutes) => open(`/${minutes}`, { quietMs: minutes * MINUTE }));
    expect(chosen(brokers, 1999)).toEqual(['sleep /9']);
    // Brokers stay, with what they take themselves.
    expect(chosen(brokers, 1550)).toEqual(['sleep /9']);
    expect(chosen(brokers, 1549)).toEqual(['sleep /9', 'sleep /7']);
    expect(overBudget(brokers, { ...LIMITS, maxBytes: 1999 * MEGABYTE }).evictions[0]?.reason).toBe(
      'memory budget (all servers used 2000 MB of 1999 MB)',
    );
  });

  it('all other roots before the one that asked last, also its server that is asked less often', () => {
    const brokers = [
      open('/current', { quietMs: 30 * MINUTE }, { language: 'python' }),
      open('/current', { quietMs: 0 }, { language: 'typescript' }),
      open('/other', { quietMs: 3 * MINUTE }),
    ];
    expect(chosen(brokers, 1400)).toEqual(['sleep /other']);
    expect(chosen(brokers, 1)).toEqual(['sleep /other', 'sleep /current']);
  });

  it('nobody who is being asked, not even when that goes on for hours', () => {
    expect(chosen([open('/a', { running: 1, quietMs: 1e9 })], 1)).toEqual([]);
  });

  it('nobody who was asked a moment ago; it is looked at again when that is long ago', () => {
    const brokers = [open('/a', { quietMs: 30_000 }), open('/b', { quietMs: 90_000 })];
    expect(overBudget(brokers, { ...LIMITS, maxBytes: 1 })).toEqual({ evictions: [], lookAgainInMs: 30_000 });
  });

  it('nobody who builds an index, unless it can never fit', () => {
    const indexing = open('/a', { isSettled: false, quietMs: 5 * MINUTE });
    expect(chosen([indexing, open('/b', { quietMs: 0 })], 600)).toEqual([]);
    expect(chosen([indexing], 499)).toEqual(['sleep /a']);
  });

  it('nobody who was woken less than ten minutes ago: that would be waking and sleeping in turns', () => {
    const woken = (minutes: number) => open('/a', { quietMs: 5 * MINUTE, awakeMs: minutes * MINUTE });
    expect(chosen([woken(9)], 1)).toEqual([]);
    expect(overBudget([woken(9)], { ...LIMITS, maxBytes: 1 }).lookAgainInMs).toBe(MINUTE);
    expect(chosen([woken(10)], 1)).toEqual(['sleep /a']);
  });

  it('nobody who sleeps already, has no server, or is of a version that cannot', () => {
    const { use: _use, ...older } = open('/old', { quietMs: 1e9 });
    const asleep = { ...open('/asleep', { quietMs: 1e9 }), treeRssBytes: 50 * MEGABYTE, serverRssBytes: 0 };
    expect(overBudget([older, asleep], { ...LIMITS, maxBytes: 1 })).toEqual({
      evictions: [],
      lookAgainInMs: undefined,
    });
  });

  it('not a broker without a session whose server is coming up: whoever started it is about to come', () => {
    const starting = left('/a', { use: use({ isSettled: false }) });
    expect(chosen([starting], 1)).toEqual([]);
  });

  it('whoever it is: it was not in use, roots that were quiet longer went before it, and too many never are', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 12 }), fc.nat(6000), fc.nat(), (drafts, limit, turn) => {
        const brokers = drafts.map((draft, index) => ({ ...draft, generation: `g${index}` }));
        const limits = { ...LIMITS, maxIdlePerLanguage: 99, maxBytes: limit * MEGABYTE };
        const verdict = overBudget(brokers, limits);
        const sleeping = verdict.evictions.filter(({ how }) => how === 'sleep').map(({ broker }) => broker);
        const leavers = verdict.evictions.filter(({ how }) => how === 'leave').map(({ broker }) => broker);

        for (const each of sleeping) {
          expect(each.idle).toBe(false);
          expect(each.use?.running).toBe(0);
          expect(each.use?.quietMs).toBeGreaterThanOrEqual(LIMITS.sleepAfterMs);
          expect(each.use?.awakeMs ?? 1e9).toBeGreaterThanOrEqual(10 * MINUTE);
          if (!each.use?.isSettled) expect(each.treeRssBytes).toBeGreaterThan(limits.maxBytes);
        }
        const rootQuiet = (each: BudgetEntry) =>
          Math.min(...brokers.filter(({ root }) => root === each.root).map(({ use }) => use.quietMs));
        const last = sleeping.at(-1);
        for (const each of brokers) {
          const couldSleep = !each.idle && sleepsIn(each, limits) === 0 && !sleeping.includes(each);
          if (last && couldSleep) expect(rootQuiet(each)).toBeLessThanOrEqual(rootQuiet(last));
        }
        // Nobody sleeps while somebody could have left, and the last one was still needed.
        const idleLeft = brokers.filter(
          (each) => each.idle && each.use?.isSettled && !leavers.includes(each),
        );
        if (sleeping.length > 0) expect(idleLeft).toEqual([]);
        const freed = [...leavers.map(({ treeRssBytes }) => treeRssBytes), ...sleeping.map(serverBytes)];
        const all = brokers.reduce((sum, { treeRssBytes }) => sum + treeRssBytes, 0);
        const left = freed.slice(0, -1).reduce((sum, bytes) => sum - bytes, all);
        if (freed.length > 0) expect(left).toBeGreaterThan(limits.maxBytes);

        const at = brokers.length === 0 ? 0 : turn % brokers.length;
        expect(overBudget([...brokers.slice(at), ...brokers.slice(0, at)].reverse(), limits)).toEqual(
          verdict,
        );
      }),
    );
  });
});

describe('a broker that is asked to let its server sleep', () => {
  const options = { clock: systemClock, log: silentLog };

  it('does so with sessions attached: they are told, and their next question is answered by the server that it wakes', async () => {
    await using place = createWorkspace();
    await using world = await large(place.stateDir, { sleepAfterMs: 0 });
    using session = await attached(world.record);
    expect(await ask(session, 'test/echo', 1)).toBe(1);
    const [found] = await otherBrokers(world.workspace.stateDir, 'somebody else', options);
    if (!found) throw new Error('no neighbour was found');
    expect(found).toMatchObject({ idle: false, use: { running: 0, isSettled: true, awakeMs: null } });
    const told = new Promise((resolve) => {
      session.onNotification(({ method, params }) => method === 'state' && resolve(params));
    });
    expect(await askToSleep(found, 'memory budget (test)', options)).toBe('asleep');
    expect(await told).toEqual({ state: { kind: 'idle', asleep: 'memory budget (test)' } });
    // Nobody can be put to sleep twice.
    expect(await askToSleep(found, 'memory budget (test)', options)).toBe('left alone');
    expect(await otherBrokers(world.workspace.stateDir, 'somebody else', options)).toMatchObject([
      { serverRssBytes: 0 },
    ]);
    expect(await ask(session, 'test/echo', 2)).toBe(2);
    expect(await status(session)).toMatchObject({
      state: { kind: 'ready' },
      use: { awakeMs: expect.any(Number) },
    });
  });

  it('does not while a call is running, and does when it has ended', async () => {
    await using place = createWorkspace();
    await using world = await large(place.stateDir, { sleepAfterMs: 0 });
    using session = await attached(world.record);
    using other = await connected(world.record);
    const cancel = new AbortController();
    const running = ask(session, 'test/hang', null, cancel.signal).catch(() => 'ended');
    await until(() => world.host.running === 1, { what: 'a running call' });
    expect(await other.request(BROKER.sleep, { reason: 'memory budget' })).toBe(false);
    cancel.abort();
    expect(await running).toBe('ended');
    await until(async () => (await other.request(BROKER.sleep, { reason: 'memory budget' })) === true, {
      what: 'sleep',
    });
  });

  it('does not before its time: two minutes without a question, ten minutes after it was woken', async () => {
    const clock = new FakeClock();
    await using place = createWorkspace();
    await using world = await large(place.stateDir, { clock, sleepAfterMs: 2 * MINUTE });
    using session = await attached(world.record);
    const sleeps = () => session.request(BROKER.sleep, { reason: 'memory budget' });
    await ask(session, 'test/echo', 1);
    await clock.advance(2 * MINUTE - 1);
    // Looking is no question.
    await session.request(BROKER.openDocuments, {});
    expect(await sleeps()).toBe(false);
    await clock.advance(1);
    expect(await sleeps()).toBe(true);
    await ask(session, 'test/echo', 2);
    await clock.advance(10 * MINUTE - 1);
    expect(await sleeps()).toBe(false);
    await clock.advance(1);
    expect(await sleeps()).toBe(true);
  });
});

describe('a broker with sessions that looks after the budget', () => {
  it('puts its own server to sleep when that is over the budget and quiet, and not before', async () => {
    const clock = new FakeClock();
    await using place = createWorkspace();
    await using world = await large(place.stateDir, { clock, sleepAfterMs: 2 * MINUTE, maxBytes: 1 });
    using session = await attached(world.record);
    await ask(session, 'test/echo', 1);
    expect(await quietUntilAsleep(world, clock)).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(world.host.state).toMatchObject({
      asleep: expect.stringMatching(/^memory budget \(all servers used/),
    });
    expect(await ask(session, 'test/echo', 2)).toBe(2);
  });

  it('notices that its server has grown after the last answer, and then no longer looks', async () => {
    const clock = new FakeClock();
    await using place = createWorkspace();
    let [bytes, looks] = [0, 0];
    const usage = async () => {
      looks++;
      return { 1: { memory: bytes, cpu: 0 } };
    };
    const limits = { sleepAfterMs: 2 * MINUTE, maxBytes: 1e12 };
    await using world = await large(place.stateDir, { clock, ...limits }, usage);
    using session = await attached(world.record);
    await ask(session, 'test/echo', 1);
    await until(
      async () => {
        await clock.advance(1000);
        return looks > 0;
      },
      { what: 'a look after the answer' },
    );
    bytes = 2e12;
    expect(await quietUntilAsleep(world, clock)).toBeLessThan(4 * MINUTE);
    const before = looks;
    await clock.advance(60 * MINUTE);
    expect(looks).toBeLessThanOrEqual(before + 1);
  });
});

/** How long that took on the broker's clock. */
async function quietUntilAsleep({ host }: InsideBroker, clock: FakeClock): Promise<number> {
  const from = clock.now();
  await until(
    async () => {
      await clock.advance(1000);
      return host.state.kind === 'idle';
    },
    { what: 'the server to sleep' },
  );
  return clock.now() - from;
}

/** In a state directory of its own nobody else is looked at. */
function large(
  stateDirectory: string,
  { clock, ...limits }: Partial<BudgetLimits> & { clock?: FakeClock },
  usage = async () => ({ 1: { memory: 1e12, cpu: 0 } }),
): Promise<InsideBroker> {
  return insideBroker({
    ...(clock ? { clock } : {}),
    serverPid: process.pid,
    memory: { tree: async () => [1], usage },
    budget: { stateDirectory, limits: { ...LIMITS, maxBytes: 1e15, ...limits } },
  });
}

function status(session: Pick<BrokerChannel, 'request'>): Promise<BrokerStatus> {
  return session.request(BROKER.status, {});
}

const serverBytes = ({ serverRssBytes }: BudgetEntry) => serverRssBytes;

const anyUse = fc.record({
  running: fc.constantFrom(0, 0, 1),
  quietMs: fc.nat(10).map((minutes) => minutes * MINUTE),
  isSettled: fc.boolean(),
  awakeMs: fc.option(fc.nat(20).map((minutes) => minutes * MINUTE)),
});
const anyEntry = fc
  .record({
    root: fc.constantFrom('/a', '/b', '/c'),
    idle: fc.boolean(),
    lastActivityAt: fc.nat(8),
    megabytes: fc.nat(900),
    use: anyUse,
  })
  .map(({ megabytes, ...rest }) => ({
    ...open(rest.root, rest.use),
    ...rest,
    treeRssBytes: (megabytes + 50) * MEGABYTE,
    serverRssBytes: megabytes * MEGABYTE,
  }));

function chosen(brokers: readonly BudgetEntry[], megabytes: number): readonly string[] {
  const { evictions } = overBudget(brokers, { ...LIMITS, maxBytes: megabytes * MEGABYTE });
  return evictions.map(({ how, broker }) => `${how} ${broker.root}`);
}

function use(change: Partial<UseFigures>): UseFigures {
  return { running: 0, quietMs: 0, isSettled: true, awakeMs: null, ...change };
}

/** With a session. */
function open(root: string, change: Partial<UseFigures>, rest: Partial<BudgetEntry> = {}): BudgetEntry {
  return {
    generation: `${root} ${rest.language ?? ''}`,
    language: 'go',
    root,
    idle: false,
    lastActivityAt: 1,
    treeRssBytes: 500 * MEGABYTE,
    serverRssBytes: 450 * MEGABYTE,
    use: use(change),
    ...rest,
  };
}

/** Without one. */
function left(root: string, rest: Partial<BudgetEntry>): BudgetEntry {
  return { ...open(root, {}), idle: true, ...rest };
}
