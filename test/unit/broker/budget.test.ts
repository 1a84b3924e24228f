/** Who has to leave when idle brokers are too many or too large, and that nobody in use ever has to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetEntry, type BudgetLimits, budgetFrom, overBudget } from '../../../src/broker/budget.ts';
import { askToLeave, otherBrokers } from '../../../src/broker/neighbours.ts';
import { systemClock } from '../../../src/shared/base/lifetime.ts';
import { silentLog } from '../../../src/shared/base/log.ts';
import { BROKER } from '../../../src/shared/rendezvous/broker-methods.ts';
import { readLastExit } from '../../../src/shared/rendezvous/daemon-notes.ts';
import { insideBroker } from '../../support/broker-inside.ts';
import { ask, attached, connected } from '../../support/broker-world.ts';
import { until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { createWorkspace } from '../../support/workspace.ts';

const ROOMY: BudgetLimits = {
  maxIdlePerLanguage: 3,
  maxIdleBytes: 1e12,
  maxBytes: 1e18,
  sleepAfterMs: 120_000,
};
const options = { clock: systemClock, log: silentLog };

describe('the decision', () => {
  it('keeps the three most recently used idle brokers of each language', () => {
    const brokers = [
      ...[1, 2, 3, 4, 5].map((at) => entry({ language: 'go', lastActivityAt: at })),
      ...[1, 2].map((at) => entry({ language: 'python', lastActivityAt: at })),
    ];
    const { evictions } = overBudget(brokers, ROOMY);
    expect(evictions.map(({ broker }) => [broker.language, broker.lastActivityAt])).toEqual([
      ['go', 1],
      ['go', 2],
    ]);
    expect(evictions[0]?.reason).toBe(
      'budget: at most 3 idle go servers are kept, and this one was used least recently',
    );
  });

  it('does not count brokers in use, however old they are', () => {
    const inUse = [1, 2, 3, 4].map((at) => entry({ idle: false, lastActivityAt: at, treeRssBytes: 1e15 }));
    const idle = [5, 6, 7].map((at) => entry({ lastActivityAt: at }));
    expect(overBudget([...inUse, ...idle], ROOMY).evictions).toEqual([]);
  });

  it('frees memory from the least recently used on, across languages, and stops when it is enough', () => {
    const megabyte = 1024 * 1024;
    const brokers = [
      entry({ language: 'go', lastActivityAt: 3, treeRssBytes: 400 * megabyte }),
      entry({ language: 'python', lastActivityAt: 1, treeRssBytes: 300 * megabyte }),
      entry({ language: 'rust', lastActivityAt: 2, treeRssBytes: 200 * megabyte }),
    ];
    const { evictions } = overBudget(brokers, { ...ROOMY, maxIdleBytes: 600 * megabyte });
    expect(evictions).toMatchObject([
      {
        broker: { language: 'python' },
        reason: 'budget: idle servers use 900 MB of 600 MB, and this one was used least recently',
      },
    ]);
  });

  it('a limit of none sends every idle broker away', () => {
    const brokers = [entry({}), entry({ idle: false })];
    expect(overBudget(brokers, { ...ROOMY, maxIdlePerLanguage: 0 }).evictions).toMatchObject([
      { broker: { idle: true } },
    ]);
  });

  it('what stays is within the limits, what leaves was idle and needed to leave, in whatever order they are found', () => {
    const limits = fc.record({ maxIdlePerLanguage: fc.nat(4), maxIdleBytes: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 20 }), limits, fc.nat(), (drafts, idleLimits, turn) => {
        const limit = { ...ROOMY, ...idleLimits };
        const brokers = drafts.map((draft, index) => entry({ ...draft, generation: `g${index}` }));
        const { evictions } = overBudget(brokers, limit);
        const leaving = new Set<BudgetEntry>(evictions.map(({ broker }) => broker));
        const staying = brokers.filter((broker) => broker.idle && !leaving.has(broker));
        const bytes = staying.reduce((sum, broker) => sum + broker.treeRssBytes, 0);

        expect(leaving.size).toBe(evictions.length);
        expect([...leaving].every((broker) => broker.idle)).toBe(true);
        expect(bytes).toBeLessThanOrEqual(limit.maxIdleBytes);
        for (const kept of staying) {
          const same = staying.filter(({ language }) => language === kept.language);
          expect(same.length).toBeLessThanOrEqual(limit.maxIdlePerLanguage);
        }
        for (const gone of leaving)
          for (const kept of staying)
            if (kept.language === gone.language)
              expect(gone.lastActivityAt).toBeLessThanOrEqual(kept.lastActivityAt);
        const last = evictions.at(-1);
        if (last?.reason.includes('MB'))
          expect(bytes + last.broker.treeRssBytes).toBeGreaterThan(limit.maxIdleBytes);

        const at = brokers.length === 0 ? 0 : turn % brokers.length;
        const turned = [...brokers.slice(at), ...brokers.slice(0, at)].reverse();
        expect(overBudget(turned, limit).evictions).toEqual(evictions);
      }),
    );
  });
});

describe('the limits', () => {
  it('are three per language and a quarter of the machine, half of it for all, unless the environment says otherwise', () => {
    expect(budgetFrom({}, 4000, silentLog)).toEqual({
      maxIdlePerLanguage: 3,
      maxIdleBytes: 1000,
      maxBytes: 2000,
      sleepAfterMs: 120_000,
    });
    const env = {
      AGENT_LSP_MAX_IDLE_PER_LANGUAGE: '0',
      AGENT_LSP_MAX_IDLE_MEMORY_MB: '2',
      AGENT_LSP_MAX_MEMORY_MB: '3',
      AGENT_LSP_SLEEP_AFTER_SECONDS: '4',
    };
    expect(budgetFrom(env, 4000, silentLog)).toEqual({
      maxIdlePerLanguage: 0,
      maxIdleBytes: 2 * 1024 * 1024,
      maxBytes: 3 * 1024 * 1024,
      sleepAfterMs: 4000,
    });
  });

  it('report a value that makes no sense and go on without it', () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (_event: string, fields?: object) => void warned.push(fields) };
    const env = { AGENT_LSP_MAX_IDLE_PER_LANGUAGE: 'many', AGENT_LSP_MAX_IDLE_MEMORY_MB: '-1' };
    expect(budgetFrom(env, 4000, log)).toMatchObject({ maxIdlePerLanguage: 3, maxIdleBytes: 1000 });
    expect(warned).toMatchObject([{ value: 'many' }, { value: '-1' }]);
  });
});

describe('a neighbour', () => {
  it('is asked to leave while idle, with the reason in its last note', async () => {
    await using world = await insideBroker();
    const [found, ...others] = await otherBrokers(world.workspace.stateDir, 'somebody else', options);
    if (!found) throw new Error('no neighbour was found');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ language: 'memory', idle: true, generation: world.record.generation });
    expect(found.treeRssBytes).toBeGreaterThan(0);
    expect(await askToLeave(found, 'budget: test', options)).toBe('asked');
    expect(await world.broker.ended).toMatchObject({ reason: 'budget: test' });
    expect(readLastExit(world.directory)?.reason).toBe('budget: test');
  });

  it('that got a session, or had one, since it was looked at is left alone', async () => {
    await using world = await insideBroker();
    const { stateDir } = world.workspace;
    const [idle] = await otherBrokers(stateDir, '', options);
    if (!idle) throw new Error('no neighbour was found');
    {
      using channel = await attached(world.record);
      expect(await otherBrokers(stateDir, '', options)).toMatchObject([{ idle: false }]);
      expect(await askToLeave(idle, 'budget: test', options)).toBe('left alone');
      expect(await ask(channel, 'test/echo', 'still served')).toBe('still served');
    }
    await until(async () => (await otherBrokers(stateDir, '', options))[0]?.idle, { what: 'an idle broker' });
    expect(await askToLeave(idle, 'budget: test', options)).toBe('left alone');
    expect(await otherBrokers(stateDir, world.record.generation, options)).toEqual([]);
  });
});

describe('a broker that looks after the budget', () => {
  it('leaves by itself only after it was used, and a look from outside is no use', async () => {
    const clock = new FakeClock();
    const limits = { ...ROOMY, maxIdlePerLanguage: 0, maxIdleBytes: 0 };
    await using alone = createWorkspace();
    const budget = { stateDirectory: alone.stateDir, limits };
    await using world = await insideBroker({ clock, budget });
    await clock.advance(5000);
    {
      using looking = await connected(world.record);
      expect(await looking.request(BROKER.status, {})).toMatchObject({ draining: false });
    }
    await clock.advance(5000);
    {
      using channel = await attached(world.record);
      expect(await ask(channel, 'test/echo', 1)).toBe(1);
    }
    let reason: string | undefined;
    void world.broker.ended.then((end) => {
      reason = end.reason;
    });
    await until(
      async () => {
        await clock.advance(1000);
        return reason !== undefined;
      },
      { what: 'the broker to leave' },
    );
    expect(reason).toContain('budget: at most 0 idle memory servers');
  });
});

const anyEntry = fc.record({
  language: fc.constantFrom('go', 'python', 'rust'),
  idle: fc.boolean(),
  lastActivityAt: fc.nat(8),
  treeRssBytes: fc.nat(20),
});

function entry(change: Partial<BudgetEntry>): BudgetEntry {
  const figures = { treeRssBytes: 1, serverRssBytes: 0 };
  return {
    generation: 'any',
    language: 'go',
    root: '/root',
    idle: true,
    lastActivityAt: 1,
    ...figures,
    ...change,
  };
}
