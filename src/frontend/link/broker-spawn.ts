/**
 * Starting a broker process and learning from it, by an event, how that went: it says one line on its standard output
 * and lives on without us; if it ends before that line, its log says why.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../shared/base/failure.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { BrokerLaunch } from '../../shared/rendezvous/broker-protocol.ts';
import { logPath } from '../../shared/rendezvous/daemon-record.ts';
import { ensurePrivateDirectory } from '../../shared/rendezvous/private-directory.ts';

/** The program that is a broker when it is told so: usually this very one. */
export interface BrokerProgram {
  /** Never `node` from the PATH: it may be another version, or none. */
  readonly execPath: string;
  readonly execArgv: readonly string[];
  readonly entryScript: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface BrokerSpawn {
  readonly directory: string;
  readonly stateDirectory: string;
  readonly launch: BrokerLaunch;
  readonly program: BrokerProgram;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export type SpawnOutcome =
  /** There is an owner now, this process or another. */
  | { kind: 'provided' }
  /** A process owns the key and cannot be reached. */
  | { kind: 'busy'; reason: string }
  | { kind: 'failed'; reason: string };

const TAIL_LINES = 20;

export async function spawnBroker(options: BrokerSpawn): Promise<SpawnOutcome> {
  ensurePrivateDirectory(options.directory);
  let child: ChildProcess;
  try {
    child = start(options);
  } catch (error) {
    return { kind: 'failed', reason: `the daemon could not be started: ${messageOf(error)}` };
  }
  const outcome = await outcomeOf(child, options);
  // From here on it is nobody's child: this process may end, and nothing of the broker keeps it alive.
  child.stdout?.destroy();
  child.unref();
  return outcome;
}

function start({ directory, stateDirectory, launch, program }: BrokerSpawn): ChildProcess {
  const { root, language } = launch.plan;
  const log = openSync(logPath(directory), 'a', 0o600);
  try {
    const args = [...program.execArgv, program.entryScript, 'daemon-broker'];
    const child = spawn(program.execPath, [...args, '--root-dir', root, '--language', language], {
      cwd: path.parse(directory).root,
      env: { ...program.env, AGENT_LSP_STATE_DIR: stateDirectory },
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'pipe', log],
    });
    // A broker that ends at once breaks the pipe; its exit is reported anyway.
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(launch));
    return child;
  } finally {
    closeSync(log);
  }
}

function outcomeOf(child: ChildProcess, { directory, clock, timeoutMs }: BrokerSpawn): Promise<SpawnOutcome> {
  return new Promise((resolve) => {
    let said = '';
    const timer = clock.after(timeoutMs, () =>
      finish({ kind: 'failed', reason: `the daemon was not ready after ${Math.round(timeoutMs)} ms` }),
    );
    const finish = (outcome: SpawnOutcome) => {
      timer[Symbol.dispose]();
      child.stdout?.off('data', onData);
      child.off('close', onClose);
      resolve(outcome);
    };
    const onData = (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('\n')) finish(parseLine(said.slice(0, said.indexOf('\n'))));
    };
    // 'close' and not 'exit': only then is everything read that it said.
    const onClose = (code: number | null, signal: NodeJS.Signals | null) => {
      const tail = logTail(directory, child.pid);
      const how = signal ? `was killed by ${signal}` : `ended with code ${code}`;
      finish({ kind: 'failed', reason: `the daemon ${how} before it was ready${tail ? `:\n${tail}` : ''}` });
    };
    child.stdout?.on('data', onData);
    child.on('close', onClose);
    child.on('error', (error) =>
      finish({ kind: 'failed', reason: `the daemon could not be started: ${error.message}` }),
    );
  });
}

function parseLine(line: string): SpawnOutcome {
  const [word = '', ...rest] = line.split(' ');
  const reason = rest.join(' ');
  if (word === 'ready' || word === 'lost') return { kind: 'provided' };
  if (word === 'busy') return { kind: 'busy', reason };
  return { kind: 'failed', reason: word === 'failed' ? reason : `the daemon said ${JSON.stringify(line)}` };
}

/** The last lines that this broker, or something that only writes text, left in the log. */
function logTail(directory: string, pid?: number): string {
  let text: string;
  try {
    text = readFileSync(logPath(directory), 'utf8');
  } catch {
    return '';
  }
  const lines = text.split('\n').flatMap((line) => readable(line, pid));
  return lines.slice(-TAIL_LINES).join('\n');
}

function readable(line: string, pid: number | undefined): string[] {
  if (line.trim() === '') return [];
  try {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry) || typeof entry.msg !== 'string') return [line];
    if (pid !== undefined && entry.pid !== pid) return [];
    const detail = entry.error ?? entry.reason;
    return [detail === undefined ? entry.msg : `${entry.msg}: ${String(detail)}`];
  } catch {
    return [line];
  }
}
