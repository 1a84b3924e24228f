/** Waits until a server is ready or has failed, as long as the call's deadline or the caller's patience allows. */
import { FailureError } from '../../base/failure.ts';
import { abandonable, type Limit } from '../../base/lifetime.ts';
import { isSettled, type ServerState } from '../../link/server-link.ts';
import type { CallScope } from './call-scope.ts';

interface Stateful {
  readonly state: ServerState;
  onState(listener: (state: ServerState) => void): Disposable;
}

/** The first state in which answers can be trusted or nothing more is to be expected; at the deadline, any. */
export function firstSettled(host: Stateful, scope: CallScope): Promise<ServerState> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (!isSettled(host.state)) return;
      subscription[Symbol.dispose]();
      resolve(host.state);
    };
    const subscription = host.onState(check);
    scope.onEnd((reason) => {
      subscription[Symbol.dispose]();
      if (reason === 'cancelled') reject(new FailureError({ kind: 'cancelled' }));
      else resolve(host.state);
    });
    check();
  });
}

/**
 * The same for a question that is held back until then. A server that has been ready and loads more is waited for as long
 * as the caller has patience.
 * Decision: docs/decisions/host.md#patience
 */
export async function whenSettledInTime(
  host: Stateful,
  scope: CallScope,
  patience: Limit | undefined,
): Promise<void> {
  const { state } = host;
  if (isSettled(state)) return;
  const isWarm = state.kind === 'indexing' && state.again === true;
  await abandonable(firstSettled(host, scope), undefined, isWarm ? patience : undefined);
}
