/** One deadline and one signal over all attempts of a call, however often the way to the server changes. */
import { FailureError } from '../../shared/base/failure.ts';
import { abandonable, type Clock } from '../../shared/base/lifetime.ts';
import type { CallOptions } from '../../shared/link/server-link.ts';

export interface CallBounds {
  /** Waits for shared work, which goes on for others when this call is over. */
  wait<T>(work: Promise<T>): Promise<T>;
  over(): boolean;
  /** The options for the next attempt, with the time that is left. */
  remaining(): CallOptions;
}

export function boundCall(options: CallOptions, clock: Clock, stateKind: () => string): CallBounds {
  const { signal, timeoutMs } = options;
  const end = timeoutMs === undefined ? undefined : clock.now() + timeoutMs;
  const left = () => (end === undefined ? undefined : Math.max(0, end - clock.now()));
  return {
    wait(work) {
      // Nobody may be waiting for it any more when it fails.
      work.catch(() => {});
      const ms = left();
      if (ms === undefined) return abandonable(work, signal);
      const afterMs = timeoutMs ?? 0;
      const failure = () =>
        new FailureError({ kind: 'timeout', what: 'reaching the server', afterMs, state: stateKind() });
      return abandonable(work, signal, { ms, clock, failure });
    },
    over: () => signal?.aborted === true || left() === 0,
    remaining() {
      const ms = left();
      return ms === undefined ? options : { ...options, timeoutMs: ms };
    },
  };
}
