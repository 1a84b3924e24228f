/**
 * A real broker process around a host without a language server. Points at which it should stand still or die,
 * and whether it has a server process at all, come from the environment.
 */
import { spawn } from 'node:child_process';
import { crashPointsFrom } from '../../src/broker/crash-points.ts';
import { runBroker } from '../../src/broker/main.ts';
import { MemoryHost } from './broker-host.ts';

const { env } = process;
const crash = crashPointsFrom(env);

const code = await runBroker(
  { rootDir: process.argv[4] ?? '', language: process.argv[6] ?? '' },
  {
    stdin: process.stdin,
    env,
    stateDirectory: env.AGENT_LSP_STATE_DIR ?? '',
    entryScript: env.TEST_ENTRY_SCRIPT ?? process.argv[1] ?? '',
    keyOf: () => env.TEST_KEY ?? 'key',
    createHost(plan, { onServerProcess }) {
      const host = new MemoryHost(plan, async () => startServer(onServerProcess));
      const stop = host.stop.bind(host);
      host.stop = () => {
        if (env.TEST_HANG_STOP === '1') return new Promise(() => {});
        const { pid } = host.counters;
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
        return stop();
      };
      return host;
    },
    at: (point) => {
      if (point === env.TEST_STOP_AT) process.kill(process.pid, 'SIGSTOP');
      return crash(point);
    },
  },
);
process.exit(code);

/** A process that hears neither the end of its input nor a polite signal. */
function startServer(report: (pid: number | undefined) => void): number | undefined {
  if (env.TEST_SERVER !== '1') return undefined;
  const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e9); process.stdout.write("up\\n")';
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env,
  });
  report(child.pid);
  return child.pid;
}
