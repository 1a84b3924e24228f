/** When the server behind this broker was last asked anything, and when it was last woken. */
import type { Clock } from '../shared/base/lifetime.ts';
import type { ServerState } from '../shared/link/server-link.ts';

export class ServerUse {
  readonly #clock: Clock;
  #askedAt: number;
  #wokenAt: number | undefined;
  #isAsleep = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#askedAt = clock.now();
  }

  /** Monotonic: a laptop that was closed for the night has not been quiet meanwhile. */
  get times(): { readonly quietMs: number; readonly awakeMs: number | null } {
    const now = this.#clock.now();
    const awakeMs = this.#wokenAt === undefined ? null : Math.round(now - this.#wokenAt);
    return { quietMs: Math.round(now - this.#askedAt), awakeMs };
  }

  asked(): void {
    this.#askedAt = this.#clock.now();
  }

  heard(state: ServerState): void {
    const isAsleep = state.kind === 'idle' && state.asleep !== undefined;
    if (this.#isAsleep && !isAsleep) this.#wokenAt = this.#clock.now();
    this.#isAsleep = isAsleep;
  }
}
