/**
 * The fake server behind each kind of link, made as a session makes it: in this process, behind a broker process of the
 * built program, or somewhere else on TCP. What a mode leaves running on purpose is ended with the world, and a world
 * that leaves anything else behind fails its test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { BrokerTarget } from '../../src/frontend/link/broker-connect.ts';
import { listBrokers, stopBroker } from '../../src/frontend/link/broker-control.ts';
import { HostLink } from '../../src/frontend/link/host-link.ts';
import { openDaemonLink } from '../../src/frontend/link/open-daemon-link.ts';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import { planKey } from '../../src/shared/languages/plan.ts';
import type { LinkMode, ServerLink } from '../../src/shared/link/server-link.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { type FakeServer, fakeServer, type Scenario } from './fake-server.ts';
import { BUILT_PROGRAM } from './mcp-client.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface LinkWorldOptions {
  readonly text?: string;
  readonly scenario?: Scenario | ((workspace: Workspace) => Scenario);
  /** Which row of the quirks table applies. */
  readonly serverId?: string;
  /** Which files are sources of the server's language, by extension; none if not said. */
  readonly languageIds?: ServerPlan['languageIds'];
}

export interface LinkWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly server: FakeServer;
  readonly link: ServerLink;
  /** A link as a second session would have it: to a server of its own, the same server, or the same address. */
  another(): ServerLink;
  /** Where the broker is to be found, in the mode that has one. */
  readonly target: BrokerTarget | undefined;
  /** What the server has of a file, without touching it first. */
  textAtServer(file: AbsPath): Promise<TextAtServer>;
  /** The process that answers. */
  serverPid(link?: ServerLink): Promise<number>;
}

export interface TextAtServer {
  readonly open: boolean;
  readonly version: number | null;
  readonly text: string | null;
}

export const LINK_MODES = ['direct', 'daemon', 'passive'] as const satisfies readonly LinkMode[];

export async function linkWorld(mode: LinkMode, options: LinkWorldOptions = {}): Promise<LinkWorld> {
  const workspace = createWorkspace(options.text ?? SAMPLE);
  const { scenario = {}, serverId = 'fake', languageIds = {} } = options;
  const server = fakeServer(
    workspace.scratch,
    typeof scenario === 'function' ? scenario(workspace) : scenario,
  );
  const place = await PLACES[mode](workspace, server, { serverId, languageIds }).catch(
    async (error: unknown) => {
      await workspace[Symbol.asyncDispose]();
      throw error;
    },
  );
  const links: ServerLink[] = [];
  const another = () => {
    const link = place.open();
    links.push(link);
    return link;
  };
  const link = another();
  return {
    workspace,
    server,
    link,
    another,
    target: place.target,
    textAtServer: (file) => ask<TextAtServer>(link, 'fake/text', { uri: pathToUri(file) }),
    serverPid: async (asked = link) => (await ask<{ pid: number }>(asked, 'fake/state', {})).pid,
    async [Symbol.asyncDispose]() {
      try {
        for (const each of links) await each.close();
        await place.end();
        await workspace.expectNothingLeft();
      } finally {
        await workspace[Symbol.asyncDispose]();
      }
    },
  };
}

const SAMPLE = '//- a.fake\nfunction alpha\n//- b.fake\nfunction beta\nalpha\n';

interface Place {
  readonly target?: BrokerTarget;
  open(): ServerLink;
  /** Ends what closing the links does not. */
  end(): Promise<void>;
}

type PlanPart = Pick<ServerPlan, 'serverId' | 'languageIds'>;

type MakePlace = (workspace: Workspace, server: FakeServer, part: PlanPart) => Promise<Place>;

const PLACES: Readonly<Record<LinkMode, MakePlace>> = {
  direct: async (workspace, server, part) => {
    const plan = spawnPlan(workspace, server, part);
    return { open: () => new HostLink(createHost(plan)), end: async () => {} };
  },

  daemon: async (workspace, server, part) => {
    const plan = spawnPlan(workspace, server, part);
    const target = {
      stateDirectory: workspace.stateDir,
      key: planKey(plan),
      launch: { plan, idleTimeoutMs: 60_000 },
      program: {
        execPath: process.execPath,
        execArgv: [],
        entryScript: BUILT_PROGRAM,
        env: workspace.env(),
      },
    };
    const open = () => openDaemonLink(target, refuseDirect, { budgetMs: 30_000 });
    return { target, open, end: () => stopBrokers(workspace) };
  },

  passive: async (workspace, server, part) => {
    const { port, child } = await listen(workspace, server);
    const address = { kind: 'connect', host: '127.0.0.1', port, addresses: ['127.0.0.1'] } as const;
    const plan = server.plan(workspace.root, { ...part, server: address });
    return { open: () => new HostLink(createHost(plan)), end: async () => void child.kill('SIGKILL') };
  },
};

/** The fake server as somebody else's: a process that listens before any of our code runs. Port 0 is any free one. */
export async function listen(
  workspace: Workspace,
  server: FakeServer,
  wanted = 0,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const before = server.journal.matching(['listening']).length;
  const child = spawn(server.executable, [...server.args, '--listen', `127.0.0.1:${wanted}`], {
    env: workspace.env(),
    stdio: 'ignore',
  });
  const { port } = await server.journal.waitFor(['listening'], { count: before + 1 });
  return { port: Number(port), child };
}

export async function stopBrokers({ stateDir }: Pick<Workspace, 'stateDir'>): Promise<void> {
  for (const listing of await listBrokers(stateDir)) {
    if (listing.kind === 'running') await stopBroker(listing.record, { mode: 'now', reason: 'test' });
  }
}

function spawnPlan(workspace: Workspace, server: FakeServer, part: PlanPart): ServerPlan {
  const plan = server.plan(workspace.root, part);
  if (plan.server.kind !== 'spawn') throw new Error('the fake server is spawned');
  return { ...plan, server: { ...plan.server, env: workspace.env() } };
}

/** A daemon link that quietly became a direct one would pass the tests of another mode. */
function refuseDirect(): Promise<ServerLink> {
  return Promise.reject(new Error('the link gave up on the broker'));
}

/** Results of the fake server have the shape that its handlers give them. */
async function ask<T>(link: ServerLink, method: string, params: unknown): Promise<T> {
  return (await link.request(method, params)) as T;
}
