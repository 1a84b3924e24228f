/**
 * The lease as calls use it. A call that waits for its turn has sent nothing to the server: a crash meanwhile is not
 * counted against it, and it does not go on waiting for a server that is dead.
 */
import { type Clock, withTimeout } from '../../base/lifetime.ts';
import { BARRIER_METHOD } from '../protocol/barrier.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import type { CallScope } from './call-scope.ts';
import { Lease } from './lease.ts';

/** A server process has its own: what hangs with a dead one must not hold up the next. */
interface Table {
  readonly lease: Lease;
  isTryingOut: boolean;
  readonly postponed: Map<string, () => void>;
}

/** A server that does not answer this long has at least been sent everything, in order. */
const BARRIER_MS = 3000;

export class Turns {
  readonly #clock: Clock;
  readonly #tables = new WeakMap<SpokenServer, Table>();
  /** Calls that the current server is working on. */
  readonly #running = new Set<CallScope>();
  /** Those and the ones that wait for their turn. */
  readonly #open = new Set<CallScope>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(scope: CallScope): void {
    this.#open.add(scope);
    this.#running.add(scope);
  }

  end(scope: CallScope): void {
    this.#open.delete(scope);
    this.#running.delete(scope);
  }

  /** Nobody is being served or waits to be. */
  get isFree(): boolean {
    return this.#open.size === 0;
  }

  isRunning(scope: CallScope): boolean {
    return this.#running.has(scope);
  }

  get labels(): readonly string[] {
    return [...this.#running].map(({ label }) => label);
  }

  /** For everything that goes to the server about the text on disk. */
  async read<T>(instance: SpokenServer, scope: CallScope, work: () => Promise<T>): Promise<T> {
    const { lease } = this.#tableOf(instance);
    if (!lease.tryEnter()) await this.#wait(instance, scope, (ended) => lease.enter(ended));
    try {
      return await work();
    } finally {
      lease.leave();
    }
  }

  /** Alone with the server, whose text is the disk's again when the work has ended. */
  async tryOut<T>(instance: SpokenServer, scope: CallScope, work: () => Promise<T>): Promise<T> {
    const table = this.#tableOf(instance);
    const close = await this.#wait(instance, scope, (ended) => table.lease.openWindow(ended));
    table.isTryingOut = true;
    try {
      return await work();
    } finally {
      // The caller has its answer; only those who come after it wait until the server has caught up.
      void passBarrier(instance, this.#clock).finally(() => {
        table.isTryingOut = false;
        close();
        const postponed = [...table.postponed.values()];
        table.postponed.clear();
        for (const tell of postponed) tell();
      });
    }
  }

  /** Tells what a server said when nobody asked: at once, or when that can no longer be about text that is tried out. */
  tellOutside(instance: SpokenServer, subject: string, tell: () => void): void {
    const { isTryingOut, postponed } = this.#tableOf(instance);
    if (isTryingOut) postponed.set(subject, tell);
    else tell();
  }

  #tableOf(instance: SpokenServer): Table {
    const known = this.#tables.get(instance);
    if (known) return known;
    const table = { lease: new Lease(this.#clock), isTryingOut: false, postponed: new Map() };
    this.#tables.set(instance, table);
    return table;
  }

  async #wait<T>(
    instance: SpokenServer,
    scope: CallScope,
    turn: (ended: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const end = () => ended.abort();
    const signals = [scope.signal, instance.ended];
    for (const signal of signals) signal.addEventListener('abort', end, { once: true });
    if (signals.some(({ aborted }) => aborted)) end();
    this.#running.delete(scope);
    try {
      const mine = await turn(ended.signal);
      // Given up at the very moment: it goes in to find that out, but it does not run.
      if (!ended.signal.aborted) this.#running.add(scope);
      return mine;
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }
}

/** Behind its answer, everything that was sent before has been read. Any answer will do. */
async function passBarrier({ connection }: SpokenServer, clock: Clock): Promise<void> {
  const answered = connection.request(BARRIER_METHOD, {}).catch(() => {});
  await withTimeout(answered, BARRIER_MS, () => undefined, clock);
}
