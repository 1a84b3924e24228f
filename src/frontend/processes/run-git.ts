/**
 * Runs git to read: without a shell, a pager, locks, or anything that the repository's configuration could make it
 * start, in a process group of its own that ends with the call.
 */
import { spawn } from 'node:child_process';
import type { AbsPath } from '../../shared/base/brand.ts';
import { FailureError, fail, systemCode } from '../../shared/base/failure.ts';
import { type Clock, onEnd } from '../../shared/base/lifetime.ts';
import type { Environment } from '../../shared/languages/environment.ts';

export interface GitOptions {
  readonly cwd: AbsPath;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly environment: Environment;
}

export type GitResult =
  | { readonly kind: 'done'; readonly output: string }
  /** git said no, in its own words. */
  | { readonly kind: 'refused'; readonly message: string };

const LIMIT_MS = 15_000;
const MOST_BYTES = 64 * 1024 * 1024;

const ALWAYS = [
  '--no-pager',
  '--no-optional-locks',
  ...['core.quotepath=off', 'core.fsmonitor=false', 'core.untrackedCache=false', 'color.ui=false'].flatMap(
    (setting) => ['-c', setting],
  ),
];

export function runGit(
  args: readonly string[],
  { cwd, signal, clock, environment }: GitOptions,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new FailureError({ kind: 'cancelled' }));
    const child = spawn('git', [...ALWAYS, ...args], {
      cwd,
      env: environmentFor(environment.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let size = 0;
    const end = (reason: Error) => {
      killGroup(child.pid);
      waiting[Symbol.dispose]();
      reject(reason);
    };
    const limit = {
      ms: LIMIT_MS,
      clock,
      failure: () =>
        new FailureError({ kind: 'timeout', what: `git ${args[0]}`, afterMs: LIMIT_MS, state: 'running' }),
    };
    const waiting = onEnd(signal, limit, end);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      output.push(chunk);
      if (size > MOST_BYTES)
        end(new FailureError({ kind: 'result-too-large', what: `git ${args[0]}`, bytes: size }));
    });
    child.stderr.on('data', (chunk: Buffer) => void (errors.length < 64 && errors.push(chunk)));
    child.on('error', (error) => end(systemCode(error) === 'ENOENT' ? missing() : error));
    child.on('close', (code) => {
      waiting[Symbol.dispose]();
      const message = Buffer.concat(errors).toString('utf8').trim();
      if (code === 0) resolve({ kind: 'done', output: Buffer.concat(output).toString('utf8') });
      else resolve({ kind: 'refused', message: message.split('\n').at(-1) || `git ended with ${code}` });
    });
  });
}

/** The output, or a failure with git's own words. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<string> {
  const result = await runGit(args, options);
  if (result.kind === 'done') return result.output;
  return fail({
    kind: 'invalid-input',
    message: `git ${args.find((arg) => !arg.startsWith('-')) ?? ''} failed: ${result.message}`,
    next: 'Check workspace_root and range, or run git yourself',
  });
}

function missing(): FailureError {
  return new FailureError({
    kind: 'invalid-input',
    message: 'git is not installed, or not on PATH',
    next: 'Install git, or use blast_radius with changed_files',
  });
}

/** Variables of a hook that we may have been started from would send git to another repository. */
function environmentFor(environment: Environment['env']): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_PREFIX, GIT_EXTERNAL_DIFF, ...rest } = environment;
  return { ...rest, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat' };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
