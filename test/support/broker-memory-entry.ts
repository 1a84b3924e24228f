/**
 * A real broker process around a real host, except that its server is as large as the environment says. How much a
 * process really takes depends on the machine; who gives way must not.
 */
import { runBroker } from '../../src/broker/main.ts';
import { createHost } from '../../src/shared/host/create-host.ts';
import { planKey } from '../../src/shared/languages/plan.ts';

const { env } = process;
const serverBytes = Number(env.TEST_SERVER_MB) * 1024 * 1024;
let isThere = false;

const code = await runBroker(
  { rootDir: process.argv[4] ?? '', language: process.argv[6] ?? '' },
  {
    stdin: process.stdin,
    env,
    stateDirectory: env.AGENT_LSP_STATE_DIR ?? '',
    entryScript: process.argv[1] ?? '',
    keyOf: planKey,
    createHost: (plan, { onServerProcess, ...deps }) =>
      createHost(plan, {
        ...deps,
        onServerProcess(pid) {
          isThere = pid !== undefined;
          onServerProcess(pid);
        },
      }),
    memory: {
      tree: async () => [process.pid],
      usage: async () => ({
        broker: { memory: process.memoryUsage.rss(), cpu: 0 },
        server: { memory: isThere ? serverBytes : 0, cpu: 0 },
      }),
    },
  },
);
process.exit(code);
