/**
 * Tells when no session has used the broker for long enough. The time runs only while nothing holds it: no connection, no call
 * in flight. A look from outside (status, ping) stops the clock while it lasts and does not set it back.
 */
import { type Clock, systemClock } from '../shared/base/lifetime.ts';

export interface IdleOptions {
  readonly timeoutMs: number;
  /** The least time before a session has come at all. */
  readonly firstUseMs?: number;
  readonly clock?: Clock;
  /** Wall-clock milliseconds: together with the monotonic clock it shows that the machine slept. */
  readonly wallNow?: () => number;
  expired(): void;
}

/** Both clocks are compared this often; a difference above the limit was a sleep or a set clock. */
const LOOK_EVERY_MS = 60_000;
const JUMP_MS = 2 * 60_000;

export interface IdleHold {
  /** From now on letting go starts the full time again: a session really used the broker. */
  markUsed(): void;
  release(): void;
}

export class IdleTimer {
  readonly #options: IdleOptions;
  readonly #clock: Clock;
  readonly #wallNow: () => number;
  #holds = 0;
  #deadline: number;
  #timer: Disposable | undefined;
  #last: { monotonic: number; wall: number };
  #stopped = false;

  constructor(options: IdleOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#wallNow = options.wallNow ?? Date.now;
    this.#deadline = this.#clock.now() + Math.max(options.timeoutMs, options.firstUseMs ?? 0);
    this.#last = { monotonic: this.#clock.now(), wall: this.#wallNow() };
    this.#arm();
  }

  /** Milliseconds until expiry, as far as is known now. */
  get remainingMs(): number {
    return Math.max(0, this.#deadline - this.#clock.now());
  }

  hold(): IdleHold {
    this.#holds++;
    this.#disarm();
    let used = false;
    let released = false;
    return {
      markUsed: () => {
        used = true;
      },
      release: () => {
        if (released) return;
        released = true;
        this.#holds--;
        if (used) this.#deadline = this.#clock.now() + this.#options.timeoutMs;
        if (this.#holds === 0) this.#arm();
      },
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #arm(): void {
    if (this.#stopped) return;
    this.#disarm();
    this.#last = { monotonic: this.#clock.now(), wall: this.#wallNow() };
    this.#timer = this.#clock.after(Math.min(this.remainingMs, LOOK_EVERY_MS), () => this.#look());
  }

  #disarm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #look(): void {
    const monotonic = this.#clock.now() - this.#last.monotonic;
    const wall = this.#wallNow() - this.#last.wall;
    if (monotonic > LOOK_EVERY_MS + JUMP_MS || Math.abs(wall - monotonic) > JUMP_MS) {
      // Waking a laptop must not be what stops its warm servers.
      this.#deadline = this.#clock.now() + this.#options.timeoutMs;
    } else if (this.remainingMs === 0) {
      this.stop();
      this.#options.expired();
      return;
    }
    this.#arm();
  }
}
