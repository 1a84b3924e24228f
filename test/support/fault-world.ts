/**
 * The whole product under faults: the built program as front ends and brokers, over the scriptable server. `end` is the
 * last line of every test: it lets everything go and shows that nothing is left.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { greet } from '../../src/shared/rendezvous/broker-channel.ts';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../src/shared/rendezvous/broker-protocol.ts';
import {
  type DaemonRecord,
  daemonsDirectory,
  readRecord,
  recordPath,
} from '../../src/shared/rendezvous/daemon-record.ts';
import { BROKER_PROTOCOL, VERSION } from '../../src/shared/version.ts';
import { until } from './events.ts';
import { type FakeServer, fakeServer, type Scenario } from './fake-server.ts';
import { type FaultSession, startSession } from './fault-session.ts';
import { BUILT_PROGRAM } from './mcp-client.ts';
import { leftovers, processesOfTest, type RunningProcess } from './processes.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface FaultWorldOptions {
  readonly scenario?: Scenario | ((workspace: Workspace) => Scenario);
  /** Beside the file of numbered functions. */
  readonly text?: string;
}

export interface StartOptions {
  readonly daemon?: 'always' | 'never';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly program?: string;
}

export interface CommandRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface FaultWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly server: FakeServer;
  /** A front end that shares its server unless told otherwise. */
  start(options?: StartOptions): Promise<FaultSession>;
  /** Many front ends, started a few at a time, so that they race with their calls and not for the processor. */
  startMany(count: number, options?: StartOptions): Promise<readonly FaultSession[]>;
  /** A command of the program, with the configuration of the test. */
  run(args: readonly string[], options?: StartOptions): Promise<CommandRun>;
  /** The descriptors that can be read now. */
  records(stateDir?: string): readonly DaemonRecord[];
  /** Waits for the one descriptor that passes. */
  recordWhere(test: (record: DaemonRecord) => boolean, what: string): Promise<DaemonRecord>;
  /** What the only broker says of itself. */
  status(): Promise<BrokerStatus>;
  /** Waits until so many calls wait for their answers in the broker. */
  untilPending(count: number): Promise<void>;
  brokerProcesses(): readonly RunningProcess[];
  /** Pids of the servers that were started, in order. */
  serverPids(): readonly number[];
  /** Lets all sessions and brokers go; fails when a process, socket, temporary file or stray output is left. */
  end(stateDirs?: readonly string[]): Promise<void>;
}

/** `many.fake` has a function on each of these lines. */
const FUNCTIONS = 24;
const AT_ONCE = 4;
const MANY = `//- many.fake\n${Array.from({ length: FUNCTIONS }, (_, index) => `function f${index + 1}\n`).join('')}`;

/** Asks about the function on a line of `many.fake`: one hover, nothing else. */
export function inspect(session: FaultSession, line: number, id?: number | string): Promise<string> {
  const call = session.call('inspect_symbol', { file_path: 'many.fake', line, column: 10 }, id);
  return call.then(({ text }) => text);
}

/** The whole answer to `inspect` when all is well: an answer that was not shared carries a note. */
export function described(line: number): string {
  return `function f${line}   many.fake:${line}:10`;
}

export const DIRECT_NOTE =
  /note: the daemon could not be used \(.+\); the server runs in this process instead/s;

export function faultWorld(options: FaultWorldOptions = {}): FaultWorld {
  const workspace = createWorkspace(`${MANY}${options.text ?? ''}`);
  const { scenario = {} } = options;
  const server = fakeServer(
    workspace.scratch,
    typeof scenario === 'function' ? scenario(workspace) : scenario,
  );
  const command = [server.executable, ...server.args];
  const servers = [{ extensions: ['fake'], language_id: 'fake', command }];
  // Answers are compared as a whole; what to do next is for agents.
  const config = workspace.write(
    `${workspace.scratch}/config.json`,
    JSON.stringify({ servers, hints: false }),
  );
  const sessions: FaultSession[] = [];
  const records = (stateDir: string = workspace.stateDir) =>
    daemonDirectories(stateDir).flatMap((directory) => {
      const reading = readRecord(recordPath(directory));
      return reading.kind === 'found' ? [reading.record] : [];
    });
  const placed = ({ args = [], daemon = 'always', cwd = workspace.root, env }: StartOptions) => ({
    args: ['--config', config, '--daemon', daemon, ...args],
    cwd,
    env: workspace.env(env),
  });

  const world: FaultWorld = {
    workspace,
    server,
    async start(start = {}) {
      const { program } = start;
      const session = await startSession({ ...placed(start), ...(program ? { program } : {}) });
      sessions.push(session);
      return session;
    },
    async startMany(count, start) {
      const first = await world.start(start);
      // A call that needs no server: after it the others find the compiled form of the program.
      await first.call('detect_lsp_servers');
      const started = [first];
      const starters = Array.from({ length: AT_ONCE }, async (_, lane) => {
        for (let index = lane + 1; index < count; index += AT_ONCE) started.push(await world.start(start));
      });
      await Promise.all(starters);
      return started;
    },
    run: (args, start = {}) => {
      const { args: common, cwd, env } = placed(start);
      return runToEnd([start.program ?? BUILT_PROGRAM, ...args, ...common], cwd, env);
    },
    records,
    recordWhere: (test, what) =>
      until(() => records().find(test), { what, seen: () => JSON.stringify(records(), null, 2) }),
    async status() {
      const [record] = records();
      if (!record) throw new Error('there is no broker');
      const hello = {
        protocol: [BROKER_PROTOCOL, BROKER_PROTOCOL],
        version: VERSION,
        clientPid: process.pid,
      } as const;
      const contact = await greet(record, { hello, timeoutMs: 10_000 });
      if (contact.kind !== 'answered') throw new Error(`no status: ${JSON.stringify(contact)}`);
      try {
        return await contact.channel.request(BROKER.status, {});
      } finally {
        contact.channel.close('looked');
      }
    },
    untilPending: async (count) => {
      const pending = async () =>
        world.records().length === 0
          ? 0
          : (await world.status()).sessions.reduce((sum, session) => sum + session.pending, 0);
      await until(async () => (await pending()) === count, { what: `${count} pending calls` });
    },
    brokerProcesses: () =>
      processesOfTest(workspace.testId).filter(({ command: line }) => / daemon-broker /.test(line)),
    serverPids: () => server.journal.matching(['start']).map(({ pid }) => pid),
    async end(stateDirs = [workspace.stateDir]) {
      await Promise.all(sessions.map((session) => session.close()));
      expect(sessions.flatMap(({ strayOutput }) => strayOutput)).toEqual([]);
      for (const stateDir of stateDirs) {
        const stop = ['daemon-stop', '--all', '--now'];
        const stopped = await world.run(stop, { env: { AGENT_LSP_STATE_DIR: stateDir } });
        expect(stopped).toMatchObject({ code: 0, err: '' });
      }
      await workspace.expectNothingLeft();
      expect(
        stateDirs.flatMap((stateDir) => [...leftovers(stateDir), ...leftInDaemonDirectories(stateDir)]),
      ).toEqual([]);
      expect(server.journal.violations()).toEqual([]);
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
  return world;
}

/** What stays in a daemon's directory: notes for people. */
const KEPT = new Set(['broker.log', 'broker.log.1', 'last-exit.json']);

function leftInDaemonDirectories(stateDir: string): readonly string[] {
  return daemonDirectories(stateDir).flatMap((directory) =>
    readdirSync(directory)
      .filter((name) => !KEPT.has(name))
      .map((name) => path.join(directory, name)),
  );
}

function daemonDirectories(stateDir: string): readonly string[] {
  const parent = daemonsDirectory(stateDir);
  return existsSync(parent) ? readdirSync(parent).map((name) => path.join(parent, name)) : [];
}

function runToEnd(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<CommandRun> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}
