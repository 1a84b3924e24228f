/**
 * How ready a server is for a question across files, and what that means for the answer: a server that is still
 * starting or indexing may lack places that it finds a little later.
 */
import { describeState } from '../../shared/link/describe-state.ts';
import {
  isSettled,
  type ServerFacts,
  type ServerLink,
  type ServerState,
} from '../../shared/link/server-link.ts';
import { type Incomplete, untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';

/**
 * Waits for the index, leaving enough of the deadline for the question itself. A server that was ready before and loads
 * more is waited for as long as the call has patience: then what it has is the answer.
 */
export async function settled(context: ToolContext, link: ServerLink): Promise<ServerState> {
  if (isSettled(link.state)) return link.state;
  const left = context.remainingMs();
  const timeoutMs = Math.max(0, left - Math.max(Math.min(5_000, left / 2), left * 0.3));
  const bounds = context.during();
  const { patienceMs = timeoutMs } = bounds;
  const isWarm = link.state.kind === 'indexing' && link.state.again === true;
  return link.whenSettled({ ...bounds, timeoutMs: isWarm ? Math.min(timeoutMs, patienceMs) : timeoutMs });
}

export function readinessOf(
  facts: ServerFacts,
  state: ServerState,
): { readiness: string; incomplete: Incomplete | undefined } {
  const incomplete = incompleteFor(facts.serverName, state);
  // The reason stands in the sentence before it already.
  const shown = state.kind === 'degraded' ? state.kind : describeState(state);
  return { readiness: `${facts.serverName} ${shown}`, incomplete };
}

function incompleteFor(server: string, state: ServerState): Incomplete | undefined {
  switch (state.kind) {
    case 'ready':
      return undefined;
    case 'idle':
    case 'starting':
      return untilRetry(retryMs(state), (retry) => `${server} is still starting, ${retry}`);
    case 'indexing': {
      const percent = state.percent === undefined ? '' : ` (${Math.round(state.percent)} %)`;
      return untilRetry(retryMs(state), (retry) => `${server} is still indexing${percent}, ${retry}`);
    }
    case 'degraded':
      return { reason: `${server} is degraded: ${state.reason}` };
    case 'crashed':
    case 'failed':
      return { reason: `${server} has ${state.kind}: ${state.reason}` };
    case 'stopped':
      return { reason: `${server} was stopped` };
  }
}

/** By the pace so far where the server says how far it is, else a part of the time it already took. */
function retryMs(state: ServerState): number {
  const sinceMs = 'sinceMs' in state ? state.sinceMs : 0;
  const percent = state.kind === 'indexing' ? state.percent : undefined;
  const leftMs = percent ? (sinceMs * (100 - percent)) / percent : sinceMs / 2;
  return Math.min(60, Math.max(2, Math.round(leftMs / 1_000))) * 1_000;
}
