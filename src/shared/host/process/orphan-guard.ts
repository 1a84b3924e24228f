/**
 * Ends a server whose owner was killed. Most servers leave when their stdin closes, some do not, and a process
 * that got SIGKILL cannot clean up after itself. So a shell waits on a pipe that only the owner holds open:
 * a line on the pipe means "the server has ended properly", end of file means "the owner is dead".
 * It compares the start time before it signals, so a reused pid is never hit.
 * Decision: docs/decisions/host.md#a-shell-as-orphan-guard
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** How long a server may take to leave by itself once its owner is dead, and to heed SIGTERM after that. */
export const GUARD_WAITS = { byItselfMs: 1_000, afterTermMs: 1_000 } as const;

const LOOK_EVERY_MS = 100;
const looks = GUARD_WAITS.byItselfMs / LOOK_EVERY_MS;
const seconds = (ms: number) => String(ms / 1_000);

const SCRIPT = `
born() { if [ -r /proc/$1/stat ]; then s=$(cat /proc/$1/stat 2>/dev/null) || return 0; set -- \${s##*) }; shift 19; echo "$1"; else ps -o lstart= -p "$1" 2>/dev/null; fi; }
mine=$(born $1)
read -r word && exit 0
tries=0
while [ $tries -lt ${looks} ] && [ -n "$mine" ] && [ "$(born $1)" = "$mine" ]; do sleep ${seconds(LOOK_EVERY_MS)}; tries=$((tries+1)); done
if [ -n "$mine" ] && [ "$(born $1)" = "$mine" ]; then kill -s TERM -- -$1 2>/dev/null; sleep ${seconds(GUARD_WAITS.afterTermMs)}; fi
now=$(born $1)
if [ -z "$now" ] || [ "$now" = "$mine" ]; then kill -s KILL -- -$1 2>/dev/null; fi
exit 0
`;

export interface OrphanGuard {
  /** The server has ended and its group was dealt with: the guard leaves without doing anything. */
  standDown(): void;
}

const noGuard: OrphanGuard = { standDown: () => {} };

/** Watches the process group led by `pid`. Windows has no groups; there `taskkill /T` by the owner must do. */
export function guardGroup(pid: number, env: NodeJS.ProcessEnv): OrphanGuard {
  if (process.platform === 'win32') return noGuard;
  let guard: ChildProcess;
  try {
    guard = spawn('/bin/sh', ['-c', SCRIPT, 'agent-lsp-guard', String(pid)], {
      cwd: '/',
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  } catch {
    return noGuard;
  }
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  return { standDown: () => void guard.stdin?.end('done\n') };
}
