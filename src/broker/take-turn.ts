/** A call's deadline runs while it waits for its turn; there it takes the call out, afterwards it is the host's. */
import { FailureError } from '../shared/base/failure.ts';
import type { Clock } from '../shared/base/lifetime.ts';
import type { FairQueue } from './fair-queue.ts';

export interface TurnOptions {
  readonly what: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export function takeTurn<T>(
  queue: FairQueue<number>,
  session: number,
  run: () => Promise<T>,
  { what, timeoutMs, signal, clock }: TurnOptions,
): Promise<T> {
  if (timeoutMs === undefined) return queue.run(session, run, signal);
  const failure = () =>
    new FailureError({ kind: 'timeout', what, afterMs: timeoutMs, state: 'waiting for its turn' });
  return queue.run(session, run, signal, { ms: timeoutMs, clock, failure });
}
