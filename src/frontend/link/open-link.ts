/**
 * Which way to a server is taken: through a broker that shares it, or by a host in this process. A server that
 * agent-lsp did not start is dialled and never shared by us.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import { planKey } from '../../shared/languages/plan.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import { openDaemonLink } from './open-daemon-link.ts';

export interface OpenLinkOptions {
  /** Share the server through a broker. */
  readonly daemon: boolean;
  readonly stateDir: AbsPath;
  readonly idleTimeoutMs: number;
  readonly environment: Environment;
  /** The script of this program, which also is the broker's. */
  readonly entryScript: string;
  readonly execArgv: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** What the broker's status calls the session. */
  readonly label?: string | undefined;
}

export async function openLink(plan: ServerPlan, options: OpenLinkOptions): Promise<ServerLink> {
  const { environment, clock, log, label } = options;
  // Most sessions share all their servers, and need nothing of what a server of their own takes.
  const openDirect = async (direct: ServerPlan) => {
    const [{ createHost }, { HostLink }] = await Promise.all([
      import('../../shared/host/create-host.ts'),
      import('./host-link.ts'),
    ]);
    return new HostLink(createHost(direct, { clock, log }));
  };
  if (!options.daemon || plan.server.kind === 'connect') return openDirect(plan);
  const target = {
    stateDirectory: options.stateDir,
    key: planKey(plan),
    launch: { plan, idleTimeoutMs: options.idleTimeoutMs },
    program: {
      execPath: environment.execPath,
      execArgv: options.execArgv,
      entryScript: options.entryScript,
      env: environment.env,
    },
  };
  return openDaemonLink(target, openDirect, { clock, log, label });
}
