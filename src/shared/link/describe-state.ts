/** A server's state in a few words, for answers, status lines and timeouts. */
import type { ServerState } from './server-link.ts';

export function describeState(state: ServerState): string {
  switch (state.kind) {
    case 'idle':
      return state.asleep === undefined ? 'not started' : `asleep: ${state.asleep}`;
    case 'stopped':
      return 'stopped';
    case 'starting':
      return `starting for ${seconds(state.sinceMs)}`;
    case 'indexing':
      return `indexing for ${seconds(state.sinceMs)} (${state.what}${state.percent === undefined ? '' : `, ${state.percent} %`})`;
    case 'ready':
      return 'ready';
    case 'degraded':
      return `degraded: ${state.reason}`;
    case 'crashed':
      return `crashed (${state.reason}), starts again in ${seconds(state.retryMs)}`;
    case 'failed':
      return `failed: ${state.reason}`;
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`;
}
