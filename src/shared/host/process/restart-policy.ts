/** After a crash: start again soon, later, or not at all. Old crashes are forgotten. */
import type { Clock } from '../../base/lifetime.ts';

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8000;
const MAX_CRASHES = 5;
const WINDOW_MS = 3 * 60_000;

export type AfterCrash = { kind: 'restart'; delayMs: number } | { kind: 'give-up'; crashes: number };

export class RestartPolicy {
  readonly #clock: Clock;
  #crashes: number[] = [];
  #total = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get total(): number {
    return this.#total;
  }

  crashed(): AfterCrash {
    const now = this.#clock.now();
    this.#total += 1;
    this.#crashes = [...this.#crashes.filter((at) => now - at < WINDOW_MS), now];
    const recent = this.#crashes.length;
    if (recent >= MAX_CRASHES) return { kind: 'give-up', crashes: recent };
    return { kind: 'restart', delayMs: Math.min(FIRST_DELAY_MS * 2 ** (recent - 1), LAST_DELAY_MS) };
  }

  /** An agent or a user asked for a restart: what was before does not count. */
  forgive(): void {
    this.#crashes = [];
  }
}
