/**
 * Runs a build or a test to its end, its time limit or the end of the call. It leads a process group of its own, and
 * nothing that it started stays behind: not when it ends by itself, not when it is stopped, not when we are killed.
 * Decision: docs/decisions/builds.md#a-build-leads-a-process-group
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { AbsPath } from '../../shared/base/brand.ts';
import { FailureError, messageOf } from '../../shared/base/failure.ts';
import { type Clock, deferred, delay, onEnd, withTimeout } from '../../shared/base/lifetime.ts';
import { guardGroup } from '../../shared/host/process/orphan-guard.ts';
import { isServing, type SeenProcess, watchedTree } from '../../shared/process/process-tree.ts';
import { LineSplitter } from './lines.ts';

export interface CommandLine {
  readonly executable: string;
  readonly args: readonly string[];
  readonly cwd: AbsPath;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RunLimits {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly clock: Clock;
  onLine(line: string): void;
  /** Lines of standard error, where they are not to be mixed with the others. */
  onErrorLine?(line: string): void;
}

export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timeout' };

const TERM_GRACE_MS = 2_000;
const GROUP_POLL_MS = 50;
/** How long output is waited for after the end, in case a process that left the group still holds the pipe. */
const DRAIN_MS = 1_000;

/** Fails with `cancelled` when the signal fires, after everything was ended. */
export async function runProcess(command: CommandLine, limits: RunLimits): Promise<RunEnd> {
  if (limits.signal.aborted) throw new FailureError({ kind: 'cancelled' });
  const child = await launch(command);
  const pid = child.pid;
  if (pid === undefined) throw new Error('a started process must have a pid');
  const guard = guardGroup(pid, { ...command.env });
  const { onLine, onErrorLine = onLine } = limits;
  const outputs = [readLines(child.stdout, onLine), readLines(child.stderr, onErrorLine)];
  const exit = deferred<RunEnd>();
  child.once('exit', (code, signal) =>
    exit.resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', code: code ?? 0 }),
  );
  const stopped = deferred<Error>();
  const waiting = onEnd(
    limits.signal,
    { ms: limits.limitMs, clock: limits.clock, failure: () => new FailureError(outOfTime(limits)) },
    stopped.resolve,
  );
  // It may have fired while the process was started.
  if (limits.signal.aborted) stopped.resolve(new FailureError({ kind: 'cancelled' }));
  try {
    const first = await Promise.race([exit.promise, stopped.promise]);
    if (!(first instanceof Error)) return first;
    await endAll(pid, exit.promise, limits.clock);
    if (limits.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    return { kind: 'timeout' };
  } finally {
    waiting[Symbol.dispose]();
    // Children that outlived their leader: a build that has ended has nothing left to do.
    signalGroup(pid, 'SIGKILL');
    guard.standDown();
    await withTimeout(Promise.all(outputs), DRAIN_MS, () => [], limits.clock);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function launch(command: CommandLine): Promise<ChildProcess> {
  const child = spawn(command.executable, [...command.args], {
    cwd: command.cwd,
    env: { ...command.env },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', (error) => {
      const message = `${command.executable} cannot be started in ${command.cwd}: ${messageOf(error)}`;
      const next = 'Check that it is a program that runs on this machine';
      reject(new FailureError({ kind: 'invalid-input', message, next }, { cause: error }));
    });
  });
}

/** Settles when the stream has ended and its last line was told. */
function readLines(stream: ChildProcess['stdout'], onLine: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter(onLine);
  const decoder = new StringDecoder('utf8');
  const { promise, resolve } = deferred<void>();
  stream?.on('data', (chunk: Buffer) => splitter.push(decoder.write(chunk)));
  stream?.once('error', () => resolve());
  stream?.once('close', () => {
    splitter.push(decoder.end());
    splitter.end();
    resolve();
  });
  if (!stream) resolve();
  return promise;
}

/** Politely first: build tools remove half-written files when they are asked to end. */
async function endAll(leader: number, gone: Promise<unknown>, clock: Clock): Promise<void> {
  // Who has left the group is still a descendant, until its parent is gone.
  const family = await watchedTree(leader).catch((): readonly SeenProcess[] => []);
  signalGroup(leader, 'SIGTERM');
  signalEach(family, 'SIGTERM');
  const graceEnd = clock.now() + TERM_GRACE_MS;
  await withTimeout(gone, TERM_GRACE_MS, () => undefined, clock);
  // The leader often leaves before those who still clean up.
  while (clock.now() < graceEnd && (groupExists(leader) || family.some((each) => isServing(each))))
    await delay(GROUP_POLL_MS, { clock });
  signalGroup(leader, 'SIGKILL');
  signalEach(family, 'SIGKILL');
  await withTimeout(gone, TERM_GRACE_MS, () => undefined, clock);
}

/** A zombie that nobody has collected yet counts as well, which only costs the rest of the grace. */
function groupExists(leader: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

function signalEach(processes: readonly SeenProcess[], signal: NodeJS.Signals): void {
  for (const each of processes) {
    try {
      if (isServing(each)) process.kill(each.pid, signal);
    } catch {
      // It ended in between.
    }
  }
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }).on('error', () => {});
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // Nobody of the group is left, which is what was wanted.
  }
}

function outOfTime({ limitMs }: RunLimits) {
  return { kind: 'timeout', what: 'the run', afterMs: limitMs, state: 'stopped' } as const;
}
