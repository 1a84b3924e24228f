/** A call's deadline runs while it waits for its turn; there it takes the call out, afterwards it is the host's. */
import { FailureError } from '../shared/base/failure.ts';
import type { Clock, Limit } from '../shared/base/lifetime.ts';
import type { FairQueue } from './fair-queue.ts';
import type { LongRequests } from './long-requests.ts';

export interface TurnOptions {
  readonly what: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** For a call that keeps the server busy: it also waits for the others of that kind. */
  readonly longRequests: LongRequests | undefined;
}

export function takeTurn<T>(
  queue: FairQueue<number>,
  session: number,
  run: () => Promise<T>,
  { what, timeoutMs, signal, clock, longRequests }: TurnOptions,
): Promise<T> {
  const beganAt = clock.now();
  const limit = (): Limit | undefined => {
    if (timeoutMs === undefined) return undefined;
    const failure = () =>
      new FailureError({ kind: 'timeout', what, afterMs: timeoutMs, state: 'waiting for its turn' });
    return { ms: Math.max(0, timeoutMs - (clock.now() - beganAt)), clock, failure };
  };
  const task = longRequests ? () => longRequests.run(run, signal, limit()) : run;
  return queue.run(session, task, signal, limit());
}
