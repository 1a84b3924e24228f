/**
 * The broker process: reads what to run from standard input, contends for the key, says one line to the front end that
 * started it, and serves until it leaves. All code is loaded before the first front end comes: an upgrade may replace the
 * files on disk under a running broker.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf } from '../shared/base/failure.ts';
import { type Clock, systemClock, withTimeout } from '../shared/base/lifetime.ts';
import type { Log, LogLevel } from '../shared/base/log.ts';
import { isObject } from '../shared/base/unknown-value.ts';
import type { Host } from '../shared/host/host.ts';
import { quirksOf } from '../shared/host/protocol/server-quirks.ts';
import type { ServerPlan } from '../shared/link/server-plan.ts';
import { ownIdentity } from '../shared/process/process-identity.ts';
import type { BrokerLaunch } from '../shared/rendezvous/broker-protocol.ts';
import { daemonDirectory, logPath } from '../shared/rendezvous/daemon-record.ts';
import { currentPlace } from '../shared/rendezvous/endpoint.ts';
import { ensurePrivateDirectory } from '../shared/rendezvous/private-directory.ts';
import { BROKER_PROTOCOL, VERSION } from '../shared/version.ts';
import { Broker } from './broker.ts';
import { openBrokerLog } from './broker-log.ts';
import type { BrokerEnd } from './broker-options.ts';
import { budgetFrom } from './budget.ts';
import { type AtPoint, crashPointsFrom } from './crash-points.ts';
import { longRequestLimits } from './long-requests.ts';
import { type MemoryMeterOptions, machineBytes } from './memory.ts';
import { noteExit } from './own-notes.ts';
import { watchProgram } from './program.ts';
import { GENERATION_VARIABLE } from './reaper.ts';

/** They only make the process recognisable in a listing; what counts comes through standard input. */
export interface BrokerArguments {
  readonly rootDir: string;
  readonly language: string;
}

export interface BrokerIo {
  readonly stdin: Readable;
  readonly env: NodeJS.ProcessEnv;
  readonly stateDirectory: string;
  /** The script that this process runs; its replacement is noticed. */
  readonly entryScript: string;
  keyOf(plan: ServerPlan): string;
  createHost(
    plan: ServerPlan,
    deps: { clock: Clock; log: Log; onServerProcess(pid: number | undefined): void },
  ): Host;
  /** Says the one line `ready <generation>`, `lost` or `busy <reason>`. */
  announce?(line: string): void;
  readonly clock?: Clock;
  readonly at?: AtPoint;
  readonly memory?: MemoryMeterOptions;
}

const LAUNCH_WITHIN_MS = 10_000;

/** Exit code: 0 served or lost the race, 1 failed, 2 an unreachable process owns the key, 3 displaced. */
export async function runBroker(args: BrokerArguments, io: BrokerIo): Promise<number> {
  process.umask(0o077);
  const clock = io.clock ?? systemClock;
  const launch = parseLaunch(await withTimeout(readAll(io.stdin), LAUNCH_WITHIN_MS, noLaunch, clock));
  const { plan } = launch;
  const key = io.keyOf(plan);
  const directory = daemonDirectory(io.stateDirectory, key);
  ensurePrivateDirectory(directory);
  // Never pins the directory it was started in, which may be a worktree about to be deleted.
  process.chdir(path.parse(process.cwd()).root);

  const generation = randomBytes(8).toString('hex');
  io.env[GENERATION_VARIABLE] = generation;
  const log = openBrokerLog(logPath(directory), { pid: process.pid, generation }, logLevel(io.env));
  log.info('starting', { version: VERSION, root: args.rootDir, language: args.language, key });
  const record = {
    generation,
    token: randomBytes(32).toString('base64url'),
    process: ownIdentity(),
    key,
    root: plan.root,
    language: plan.language,
    command: commandOf(plan),
    version: VERSION,
    protocol: BROKER_PROTOCOL,
    ready: false,
    startedAt: Date.now(),
    lastActivityAt: Date.now(),
  };
  const broker = new Broker({
    directory,
    record,
    idleTimeoutMs: launch.idleTimeoutMs,
    place: currentPlace(io.env),
    clock,
    log,
    at: io.at ?? crashPointsFrom(io.env),
    longRequests: longRequestLimits(quirksOf(plan.serverId)),
    budget: { stateDirectory: io.stateDirectory, limits: budgetFrom(io.env, machineBytes(), log) },
    createHost: (onServerProcess) => io.createHost(plan, { clock, log, onServerProcess }),
    ...(io.memory ? { memory: io.memory } : {}),
    programChanged: watchProgram(io.entryScript),
    republished: () => log.reopen(),
  });
  using _handlers = onTrouble(broker, log, (reason) => noteExit(directory, record, reason));
  return await serve(broker, log, io.announce ?? announceOnStdout, generation);
}

async function serve(
  broker: Broker,
  log: ReturnType<typeof openBrokerLog>,
  announce: (line: string) => void,
  generation: string,
): Promise<number> {
  try {
    const outcome = await broker.open();
    if (outcome.kind === 'lost') {
      log.info('another broker owns the key');
      announce('lost');
      return 0;
    }
    if (outcome.kind === 'busy') {
      log.warn('the owner cannot be reached and is not dead', { reason: outcome.reason });
      announce(`busy ${outcome.reason}`);
      return 2;
    }
  } catch (error) {
    log.error('could not start', { error: messageOf(error) });
    announce(`failed ${messageOf(error)}`);
    return 1;
  }
  log.rotate();
  log.info('owner', { generation });
  announce(`ready ${generation}`);
  try {
    broker.start();
  } catch (error) {
    broker.leave('now', { reason: `no server could be made: ${messageOf(error)}`, cause: 'failed' });
  }
  const end = await broker.ended;
  log.info('left', { reason: end.reason });
  return EXIT_CODES[end.cause];
}

const EXIT_CODES: Record<BrokerEnd['cause'], number> = { stopped: 0, failed: 1, displaced: 3 };

/**
 * Writes to descriptor 1 and closes it, so that the starter's pipe ends. The free low numbers go to the null device:
 * a stray line for stdout must not end up in a socket that happens to get that number.
 */
function announceOnStdout(line: string): void {
  try {
    writeSync(1, `${line.replaceAll('\n', ' ')}\n`);
  } catch {
    // The front end that started this broker has gone; that is no reason to go as well.
  }
  closeSync(1);
  let placeholder = openSync(devNull, 'r+');
  while (placeholder < 2) placeholder = openSync(devNull, 'r+');
  closeSync(placeholder);
}

/** Signals and errors that nobody caught: leave now, but leave properly. */
function onTrouble(broker: Broker, log: Log, note: (reason: string) => void): Disposable {
  let failed = false;
  const onError = (error: unknown) => {
    const reason = `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    log.error(reason);
    if (failed) {
      note(reason);
      process.exit(1);
    }
    failed = true;
    broker.leave('now', { reason, cause: 'failed' });
  };
  const onSignal = (signal: NodeJS.Signals) =>
    broker.leave('now', { reason: `signal ${signal}`, cause: 'stopped' });
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  // A terminal that closes is not the broker's: it outlives the session that started it.
  const onHangUp = () => {};
  process.on('SIGHUP', onHangUp);
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onError);
      process.off('unhandledRejection', onError);
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, onSignal);
      process.off('SIGHUP', onHangUp);
    },
  };
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function noLaunch(): never {
  throw new Error(`nothing to run arrived on standard input within ${LAUNCH_WITHIN_MS} ms`);
}

function parseLaunch(text: string): BrokerLaunch {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isObject(value.plan) || typeof value.idleTimeoutMs !== 'number')
    throw new Error('standard input must hold {"plan": ..., "idleTimeoutMs": ...}');
  // The plan was made by the same version of this program a moment ago.
  return value as unknown as BrokerLaunch;
}

function logLevel(env: NodeJS.ProcessEnv): LogLevel {
  const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
  return levels.find((level) => level === env.AGENT_LSP_LOG_LEVEL) ?? 'info';
}

function commandOf({ server }: ServerPlan): string {
  return server.kind === 'spawn'
    ? [server.executable, ...server.args].join(' ')
    : `${server.host}:${server.port}`;
}
