/** Waits until a server is ready or has failed, as long as the call's deadline allows. */
import { FailureError } from '../../base/failure.ts';
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
