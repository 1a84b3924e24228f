/** A language server as a child process that leads its own process group, so that it can be ended with all its children. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { FailureError, messageOf, systemCode } from '../../base/failure.ts';
import { type Clock, delay, withTimeout } from '../../base/lifetime.ts';
import type { ServerPlan, SpawnedServer } from '../../link/server-plan.ts';
import { guardGroup } from './orphan-guard.ts';
import { StderrTail } from './stderr-tail.ts';
import type { ServerTransport } from './transport.ts';

export const TERM_GRACE_MS = 500;

export async function spawnServer(
  plan: ServerPlan,
  server: SpawnedServer,
  clock: Clock,
): Promise<ServerTransport> {
  const env = { ...process.env, ...server.env };
  const child = await launch(plan, server, env);
  const pid = child.pid;
  if (pid === undefined) throw new Error('a started process must have a pid');
  const guard = guardGroup(pid, env);
  const tail = new StderrTail(child.stderr);
  // A server that dies while we write gives EPIPE here; its exit is reported through `gone`.
  child.stdin.on('error', () => {});
  const gone = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      // Children that outlived their leader are of no use to anybody.
      signalGroup(pid, 'SIGKILL');
      guard.standDown();
      resolve(signal ? `killed by ${signal}` : `exited with code ${code}`);
    });
  });
  return {
    input: child.stdout,
    output: child.stdin,
    pid,
    owned: true,
    gone,
    stderr: () => tail.text,
    async destroy() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signalGroup(pid, 'SIGTERM');
      const ended = await withTimeout(
        gone.then(() => true),
        TERM_GRACE_MS,
        () => false,
        clock,
      );
      if (!ended) signalGroup(pid, 'SIGKILL');
      await Promise.race([gone, delay(2000, { clock })]);
    },
  };
}

function launch(
  plan: ServerPlan,
  server: SpawnedServer,
  env: NodeJS.ProcessEnv,
): Promise<ChildProcessWithoutNullStreams> {
  // npm's .cmd shims on Windows can only be started through the shell.
  const shell = process.platform === 'win32' && /\.(cmd|bat)$/i.test(server.executable);
  const child = spawn(shell ? `"${server.executable}"` : server.executable, [...server.args], {
    cwd: plan.root,
    env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    shell,
  });
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child));
    child.once('error', (error) => {
      const reason =
        systemCode(error) === 'ENOENT'
          ? 'the program or the root directory does not exist'
          : messageOf(error);
      reject(
        new FailureError(
          { kind: 'server-failed', server: server.executable, reason, stderr: '' },
          { cause: error },
        ),
      );
    });
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: nobody of the group is left, which is what was wanted.
  }
}
