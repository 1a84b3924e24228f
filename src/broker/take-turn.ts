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

export async function takeTurn<T>(
  queue: FairQueue<number>,
  session: number,
  run: () => Promise<T>,
  { what, timeoutMs, signal, clock }: TurnOptions,
): Promise<T> {
  if (timeoutMs === undefined) return queue.run(session, run, signal);
  const deadline = new AbortController();
  const timer = clock.after(timeoutMs, () => deadline.abort());
  const started = () => {
    timer[Symbol.dispose]();
    return run();
  };
  try {
    return await queue.run(session, started, AbortSignal.any([signal, deadline.signal]));
  } catch (error) {
    if (!deadline.signal.aborted || signal.aborted) throw error;
    throw new FailureError({ kind: 'timeout', what, afterMs: timeoutMs, state: 'waiting for its turn' });
  } finally {
    timer[Symbol.dispose]();
  }
}
