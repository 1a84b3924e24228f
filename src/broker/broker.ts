/**
 * One broker: a host behind a private socket. Puts ownership, listener, idle exit and drain together;
 * each of them is simple alone, and what they have to agree on is here.
 */
import { messageOf } from '../shared/base/failure.ts';
import { deferred } from '../shared/base/lifetime.ts';
import type { Host } from '../shared/host/host.ts';
import { isSettled, type ServerState } from '../shared/link/server-link.ts';
import { removeServerNote } from '../shared/rendezvous/daemon-notes.ts';
import { type DaemonRecord, RecordFile, removeFile } from '../shared/rendezvous/daemon-record.ts';
import { claimPath } from '../shared/rendezvous/ownership-graves.ts';
import { ensurePrivateDirectory } from '../shared/rendezvous/private-directory.ts';
import type { BrokerEnd, BrokerOptions, OpenOutcome } from './broker-options.ts';
import { BudgetKeeper } from './budget-keeper.ts';
import { drain } from './drain.ts';
import { FairQueue } from './fair-queue.ts';
import { IdleTimer } from './idle.ts';
import { Latencies } from './latencies.ts';
import { Listener } from './listener.ts';
import { LongRequests } from './long-requests.ts';
import { MemoryMeter } from './memory.ts';
import { budgetEntry } from './neighbours.ts';
import { noteExit, noteServer } from './own-notes.ts';
import { type Ownership, type OwnershipOutcome, takeOwnership } from './ownership.ts';
import { reapAll } from './reaper.ts';
import { ServerUse } from './server-use.ts';
import { brokerStatus } from './status.ts';

/** The front end that started the broker gets this long to come, however short the idle time is. */
const FIRST_USE_MS = 10_000;
const ACTIVITY_NOTE_EVERY_MS = 10_000;

export class Broker {
  readonly #options: BrokerOptions;
  readonly #listener: Listener;
  readonly #idle: IdleTimer;
  readonly #latencies = new Latencies();
  readonly #memory: MemoryMeter;
  readonly #use: ServerUse;
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
    this.#memory = new MemoryMeter({ clock, ...options.memory });
    this.#use = new ServerUse(clock);
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
        longRequests: new LongRequests(clock, options.longRequests),
        ...(options.pressure ? { pressure: options.pressure } : {}),
        host: this.#hostReady.promise,
        draining: () => this.#leaving !== undefined,
        status: () => this.#status(),
        stop: ({ mode, reason }) => this.leave(mode, { reason, cause: 'stopped' }),
        sleep: async ({ reason }) => (await this.#budget?.sleep(reason)) === true,
        asked: () => this.#use.asked(),
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
    this.#budget?.grew();
    this.#reaping = reapAll(directory, { clock, log });
    const host = this.#options.createHost((pid) => this.#noteServer(pid));
    this.#host = host;
    host.onState((state) => this.#noteState(state));
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
    // The claim is there before the socket, so that the next broker after a crash finds the socket's name in it.
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
        noteExit(directory, record, end.reason);
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
      use: this.#use,
      maxBytes: this.#budget?.limits.maxBytes,
      startedAt: this.#startedAt,
      draining: this.#leaving !== undefined,
    });
  }

  #noteState(state: ServerState): void {
    const why = state.kind === 'idle' && state.asleep !== undefined ? { asleep: state.asleep } : {};
    this.#options.log.info('server state', { state: state.kind, ...why });
    this.#ownership?.update({ ready: state.kind === 'ready' });
    this.#use.heard(state);
    if (isSettled(state)) this.#budget?.grew();
  }

  #noteCall(milliseconds: number, succeeded: boolean): void {
    this.#latencies.record(milliseconds, succeeded);
    this.#budget?.callEnded();
    const now = this.#options.clock.now();
    if (this.#activityNotedAt !== 0 && now - this.#activityNotedAt < ACTIVITY_NOTE_EVERY_MS) return;
    this.#activityNotedAt = now;
    this.#ownership?.update({ lastActivityAt: Date.now() });
  }

  #noteServer(pid: number | undefined): void {
    const { directory, record, log, at } = this.#options;
    this.#memory.forget();
    noteServer(directory, record, pid, log);
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
      self: async () => {
        this.#memory.forget();
        return budgetEntry(this.#record, await this.#status());
      },
      leaveIfIdle: (reason) => this.#leaveIfIdle(reason),
      sleepIfQuiet: (reason) => this.#listener.running === 0 && this.#host?.sleep(reason) === true,
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
