/** The server of a plan for people: the command line, or the address that is dialled. */
import type { ServerPlan } from '../../shared/server-plan.ts';

export function describeServer({ server }: ServerPlan): string {
  return server.kind === 'connect'
    ? `${server.host}:${server.port}`
    : [server.executable, ...server.args].join(' ');
}
