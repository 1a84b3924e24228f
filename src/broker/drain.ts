/**
 * Leaving without losing anything: first give up the name, so that a successor can start, then answer latecomers that
 * nothing of theirs was executed, finish what is running, and only then stop the server and go.
 */
import { messageOf } from '../shared/base/failure.ts';
import { type Clock, delay, withTimeout } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import type { AtPoint } from './crash-points.ts';

export interface DrainSteps {
  /** Removes the descriptor if it is still ours. */
  unpublish(): Promise<void>;
  /** Resolves when no call is running. */
  whenQuiet(): Promise<void>;
  stopServer(): Promise<void>;
  /** Leaves the note that says why. */
  leaveNote(): void | Promise<void>;
  /** Ends all connections and removes the socket. */
  hangUp(): Promise<void>;
  readonly at: AtPoint;
}

export interface DrainTimes {
  /** Front ends that read the descriptor a moment ago still get the answer "draining". */
  readonly lingerMs: number;
  readonly quietMs: number;
  readonly serverMs: number;
}

const DRAIN_TIMES: DrainTimes = { lingerMs: 1000, quietMs: 60_000, serverMs: 10_000 };

/** `now` does not wait for running calls. Never rejects: a step that fails is logged and the next one follows. */
export async function drain(
  mode: 'drain' | 'now',
  steps: DrainSteps,
  options: { clock: Clock; log: Log; times?: DrainTimes },
): Promise<void> {
  const { clock, log, times = DRAIN_TIMES } = options;
  const step = async (name: string, work: () => void | Promise<void>) => {
    try {
      await work();
    } catch (error) {
      log.error('a step of leaving failed', { step: name, error: messageOf(error) });
    }
  };
  await step('unpublish', () => steps.unpublish());
  await steps.at('draining');
  if (mode === 'drain') {
    const quiet = withTimeout(steps.whenQuiet(), times.quietMs, () => undefined, clock);
    await Promise.all([step('finish calls', () => quiet), delay(times.lingerMs, { clock })]);
  }
  await step('stop server', () =>
    withTimeout(
      steps.stopServer(),
      times.serverMs,
      () => {
        throw new Error(`the server did not stop within ${times.serverMs} ms`);
      },
      clock,
    ),
  );
  await step('leave note', () => steps.leaveNote());
  await step('hang up', () => steps.hangUp());
}
