/**
 * Which calls may use the server now: any number of readers, which see the disk's text, or one window, in which text
 * is tried out. Windows open in the order in which calls asked for them and wait for running readers; after a while
 * they hold back new readers. Readers that waited for a window go in before the next window, so neither side can
 * starve.
 * Decision: docs/decisions/host.md#lease
 */
import { FailureError } from '../../base/failure.ts';
import { type Clock, onEnd } from '../../base/lifetime.ts';

/** For this long a waiting window lets new readers pass, since the running ones may be over at any moment. */
const PATIENCE_MS = 2000;
/** A reader that does not come to an end keeps a window waiting; it must not keep all others waiting along with it. */
const HELD_MS = 5000;

interface Waiter {
  readonly since: number;
  letIn(): void;
}

export class Lease {
  readonly #clock: Clock;
  readonly #windows: Waiter[] = [];
  /** Readers behind a window. */
  readonly #held: Waiter[] = [];
  #readers = 0;
  #open = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The usual way in, at the cost of a count: false when there is something to wait for. Each that was let in must leave. */
  tryEnter(): boolean {
    if (this.#isShut) return false;
    this.#readers++;
    return true;
  }

  /** Settles when the reader is in, or fails when the signal fires first. */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.tryEnter()) return;
    const limit = this.#clock.after(HELD_MS, () => {
      if (!this.#open) this.#admitHeld();
    });
    await this.#wait(this.#held, signal).finally(() => limit[Symbol.dispose]());
  }

  leave(): void {
    this.#readers--;
    if (this.#windows.length > 0) this.#proceed();
  }

  /** Waits for the turn of a window. The window is open until the returned function is called. */
  async openWindow(signal: AbortSignal): Promise<() => void> {
    if (this.#open || this.#readers > 0 || this.#windows.length > 0) await this.#wait(this.#windows, signal);
    else this.#open = true;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#open = false;
      this.#admitHeld();
      this.#proceed();
    };
  }

  get #isShut(): boolean {
    const [next] = this.#windows;
    return this.#open || (next !== undefined && this.#clock.now() - next.since >= PATIENCE_MS);
  }

  #wait(line: Waiter[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new FailureError({ kind: 'cancelled' }));
      const waiter: Waiter = {
        since: this.#clock.now(),
        letIn: () => {
          giveUp[Symbol.dispose]();
          resolve();
        },
      };
      const giveUp = onEnd(signal, undefined, (reason) => {
        line.splice(line.indexOf(waiter), 1);
        reject(reason);
        this.#proceed();
      });
      line.push(waiter);
    });
  }

  #proceed(): void {
    if (this.#open) return;
    if (this.#readers === 0) {
      const next = this.#windows.shift();
      if (next) {
        this.#open = true;
        next.letIn();
        return;
      }
    }
    // The window that they were held back for has given up.
    if (!this.#isShut) this.#admitHeld();
  }

  #admitHeld(): void {
    for (const reader of this.#held.splice(0)) {
      this.#readers++;
      reader.letIn();
    }
  }
}
