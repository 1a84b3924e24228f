/** Broker processes of a test: one built program for all, started by hand or as front ends do it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { BrokerTarget } from '../../src/frontend/link/broker-connect.ts';
import { absolutePath } from '../../src/shared/base/paths.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { ownIdentity } from '../../src/shared/process/process-identity.ts';
import { BrokerChannel, type Contact, greet } from '../../src/shared/rendezvous/broker-channel.ts';
import { BROKER } from '../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerLaunch } from '../../src/shared/rendezvous/broker-protocol.ts';
import {
  type DaemonRecord,
  daemonDirectory,
  readRecord,
  recordPath,
} from '../../src/shared/rendezvous/daemon-record.ts';
import { dial } from '../../src/shared/rendezvous/endpoint.ts';
import { BROKER_PROTOCOL, VERSION } from '../../src/shared/version.ts';
import { until } from './events.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** What stays in a daemon's directory: notes for people. */
const KEPT = new Set(['broker.log', 'broker.log.1', 'last-exit.json']);
const PROJECT = path.resolve(import.meta.dirname, '../..');

export interface BuiltEntry extends Disposable {
  readonly script: string;
}

/** Bundles a script of test/support, because starting fifty processes from sources takes too long. */
export async function buildEntry(options: { name?: string; version?: string } = {}): Promise<BuiltEntry> {
  const { name = 'broker-entry' } = options;
  const cache = path.join(PROJECT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(path.join(cache, 'agent-lsp-'));
  const script = path.join(directory, `${name}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile: script,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    plugins: options.version === undefined ? [] : [otherVersion(options.version)],
  });
  return { script, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The same program, as if it were another release. */
function otherVersion(version: string): Plugin {
  return {
    name: 'other-version',
    setup: ({ onLoad }) =>
      onLoad({ filter: /package\.json$/ }, () => ({
        contents: JSON.stringify({ version }),
        loader: 'json',
      })),
  };
}

export interface StartedBroker {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The one line it says, or undefined when it ended without. */
  readonly line: Promise<string | undefined>;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly stderr: () => string;
}

export interface BrokerWorld extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly directory: string;
  readonly launch: BrokerLaunch;
  start(env?: Readonly<Record<string, string>>): StartedBroker;
  /** Starts one and waits until it owns the key. */
  owner(env?: Readonly<Record<string, string>>): Promise<StartedBroker & { record: DaemonRecord }>;
  record(): DaemonRecord | undefined;
  /** What a front end of this test needs to find or start a broker. */
  target(env?: Readonly<Record<string, string>>): BrokerTarget;
  /** Ends it as the system does, and expects nothing of it to be left. */
  stop(broker: StartedBroker): Promise<void>;
  /** Waits until nothing runs any more, and checks that only notes for people are left. */
  expectNothingLeft(): Promise<void>;
  /** A descriptor as somebody else might have left it. */
  forgedRecord(change?: Partial<DaemonRecord>): DaemonRecord;
}

export function brokerWorld(entry: BuiltEntry, options: { idleTimeoutMs?: number } = {}): BrokerWorld {
  const workspace = createWorkspace();
  const directory = daemonDirectory(workspace.stateDir, 'key');
  const launch = { plan: memoryPlan(workspace.root), idleTimeoutMs: options.idleTimeoutMs ?? 60_000 };
  const start = (env: Readonly<Record<string, string>> = {}): StartedBroker => {
    const args = [entry.script, 'daemon-broker', '--root-dir', workspace.root, '--language', 'memory'];
    const child = spawn(process.execPath, args, { env: workspace.env(env), stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(launch));
    return observe(child);
  };
  const record = () => {
    const reading = readRecord(recordPath(directory));
    return reading.kind === 'found' ? reading.record : undefined;
  };
  return {
    workspace,
    directory,
    launch,
    start,
    record,
    async owner(env) {
      const broker = start(env);
      const line = await broker.line;
      const published = record();
      if (!line?.startsWith('ready ') || !published)
        throw new Error(`not the owner: ${line ?? JSON.stringify(await broker.exit)} ${broker.stderr()}`);
      return { ...broker, record: published };
    },
    target: (env = {}) => ({
      stateDirectory: workspace.stateDir,
      key: 'key',
      launch,
      program: {
        execPath: process.execPath,
        execArgv: [],
        entryScript: entry.script,
        env: workspace.env(env),
      },
    }),
    async stop(broker) {
      broker.child.kill('SIGTERM');
      await broker.exit;
      await this.expectNothingLeft();
    },
    async expectNothingLeft() {
      await workspace.expectNothingLeft();
      const left = existsSync(directory) ? readdirSync(directory).filter((name) => !KEPT.has(name)) : [];
      if (left.length > 0) throw new Error(`left behind in ${directory}: ${left.join(', ')}`);
    },
    forgedRecord: (change = {}) => ({
      generation: 'deadbeefdeadbeef',
      socketPath: path.join(directory, 's-deadbeef'),
      token: 'token',
      process: ownIdentity(),
      key: 'key',
      root: workspace.root,
      language: 'memory',
      command: 'memory',
      version: VERSION,
      protocol: BROKER_PROTOCOL,
      ready: true,
      startedAt: 0,
      lastActivityAt: 0,
      ...change,
    }),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

export function memoryPlan(root: string): ServerPlan {
  const executable = absolutePath('/bin/true');
  return {
    root: absolutePath(root),
    language: 'memory',
    serverId: 'memory',
    server: {
      kind: 'spawn',
      executable,
      args: [],
      env: {},
      binary: { path: executable, size: 0, mtimeMs: 0 },
    },
    languageIds: {},
    initializationOptions: null,
    settings: {},
  };
}

export const HELLO = {
  protocol: [BROKER_PROTOCOL, BROKER_PROTOCOL],
  version: VERSION,
  clientPid: process.pid,
} as const;

export function greetBroker(record: DaemonRecord, timeoutMs = 30_000): Promise<Contact> {
  return greet(record, { hello: HELLO, timeoutMs });
}

/** A greeted channel that hangs up by itself at the end of the test. */
export async function connected(record: DaemonRecord): Promise<BrokerChannel & Disposable> {
  const contact = await greetBroker(record);
  if (contact.kind !== 'answered') throw new Error(`no greeting: ${JSON.stringify(contact)}`);
  return withHangUp(contact.channel);
}

export async function attached(record: DaemonRecord): Promise<BrokerChannel & Disposable> {
  const channel = await connected(record);
  await channel.request(BROKER.attach, {});
  return channel;
}

/** A channel before any greeting. */
export async function ungreeted(record: DaemonRecord): Promise<BrokerChannel & Disposable> {
  const dialled = await dial(record.socketPath, 10_000);
  if (dialled.kind !== 'connected') throw new Error(`no connection: ${dialled.kind}`);
  return withHangUp(new BrokerChannel(dialled.socket));
}

/** Asks the host behind a broker; see MemoryHost for its methods. */
export function ask(
  channel: BrokerChannel,
  method: string,
  params: unknown = null,
  signal?: AbortSignal,
): Promise<unknown> {
  return channel.request(
    BROKER.request,
    { method, params, documents: [], idempotent: true, whenReady: false },
    { signal },
  );
}

export async function untilRecord(
  world: BrokerWorld,
  test: (record: DaemonRecord | undefined) => boolean,
  what: string,
): Promise<DaemonRecord | undefined> {
  await until(() => test(world.record()), { what, watch: world.directory });
  return world.record();
}

function withHangUp(channel: BrokerChannel): BrokerChannel & Disposable {
  return Object.assign(channel, { [Symbol.dispose]: () => channel.close('the test is over') });
}

function observe(child: ChildProcess): StartedBroker {
  let said = '';
  let errors = '';
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  const line = new Promise<string | undefined>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')));
    });
    child.on('close', () => resolve(undefined));
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  return { child, pid: child.pid ?? 0, line, exit, stderr: () => errors };
}
