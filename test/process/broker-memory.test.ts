/**
 * Sessions stay open, and together their servers take more than they may: real brokers and front ends' links over the
 * scriptable server, whose size is made up. What was asked longest ago sleeps; nobody notices anything but the time.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDaemonLink } from '../../src/frontend/link/open-daemon-link.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { planKey } from '../../src/shared/languages/plan.ts';
import type { LinkEvent, ServerLink } from '../../src/shared/link/server-link.ts';
import { BROKER, type BrokerMethod } from '../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../src/shared/rendezvous/broker-protocol.ts';
import { daemonDirectory, readRecord, recordPath } from '../../src/shared/rendezvous/daemon-record.ts';
import { type BuiltEntry, buildEntry, connected } from '../support/broker-world.ts';
import { gate, until } from '../support/events.ts';
import { type FakeServer, fakeServer, type Scenario } from '../support/fake-server.ts';
import { stopBrokers } from '../support/link-worlds.ts';
import { untilDead } from '../support/processes.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

let entry: BuiltEntry;
beforeAll(async () => {
  entry = await buildEntry({ name: 'broker-memory-entry' });
});
afterAll(() => entry[Symbol.dispose]());

/** There is room for one of them. */
const ENVIRONMENT = {
  TEST_SERVER_MB: '1000',
  AGENT_LSP_MAX_MEMORY_MB: '1500',
  AGENT_LSP_SLEEP_AFTER_SECONDS: '0',
};
const TEXT =
  '//- a/a.fake\nfunction alpha\n//- b/b.fake\nfunction beta\n//- more/more.fake\nfunction gamma\n';

describe('two roots with open sessions and room for one server', () => {
  it('the server of the root that was asked before sleeps, is woken by the next question and has lost nothing', async () => {
    await using world = memoryWorld();
    const { workspace } = world;
    const a = world.root('a', FOLDERS);
    const file = workspace.file('a/a.fake');
    await a.link.openDocument(file);
    await a.link.setFolders([workspace.file('more')]);
    const events: LinkEvent['kind'][] = [];
    using _events = a.link.onEvent(({ kind }) => events.push(kind));
    const firstPid = await a.pid();

    const b = world.root('b');
    const bPid = await b.pid();
    await until(() => a.link.state.kind === 'idle', { what: 'the server of a to sleep' });
    expect(a.link.state).toMatchObject({
      asleep: expect.stringMatching(/^memory budget \(all servers used \d+ MB of 1500 MB\)$/),
    });
    await untilDead(firstPid);
    expect(a.server.journal.received('shutdown')).toHaveLength(1);
    expect(b.link.state.kind).toBe('ready');
    expect(await a.status()).toMatchObject({
      sessions: [{ pending: 0 }],
      budget: { maxBytes: 1500 * 2 ** 20 },
    });

    // What a session holds is known while nothing runs, and starts nothing.
    expect((await a.link.openDocuments()).map((document) => document.file)).toEqual([file]);
    expect(a.server.journal.received('initialize')).toHaveLength(1);

    expect(await a.link.request('fake/echo', 'awake')).toBe('awake');
    expect((await a.link.facts()).instance).toBe(2);
    expect(await a.link.whenSettled()).toMatchObject({ kind: 'ready' });
    expect(await a.link.request('fake/text', { uri: pathToUri(file) })).toMatchObject({ open: true });
    const again = a.server.journal.received('initialize')[1]?.message?.params;
    expect(JSON.stringify(again)).toContain(pathToUri(workspace.file('more')));
    await until(() => events.includes('missed'), { what: 'news that some were missed' });

    // Now the other one is the one that was asked before.
    await until(() => b.link.state.kind === 'idle', { what: 'the server of b to sleep' });
    await untilDead(bPid);
    expect(a.server.journal.received('initialize')).toHaveLength(2);
    // Waiting for a server that sleeps wakes it as well.
    expect(await b.link.whenSettled()).toMatchObject({ kind: 'ready' });
    expect((await b.link.facts()).instance).toBe(2);
    for (const { server } of [a, b]) expect(server.journal.violations()).toEqual([]);
  });

  it('a server with a call running never sleeps, whatever else does', async () => {
    await using world = memoryWorld();
    const held = gate(world.workspace.scratch, 'held');
    const a = world.root('a', { rules: [{ on: 'fake/echo', file: 'held', do: { gate: held.path } }] });
    const pid = await a.pid();
    const answer = a.link.request('fake/echo', 'held', { idempotent: false });
    await a.server.journal.waitFor(['received', 'fake/echo']);

    // The other one has asked last, but it is the only one that can give way.
    const b = world.root('b');
    for (let time = 1; time <= 2; time++) {
      await b.pid();
      await until(() => b.link.state.kind === 'idle', { what: 'the server of b to sleep' });
      expect(a.link.state.kind).toBe('ready');
    }
    expect(await a.sleep()).toBe(false);
    expect(a.server.journal.received('shutdown')).toEqual([]);
    held.open();
    expect(await answer).toBe('held');
    expect(a.server.journal.received('initialize')).toHaveLength(1);

    // Once nobody asks it anything it is like any other.
    await b.pid();
    await untilDead(pid);
    expect(a.link.state).toMatchObject({ kind: 'idle', asleep: expect.any(String) });
  });

  it('questions that cross a server falling asleep are each answered once', async () => {
    await using world = memoryWorld();
    const a = world.root('a');
    await a.pid();
    let slept = 0;
    let asked = 0;
    for (let round = 0; round < 8; round++) {
      const questions = [0, 1, 2].map(() => a.link.request('fake/echo', ++asked, { idempotent: false }));
      const sleeps = await Promise.all([a.sleep(), ...questions.map((each) => each.then(() => a.sleep()))]);
      slept += sleeps.filter(Boolean).length;
      expect(await Promise.all(questions)).toEqual([asked - 2, asked - 1, asked]);
    }
    expect(slept).toBeGreaterThan(0);
    const echoes = a.server.journal.received('fake/echo').map(({ message }) => message?.params);
    expect(echoes.toSorted((x, y) => Number(x) - Number(y))).toEqual(
      Array.from({ length: asked }, (_, index) => index + 1),
    );
    // One after the other: the next is started when the one before has gone.
    const lives = a.server.journal.matching(({ event }) => event === 'start' || event === 'exit');
    for (const [index, { event }] of lives.entries()) expect(event).toBe(index % 2 === 0 ? 'start' : 'exit');
    expect(a.server.journal.violations()).toEqual([]);
  });
});

const FOLDERS: Scenario = {
  capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } },
};

interface Root {
  readonly link: ServerLink;
  readonly server: FakeServer;
  /** Asks the server which process it is. */
  pid(): Promise<number>;
  status(): Promise<BrokerStatus>;
  /** Asks as a neighbour does. */
  sleep(): Promise<boolean>;
}

interface MemoryWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  /** A session in this directory, with a server of its own. */
  root(name: string, scenario?: Scenario): Root;
}

function memoryWorld(): MemoryWorld {
  const workspace = createWorkspace(TEXT);
  const links: ServerLink[] = [];
  return {
    workspace,
    root(name, scenario = {}) {
      const server = fakeServer(workspace.scratch, scenario, name);
      const plan = server.plan(workspace.file(name));
      const key = planKey(plan);
      const program = {
        execPath: process.execPath,
        execArgv: [],
        entryScript: entry.script,
        env: workspace.env(ENVIRONMENT),
      };
      const launch = { plan, idleTimeoutMs: 60_000 };
      const target = { stateDirectory: workspace.stateDir, key, launch, program };
      const link = openDaemonLink(target, refuseDirect, { budgetMs: 30_000 });
      links.push(link);
      const asking = async <Params extends object, Result>(
        method: BrokerMethod<string, Params, Result>,
        params: Params,
      ): Promise<Result> => {
        const reading = readRecord(recordPath(daemonDirectory(workspace.stateDir, key)));
        if (reading.kind !== 'found') throw new Error(`no descriptor of ${name}: ${reading.kind}`);
        using channel = await connected(reading.record);
        return await channel.request(method, params);
      };
      return {
        link,
        server,
        pid: async () => ((await link.request('fake/state', {})) as { pid: number }).pid,
        status: () => asking(BROKER.status, {}),
        sleep: () => asking(BROKER.sleep, { reason: 'memory budget (test)' }),
      };
    },
    async [Symbol.asyncDispose]() {
      try {
        for (const link of links) await link.close();
        await stopBrokers(workspace);
        await workspace.expectNothingLeft();
      } finally {
        await workspace[Symbol.asyncDispose]();
      }
    },
  };
}

function refuseDirect(): Promise<ServerLink> {
  return Promise.reject(new Error('the link gave up on the broker'));
}
