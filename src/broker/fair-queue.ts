/**
 * Whose call goes to the server next. Sessions take turns, so one that asks a thousand things at once delays the
 * others by at most its own share; what is over the caps is refused at once instead of being kept.
 */
import { FailureError } from '../shared/base/failure.ts';
import { type Limit, onEnd } from '../shared/base/lifetime.ts';

export interface FairQueueLimits {
  readonly runningPerSession: number;
  /** A session with nothing running is let in even above this, so that nobody can starve it. */
  readonly runningInAll: number;
  readonly waitingPerSession: number;
  readonly waitingInAll: number;
}

const DEFAULT_LIMITS: FairQueueLimits = {
  runningPerSession: 8,
  runningInAll: 32,
  waitingPerSession: 512,
  waitingInAll: 4096,
};

interface Lane {
  running: number;
  readonly waiting: Array<() => void>;
}

export class FairQueue<Session> {
  readonly #limits: FairQueueLimits;
  /** In order of turns: a lane that was served moves to the end. */
  readonly #lanes = new Map<Session, Lane>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `task` when it is the session's turn. Signal and limit only take it out of the queue; running is its own
   * affair.
   */
  run<T>(session: Session, task: () => Promise<T>, signal: AbortSignal, limit?: Limit): Promise<T> {
    const lane = this.#lane(session);
    if (lane.waiting.length >= this.#limits.waitingPerSession || this.#waiting >= this.#limits.waitingInAll) {
      this.#forgetIfEmpty(session, lane);
      return Promise.reject(
        new FailureError({ kind: 'overloaded', what: 'the daemon has too many calls waiting' }),
      );
    }
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) {
        this.#forgetIfEmpty(session, lane);
        reject(new FailureError({ kind: 'cancelled' }));
        return;
      }
      let waiting: Disposable | undefined;
      const start = () => {
        waiting?.[Symbol.dispose]();
        lane.running++;
        this.#running++;
        invoke(task)
          .then(resolve, reject)
          .finally(() => {
            lane.running--;
            this.#running--;
            this.#forgetIfEmpty(session, lane);
            this.#pump();
          });
      };
      lane.waiting.push(start);
      this.#waiting++;
      this.#pump();
      if (!lane.waiting.includes(start)) return;
      waiting = onEnd(signal, limit, (reason) => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        this.#waiting--;
        this.#forgetIfEmpty(session, lane);
        reject(reason);
      });
    });
  }

  #lane(session: Session): Lane {
    let lane = this.#lanes.get(session);
    if (!lane) {
      lane = { running: 0, waiting: [] };
      this.#lanes.set(session, lane);
    }
    return lane;
  }

  #forgetIfEmpty(session: Session, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0 && this.#lanes.get(session) === lane)
      this.#lanes.delete(session);
  }

  #pump(): void {
    for (let started = true; started && this.#waiting > 0; ) {
      started = false;
      for (const [session, lane] of [...this.#lanes]) {
        if (!this.#mayStart(lane)) continue;
        const start = lane.waiting.shift();
        if (!start) continue;
        this.#waiting--;
        this.#lanes.delete(session);
        this.#lanes.set(session, lane);
        start();
        started = true;
      }
    }
  }

  #mayStart(lane: Lane): boolean {
    if (lane.running === 0) return true;
    return lane.running < this.#limits.runningPerSession && this.#running < this.#limits.runningInAll;
  }
}

/** A task that throws before its first await fails like any other. */
async function invoke<T>(task: () => Promise<T>): Promise<T> {
  return task();
}
