/** The engine behind a wrapper and the server that stands still, over a made-up process table and a moved clock. */
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../../src/shared/base/lifetime.ts';
import { EngineWatch } from '../../../../../src/shared/host/process/engine-watch.ts';
import {
  isServing,
  parsePsTime,
  type SeenProcess,
  watchedTree,
} from '../../../../../src/shared/process/process-tree.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const SERVER = seen(1, { command: 'node wrapper.js', cpuMs: 500 });

function seen(pid: number, changes: Partial<SeenProcess> = {}): SeenProcess {
  const ordinary = { startTime: `${pid}`, cpuMs: 100, command: 'helper', program: '/bin/node' };
  return { pid, ...ordinary, input: `pipe:${pid}`, output: `pipe:${pid}`, ...changes };
}

function watched(options: { engine?: RegExp; tree?: SeenProcess[]; isSettled?: boolean } = {}) {
  const clock = new FakeClock();
  const lost: string[] = [];
  const tree = options.tree ?? [SERVER];
  const messages = { count: 0 };
  const watch = new EngineWatch({
    pid: 1,
    engine: options.engine,
    clock,
    heard: () => messages.count,
    isSettled: () => options.isSettled ?? true,
    lost: (reason) => lost.push(reason),
    view: {
      tree: async () => [...tree],
      isServing: ({ pid }) => tree.some((each) => each.pid === pid),
    },
  });
  const end = (pid: number) => {
    tree.splice(
      tree.findIndex((each) => each.pid === pid),
      1,
    );
  };
  const use = (pid: number, cpuMs: number) => {
    const index = tree.findIndex((each) => each.pid === pid);
    const before = tree[index];
    if (before) tree[index] = { ...before, cpuMs };
  };
  return { clock, lost, tree, messages, watch, end, use };
}

describe('the engine behind a wrapper', () => {
  it('is missed before an answer is believed, when it was killed between two calls', async () => {
    const world = watched({ engine: /engine\.js/, tree: [SERVER, seen(2, { command: 'node engine.js' })] });
    expect(await world.watch.guard(async () => 'full')).toBe('full');
    world.end(2);
    await expect(world.watch.guard(async () => [])).rejects.toThrow('engine');
    expect(world.lost).toEqual([expect.stringContaining('its engine died (pid 2, node engine.js)')]);
  });

  it('is missed when it was killed before it was ever seen', async () => {
    const world = watched({ engine: /engine\.js/ });
    await expect(world.watch.guard(async () => [])).rejects.toThrow('engine');
    expect(world.lost).toEqual(['its engine is not running']);
  });

  it('is missed while a call waits for an answer that will never come', async () => {
    const world = watched({ engine: /engine\.js/, tree: [SERVER, seen(2, { command: 'node engine.js' })] });
    const answer = deferred<never>();
    const call = world.watch.guard(() => answer.promise).catch((error: unknown) => String(error));
    await world.clock.advance(1500);
    world.end(2);
    expect(world.lost).toEqual([]);
    await world.clock.advance(1000);
    expect(world.lost).toHaveLength(1);
    answer.reject(new Error('closed'));
    expect(await call).toBe('Error: closed');
  });

  it('is also missed when the wrapper answers with an error', async () => {
    const world = watched({ engine: /engine\.js/, tree: [SERVER, seen(2, { command: 'node engine.js' })] });
    await world.watch.guard(async () => 1);
    world.end(2);
    const refusal = world.watch.guard(() => Promise.reject(new Error('no server')));
    await expect(refusal).rejects.toThrow('engine');
    expect(world.lost).toHaveLength(1);
  });

  it.each([
    {
      what: 'was left the connection',
      child: seen(2, { input: SERVER.input, output: SERVER.output }),
      isEngine: true,
    },
    { what: 'is the same program and works more', child: seen(2, { cpuMs: 9000 }), isEngine: true },
    { what: 'is the same program and works less', child: seen(2, { cpuMs: 100 }), isEngine: false },
    { what: 'is another program', child: seen(2, { cpuMs: 9000, program: '/bin/cargo' }), isEngine: false },
  ])('of an unknown server is a child that stayed and $what', async ({ child, isEngine }) => {
    const world = watched({ tree: [SERVER, child] });
    const answer = deferred<void>();
    const call = world.watch.guard(() => answer.promise).catch(() => {});
    await world.clock.advance(12_000);
    world.end(2);
    await world.clock.advance(1000);
    expect(world.lost).toHaveLength(isEngine ? 1 : 0);
    answer.resolve();
    await call;
  });

  it('is no helper that comes and goes', async () => {
    const world = watched({ tree: [SERVER, seen(2, { input: SERVER.input, output: SERVER.output })] });
    const answer = deferred<void>();
    const call = world.watch.guard(() => answer.promise);
    await world.clock.advance(5000);
    world.end(2);
    await world.clock.advance(5000);
    answer.resolve();
    await call;
    expect(world.lost).toEqual([]);
  });
});

describe('a server that stands still', () => {
  it('is given up when a call reaches its deadline and nothing has moved for 20 s', async () => {
    const world = watched();
    void world.watch.guard(() => new Promise(() => {}));
    await world.clock.advance(30_000);
    await world.watch.timedOut();
    expect(world.lost).toEqual([expect.stringContaining('it hung: no answer and no use of the processor')]);
  });

  it('is not given up while it works', async () => {
    const world = watched();
    void world.watch.guard(() => new Promise(() => {}));
    await world.clock.advance(29_000);
    world.use(1, 900);
    await world.clock.advance(2000);
    await world.watch.timedOut();
    expect(world.lost).toEqual([]);
  });

  it('is not given up after a short deadline, but after several in a row', async () => {
    const world = watched();
    for (let call = 0; call < 3; call++) {
      const end = deferred<never>();
      const asked = world.watch.guard(() => end.promise).catch(() => {});
      await world.clock.advance(9000);
      await world.watch.timedOut();
      end.reject(new Error('timeout'));
      await asked;
      expect(world.lost).toHaveLength(call < 2 ? 0 : 1);
    }
  });

  it('is not given up while it indexes, because it may wait for a download', async () => {
    const world = watched({ isSettled: false });
    void world.watch.guard(() => new Promise(() => {}));
    await world.clock.advance(60_000);
    await world.watch.timedOut();
    expect(world.lost).toEqual([]);
  });

  it('is not given up where nothing is known about processes', async () => {
    const world = watched({ tree: [] });
    void world.watch.guard(() => new Promise(() => {}));
    await world.clock.advance(60_000);
    await world.watch.timedOut();
    expect(world.lost).toEqual([]);
  });
});

describe('a server that goes in circles', () => {
  /** One call that is given up after 50 s, in which the server works all the time. */
  async function fruitless({ clock, watch, tree, use }: ReturnType<typeof watched>): Promise<void> {
    const end = deferred<never>();
    const asked = watch.guard(() => end.promise).catch(() => {});
    for (let second = 0; second < 50; second++) {
      use(1, (tree[0]?.cpuMs ?? 0) + 1000);
      await clock.advance(1000);
    }
    await watch.timedOut();
    end.reject(new Error('timeout'));
    await asked;
  }

  it('is given up after a minute of processor time without a word', async () => {
    const world = watched();
    await fruitless(world);
    expect(world.lost).toEqual([]);
    await fruitless(world);
    expect(world.lost).toEqual([expect.stringMatching(/not a word in \d+ s of processor time/)]);
  });

  it('is not given up while it says anything', async () => {
    const world = watched();
    await fruitless(world);
    world.messages.count++;
    await fruitless(world);
    expect(world.lost).toEqual([]);
  });

  it('is not given up for what it did before it was asked', async () => {
    const world = watched();
    await world.watch.guard(async () => 'answered');
    world.use(1, 500_000);
    await fruitless(world);
    expect(world.lost).toEqual([]);
  });

  it('is not given up while it indexes', async () => {
    const world = watched({ isSettled: false });
    for (let call = 0; call < 3; call++) await fruitless(world);
    expect(world.lost).toEqual([]);
  });
});

describe('the tree of a process', () => {
  it('reads the times that ps prints', () => {
    expect(parsePsTime('1:02.50')).toBe(62_500);
    expect(parsePsTime('01:00:00')).toBe(3_600_000);
    expect(parsePsTime('2-00:00:01')).toBe(172_801_000);
  });

  it.skipIf(process.platform === 'win32')('begins with the process itself', async () => {
    const [self] = await watchedTree(process.pid);
    expect(self).toMatchObject({ pid: process.pid, command: expect.stringContaining('node') });
    expect(self?.cpuMs).toBeGreaterThan(0);
    expect(self && isServing(self)).toBe(true);
    expect(isServing({ pid: 2 ** 22 + 1, startTime: '1' })).toBe(false);
  });
});
