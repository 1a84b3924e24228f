/**
 * One broker: a host behind a private socket. Puts ownership, listener, idle exit and drain together;
 * each of them is simple alone, and what they have to agree on is here.
 */
import { messageOf } from '../shared/base/failure.ts';
import { type Clock, deferred } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import { removeServerNote, writeLastExit, writeServerNote } from '../shared/daemon-notes.ts';
import { type DaemonRecord, RecordFile, removeFile } from '../shared/daemon-record.ts';
import type { EndpointPlace } from '../shared/endpoint.ts';
import type { Host } from '../shared/host/host.ts';
import { claimPath } from '../shared/ownership-graves.ts';
import { ensurePrivateDirectory } from '../shared/private-directory.ts';
import { identifyProcess } from '../shared/process-identity.ts';
import type { PressureLimits } from './backpressure.ts';
import { BudgetKeeper, type BudgetKeeperOptions } from './budget-keeper.ts';
import type { AtPoint } from './crash-points.ts';
import { drain } from './drain.ts';
import { FairQueue } from './fair-queue.ts';
import { IdleTimer } from './idle.ts';
import { Latencies } from './latencies.ts';
import { Listener } from './listener.ts';
import { type LongCallLimits, LongCalls } from './long-calls.ts';
import { MemoryMeter } from './memory.ts';
import { budgetEntry } from './neighbours.ts';
import { type Ownership, type OwnershipOutcome, takeOwnership } from './ownership.ts';
import { reapAll } from './reaper.ts';
import { brokerStatus } from './status.ts';

export interface BrokerOptions {
  readonly directory: string;
  /** Complete except for the socket, which is opened here. */
  readonly record: Omit<DaemonRecord, 'socketPath'>;
  readonly idleTimeoutMs: number;
  readonly place: EndpointPlace;
  readonly clock: Clock;
  readonly log: Log;
  readonly at: AtPoint;
  readonly longCalls: LongCallLimits;
  readonly pressure?: PressureLimits;
  /** What all brokers of the state directory may keep idle; without it there is no limit. */
  readonly budget?: Pick<BudgetKeeperOptions, 'stateDirectory' | 'limits'>;
  /** Must not start anything before the first call. */
  createHost(onServerProcess: (pid: number | undefined) => void): Host;
  /** True once the program on disk is no longer the one that runs. */
  programChanged(): boolean;
  /** The directory had been deleted and is there again. */
  republished?(): void;
}

export type OpenOutcome = { kind: 'owner' } | { kind: 'lost' } | { kind: 'busy'; reason: string };
export interface BrokerEnd {
  readonly reason: string;
  readonly cause: 'stopped' | 'displaced' | 'failed';
}

/** Whoever started us gets this long to come, however short the idle time is. */
const FIRST_USE_MS = 10_000;
const ACTIVITY_NOTE_EVERY_MS = 10_000;

export class Broker {
  readonly #options: BrokerOptions;
  readonly #listener: Listener;
  readonly #idle: IdleTimer;
  readonly #latencies = new Latencies();
  readonly #memory: MemoryMeter;
  readonly #budget: BudgetKeeper | undefined;
  readonly #hostReady = deferred<Host>();
  readonly #ended = deferred<BrokerEnd>();
  readonly #startedAt: number;
  #host: Host | undefined;
  #ownership: Ownership | undefined;
  #leaving: BrokerEnd | undefined;
  #reaping: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #outdated = false;
  #activityNotedAt = 0;

  constructor(options: BrokerOptions) {
    const { clock, log, record } = options;
    this.#options = options;
    this.#startedAt = clock.now();
    this.#memory = new MemoryMeter({ clock });
    this.#idle = new IdleTimer({
      timeoutMs: options.idleTimeoutMs,
      firstUseMs: FIRST_USE_MS,
      clock,
      expired: () => this.leave('drain', { reason: 'idle: no session for a while', cause: 'stopped' }),
    });
    this.#listener = new Listener({
      directory: options.directory,
      generation: record.generation,
      place: options.place,
      idle: this.#idle,
      greeted: () => this.#noticeUpgrade(),
      quieter: () => this.#makeRoom(),
      emptied: () => this.#becameIdle(),
      services: {
        generation: record.generation,
        token: record.token,
        clock,
        log,
        queue: new FairQueue(),
        longCalls: new LongCalls(clock, options.longCalls),
        ...(options.pressure ? { pressure: options.pressure } : {}),
        host: this.#hostReady.promise,
        draining: () => this.#leaving !== undefined,
        status: () => this.#status(),
        stop: ({ mode, reason }) => this.leave(mode, { reason, cause: 'stopped' }),
        finished: (milliseconds, succeeded) => this.#noteCall(milliseconds, succeeded),
      },
    });
    this.#budget = options.budget && this.#keepBudget(options.budget);
  }

  /** Resolves when the broker has left; the process should end then. */
  get ended(): Promise<BrokerEnd> {
    return this.#ended.promise;
  }

  /** Listens, then contends for the key. Only an owner goes on to start the server. */
  async open(): Promise<OpenOutcome> {
    const intent = claimPath(this.#options.directory, this.#options.record.generation);
    try {
      const outcome = await this.#contend(intent);
      if (outcome.kind !== 'owner') {
        await this.#withdraw(intent);
        return outcome;
      }
      this.#ownership = outcome.ownership;
      // Asked to leave while the descriptor was being published.
      if (this.#leaving) void this.#depart('now', outcome.ownership, this.#leaving);
      return { kind: 'owner' };
    } catch (error) {
      await this.#withdraw(intent);
      throw error;
    }
  }

  /** Starts the server without waiting for it: to front ends a slow handshake is a state, not an absence. */
  start(): void {
    if (this.#leaving) return;
    const { directory, clock, log } = this.#options;
    this.#budget?.becameOwner();
    this.#reaping = reapAll(directory, { clock, log });
    const host = this.#options.createHost((pid) => this.#noteServer(pid));
    this.#host = host;
    host.onState((state) => {
      log.info('server state', { state: state.kind });
      this.#ownership?.update({ ready: state.kind === 'ready' });
    });
    this.#hostReady.resolve(host);
    host.facts().catch((error: unknown) => log.warn('the server did not start', { error: messageOf(error) }));
  }

  /** Begins to leave; a second call changes nothing, except that `now` ends the waiting of a drain. */
  leave(mode: 'drain' | 'now', end: BrokerEnd): void {
    if (this.#leaving) {
      // A failure is reported where the drain itself stops the server.
      if (mode === 'now') this.#stopServer().catch(() => {});
      return;
    }
    this.#leaving = end;
    this.#idle.stop();
    this.#budget?.stop();
    this.#options.log.info('leaving', { mode, reason: end.reason });
    // A contender notices by itself and has nothing to drain.
    if (this.#ownership) void this.#depart(mode, this.#ownership, end);
  }

  async #contend(intent: string): Promise<OwnershipOutcome> {
    const { directory, record, at } = this.#options;
    ensurePrivateDirectory(directory);
    // The claim is there before the socket, so that whoever comes after a crash finds the socket's name in it.
    const socketPath = await this.#listener.open((path) =>
      new RecordFile(intent, { ...record, socketPath: path }).close(),
    );
    await at('after-bind');
    return takeOwnership(
      { ...record, socketPath },
      {
        ...this.#options,
        stopped: () => this.#leaving !== undefined,
        listenAgain: () => this.#listener.open(),
        displaced: (generation) =>
          this.leave('drain', { reason: `displaced by generation ${generation}`, cause: 'displaced' }),
      },
    );
  }

  async #withdraw(intent: string): Promise<void> {
    this.#idle.stop();
    await this.#listener.close('not the owner');
    removeFile(intent);
  }

  async #depart(mode: 'drain' | 'now', ownership: Ownership, end: BrokerEnd): Promise<void> {
    const { directory, record, clock, log, at } = this.#options;
    const steps = {
      at,
      unpublish: () => ownership.release(),
      whenQuiet: () => this.#listener.whenQuiet(),
      stopServer: () => this.#stopServer(),
      leaveNote: () => {
        removeServerNote(directory, record.generation);
        const { generation, version, root, language, command } = record;
        const note = { pid: process.pid, generation, version, root, language, command };
        writeLastExit(directory, { reason: end.reason, at: Date.now(), ...note });
      },
      hangUp: async () => {
        await this.#listener.close('the daemon is leaving');
        ownership.forget();
      },
    };
    await drain(mode, steps, { clock, log });
    this.#ended.resolve(end);
  }

  /** Once, however often it is asked for: everybody waits for the same end. */
  #stopServer(): Promise<void> {
    this.#stopping ??= Promise.all([this.#host?.stop(), this.#reaping]).then(() => undefined);
    return this.#stopping;
  }

  get #record(): DaemonRecord {
    return this.#ownership?.record ?? { ...this.#options.record, socketPath: '' };
  }

  async #status() {
    const { directory, clock } = this.#options;
    return brokerStatus({
      directory,
      clock,
      record: this.#record,
      host: this.#host,
      listener: this.#listener,
      idle: this.#idle,
      latencies: this.#latencies,
      memory: this.#memory,
      startedAt: this.#startedAt,
      draining: this.#leaving !== undefined,
    });
  }

  #noteCall(milliseconds: number, succeeded: boolean): void {
    this.#latencies.record(milliseconds, succeeded);
    const now = this.#options.clock.now();
    if (this.#activityNotedAt !== 0 && now - this.#activityNotedAt < ACTIVITY_NOTE_EVERY_MS) return;
    this.#activityNotedAt = now;
    this.#ownership?.update({ lastActivityAt: Date.now() });
  }

  #noteServer(pid: number | undefined): void {
    const { directory, record, log, at } = this.#options;
    try {
      const server = pid === undefined ? undefined : identifyProcess(pid);
      const { generation, process: broker } = record;
      if (server) writeServerNote(directory, { generation, broker, process: server });
      else removeServerNote(directory, generation);
    } catch (error) {
      log.warn('could not note the server process', { error: messageOf(error) });
    }
    if (pid !== undefined) void at('mid-initialize');
  }

  #noticeUpgrade(): void {
    if (this.#outdated || !this.#options.programChanged()) return;
    this.#outdated = true;
    this.#options.log.info('the program was replaced; leaving as soon as nobody is here');
  }

  #makeRoom(): void {
    if (this.#outdated) this.#leaveIfIdle('the program was replaced on disk');
  }

  #keepBudget(budget: NonNullable<BrokerOptions['budget']>): BudgetKeeper {
    const { clock, log, record } = this.#options;
    return new BudgetKeeper({
      ...budget,
      clock,
      log,
      generation: record.generation,
      self: async () => budgetEntry(this.#record, await this.#status()),
      leaveIfIdle: (reason) => this.#leaveIfIdle(reason),
    });
  }

  #becameIdle(): void {
    if (this.#leaving) return;
    // Who was used last is known to the others only from the descriptor.
    this.#ownership?.update({ lastActivityAt: Date.now() });
    this.#budget?.becameIdle();
  }

  #leaveIfIdle(reason: string): void {
    if (!this.#listener.inUse) this.leave('drain', { reason, cause: 'stopped' });
  }
}
