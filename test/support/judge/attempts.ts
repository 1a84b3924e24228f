/** Asks as an agent does that is told to call again: until the answer is settled, and every answer on the way is judged. */
import type { Verdict } from './compare.ts';

export interface Attempt {
  readonly verdict: Verdict;
  readonly ms: number;
  /** The answer says that the same call may find more after this time. */
  readonly retryMs: number | undefined;
}

export interface Attempts {
  /** The last verdict; an earlier one that was silent is not made good by what came later. */
  readonly verdict: Verdict;
  /** Of each call. */
  readonly times: readonly number[];
}

/** More calls than an agent is likely to make for one question. */
const MOST_ATTEMPTS = 8;

export async function untilSettled(
  attempt: () => Promise<Attempt>,
  wait: (ms: number) => Promise<unknown>,
): Promise<Attempts> {
  const times: number[] = [];
  for (;;) {
    const { verdict, ms, retryMs } = await attempt();
    times.push(ms);
    const isSettled = verdict.kind === 'silent' || verdict.kind === 'exact' || retryMs === undefined;
    if (isSettled || times.length === MOST_ATTEMPTS) return { verdict, times };
    await wait(retryMs);
  }
}
