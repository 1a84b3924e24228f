/**
 * A front end that does not read as fast as it asks. Its answers pile up in this process, so the broker holds further
 * ones back (each keeps its place in the queue, so nothing new is started for it), stops reading its requests, and
 * closes its connection when it takes nothing at all. The other front ends never wait for it.
 */
import type { Socket } from 'node:net';
import type { Clock } from '../shared/base/lifetime.ts';

export interface PressureLimits {
  /** With more than this unsent, nothing is read from the front end and further answers are held back. */
  readonly pauseBytes: number;
  /** With more than this unsent or held back, patience is short. */
  readonly heavyBytes: number;
  readonly stallMs: number;
  readonly heavyStallMs: number;
}

const MB = 1024 * 1024;
const DEFAULT_PRESSURE: PressureLimits = {
  pauseBytes: 8 * MB,
  heavyBytes: 64 * MB,
  stallMs: 30_000,
  heavyStallMs: 10_000,
};

const LOOK_EVERY_MS = 1000;

export interface PressureEvents {
  /** The queue is short again. */
  relieved(): void;
  close(reason: string): void;
}

interface Held {
  readonly bytes: number;
  release(): void;
}

export class Backpressure {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #limits: PressureLimits;
  readonly #events: PressureEvents;
  readonly #held: Held[] = [];
  #paused: { queued: number; progressAt: number } | undefined;
  #timer: Disposable | undefined;
  #admitted = 0;
  #stopped = false;

  constructor(
    socket: Socket,
    clock: Clock,
    events: PressureEvents,
    limits: PressureLimits = DEFAULT_PRESSURE,
  ) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = events;
    this.#limits = limits;
    socket.on('drain', () => this.look());
  }

  get high(): boolean {
    return this.#queued > this.#limits.pauseBytes;
  }

  get #queued(): number {
    return this.#socket.writableLength + this.#admitted;
  }

  /** To be awaited before an answer of this size is queued. */
  async admit(bytes: number): Promise<void> {
    if (this.#stopped) return;
    if (this.#held.length === 0 && !this.high) {
      this.#letThrough(bytes);
      return;
    }
    const waiting = new Promise<void>((release) => this.#held.push({ bytes, release }));
    this.look();
    await waiting;
  }

  look(): void {
    if (this.#stopped) return;
    const queued = this.#queued;
    if (queued <= this.#limits.pauseBytes) {
      this.#relieve();
      return;
    }
    const now = this.#clock.now();
    if (!this.#paused) {
      this.#paused = { queued, progressAt: now };
      this.#socket.pause();
    } else if (queued < this.#paused.queued) {
      this.#paused = { queued, progressAt: now };
    } else {
      this.#paused.queued = queued;
      if (now - this.#paused.progressAt >= this.#patience(queued)) {
        this.#events.close('the front end has stopped reading');
        return;
      }
    }
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(LOOK_EVERY_MS, () => this.look());
  }

  /** The connection is over: nothing is held for it any longer. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
    for (const { release } of this.#held.splice(0)) release();
  }

  #patience(queued: number): number {
    const held = this.#held.reduce((sum, { bytes }) => sum + bytes, 0);
    return queued + held > this.#limits.heavyBytes ? this.#limits.heavyStallMs : this.#limits.stallMs;
  }

  #relieve(): void {
    if (this.#paused) {
      this.#paused = undefined;
      this.#timer?.[Symbol.dispose]();
      this.#socket.resume();
      this.#events.relieved();
    }
    const next = this.#held.shift();
    if (!next) return;
    next.release();
    this.#letThrough(next.bytes);
  }

  /** The answer reaches the socket a few turns later; until then it is counted here. */
  #letThrough(bytes: number): void {
    this.#admitted += bytes;
    setImmediate(() => {
      this.#admitted -= bytes;
      this.look();
    });
  }
}
