/** How the life of a server process ended, and what that means for the calls that were pending. */
import { FailureError, failureOf } from '../../base/failure.ts';
import type { ServerPlan } from '../../link/server-plan.ts';

export interface Death {
  readonly reason: string;
  readonly stderr: string;
}

/** The failure of a call that was pending when the server died. */
export function crashFailure(plan: ServerPlan, death: Death): FailureError {
  return new FailureError({ kind: 'server-crashed', server: plan.serverId, ...death });
}

export function isCrash(error: unknown): boolean {
  const kind = failureOf(error)?.kind;
  return kind === 'server-crashed' || kind === 'server-failed';
}
