/**
 * How the host reaches its server: a child process that the host owns, or a TCP address of a server that another
 * program runs.
 */
import type { Clock } from '../../base/lifetime.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import { dialServer } from './dialled-server.ts';
import { spawnServer } from './spawned-server.ts';
import type { ServerTransport } from './transport.ts';

export function openTransport(plan: ServerPlan, clock: Clock): Promise<ServerTransport> {
  const { server } = plan;
  return server.kind === 'spawn' ? spawnServer(plan, server, clock) : dialServer(server, clock);
}
