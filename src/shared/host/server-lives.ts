/**
 * Which process of the server is the current one, and what happens between two: start at the first call, backoff
 * after a crash, giving up after too many, sleep until the next call, and an end that is no crash.
 */
import { FailureError, failureOf, messageOf } from '../base/failure.ts';
import { type Clock, type Deferred, deferred, Listeners } from '../base/lifetime.ts';
import type { Log } from '../base/log.ts';
import type { ServerState } from '../link/server-link.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import type { DocumentBooks } from './documents/documents.ts';
import type { FolderBook } from './documents/folder-book.ts';
import { RestartPolicy } from './process/restart-policy.ts';
import { crashFailure, type Death } from './process/server-death.ts';
import { ServerInstance } from './server-instance.ts';

type Life =
  | { kind: 'idle'; asleep?: string }
  | { kind: 'starting'; instance: ServerInstance | undefined; ready: Promise<ServerInstance> }
  | { kind: 'running'; instance: ServerInstance }
  | { kind: 'waiting'; death: Death; retryAt: number; timer: Disposable; over: Deferred<void> }
  | { kind: 'failed'; death: Death }
  | { kind: 'stopped' };
type Starting = Life & { kind: 'starting' };

export interface LivesDeps {
  readonly books: DocumentBooks;
  readonly folders: FolderBook;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each new process, before its handshake; `isWoken` if the one before was put to sleep. */
  readonly opened: (instance: ServerInstance, isWoken: boolean) => void;
  readonly processChanged: (pid: number | undefined) => void;
  /** Called for a death that nobody asked for, before anything is started again. */
  readonly crashed: () => void;
}

/** A server that does not answer initialize for this long is ended and started again. */
const HANDSHAKE_MS = 300_000;

export class ServerLives {
  readonly #plan: ServerPlan;
  readonly #deps: LivesDeps;
  readonly #restarts: RestartPolicy;
  readonly #states = new Listeners<ServerState>();
  #life: Life = { kind: 'idle' };
  /** Settles when the process that was put to sleep last has ended. */
  #leaving: Promise<unknown> = Promise.resolve();
  #hasSlept = false;
  #started = 0;
  #lastEmitted = '';

  constructor(plan: ServerPlan, deps: LivesDeps) {
    this.#plan = plan;
    this.#deps = deps;
    this.#restarts = new RestartPolicy(deps.clock);
  }

  get started(): number {
    return this.#started;
  }

  get crashes(): number {
    return this.#restarts.total;
  }

  get state(): ServerState {
    return stateOf(this.#life, this.#deps.clock.now());
  }

  get instance(): ServerInstance | undefined {
    return this.#life.kind === 'running' || this.#life.kind === 'starting' ? this.#life.instance : undefined;
  }

  /** The instance that takes requests now, if there is one. */
  get running(): ServerInstance | undefined {
    return this.#life.kind === 'running' ? this.#life.instance : undefined;
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#states.add(listener);
  }

  /** The current instance after its handshake; starts one or waits for the next one if needed. */
  async obtain(): Promise<ServerInstance> {
    for (;;) {
      const life = this.#life;
      switch (life.kind) {
        case 'idle':
          return this.#start();
        case 'starting':
          return life.ready;
        case 'running':
          return life.instance;
        case 'waiting':
          await life.over.promise;
          continue;
        case 'failed':
          throw new FailureError({ kind: 'server-failed', server: this.#plan.serverId, ...life.death });
        case 'stopped':
          throw stoppedFailure();
      }
    }
  }

  /** Ends the current process; the next `obtain` starts a new one and earlier crashes are forgotten. */
  async renew(): Promise<void> {
    if (this.#life.kind === 'stopped') throw stoppedFailure();
    this.#restarts.forgive();
    await this.#detach({ kind: 'idle' })?.stop();
  }

  /** Ends the current process; the next `obtain` starts a new one, but not beside this one. */
  sleep(reason: string): void {
    const { running } = this;
    if (!running) throw new Error('only a running server can be put to sleep');
    this.#deps.log.info('server put to sleep', { reason, pid: running.transport.pid });
    this.#hasSlept = true;
    this.#detach({ kind: 'idle', asleep: reason });
    // Two at once would take twice the memory, and some keep a lock in the project.
    this.#leaving = running
      .stop()
      .then(() => running.died)
      .catch((error: unknown) =>
        this.#deps.log.warn('could not end the server', { error: messageOf(error) }),
      );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#detach({ kind: 'stopped' })?.stop(), this.#leaving]);
  }

  #start(): Promise<ServerInstance> {
    const life: Starting = {
      kind: 'starting',
      instance: undefined,
      ready: this.#leaving.then(() => this.#launch(life)),
    };
    this.#life = life;
    this.#emit();
    return life.ready;
  }

  async #launch(life: Starting): Promise<ServerInstance> {
    if (this.#life !== life) throw stoppedFailure();
    const instance = await this.#open(life);
    if (this.#life !== life) {
      await instance.destroy('stopped');
      throw stoppedFailure();
    }
    life.instance = instance;
    this.#deps.opened(instance, this.#hasSlept);
    this.#hasSlept = false;
    void instance.died.then((death) => this.#onDeath(instance, death));
    try {
      await instance.handshake(HANDSHAKE_MS);
    } catch (error) {
      if (!instance.connection.closed) void instance.destroy(`initialize failed: ${messageOf(error)}`);
      throw crashFailure(this.#plan, await instance.died);
    }
    if (this.#life === life) this.#life = { kind: 'running', instance };
    // A session that came or left during the handshake could tell no server.
    instance.folders.follow();
    this.#deps.log.info('server shook hands', {
      server: instance.facts.serverName,
      pid: instance.transport.pid,
    });
    this.#emit();
    return instance;
  }

  async #open(life: Starting): Promise<ServerInstance> {
    const { clock, log, processChanged } = this.#deps;
    try {
      return await ServerInstance.open(this.#plan, ++this.#started, {
        clock,
        log,
        books: this.#deps.books,
        folders: this.#deps.folders,
        stateChanged: () => this.#emit(),
        processStarted: processChanged,
      });
    } catch (error) {
      const failure = failureOf(error);
      const reason = failure?.kind === 'server-failed' ? failure.reason : messageOf(error);
      this.#afterDeath(life, { reason, stderr: '' });
      throw error;
    }
  }

  #onDeath(instance: ServerInstance, death: Death): void {
    this.#deps.processChanged(undefined);
    if (this.instance !== instance) return;
    this.#deps.crashed();
    this.#afterDeath(this.#life, death);
  }

  #afterDeath(life: Life, death: Death): void {
    if (this.#life !== life) return;
    const next = this.#restarts.crashed();
    this.#deps.log.warn('server died', { ...death, next });
    if (next.kind === 'give-up') {
      const reason = `${death.reason}; died ${next.crashes} times within 3 minutes`;
      this.#life = { kind: 'failed', death: { ...death, reason } };
    } else {
      this.#life = this.#waitToRestart(death, next.delayMs);
    }
    this.#emit();
  }

  #waitToRestart(death: Death, delayMs: number): Life {
    const { clock } = this.#deps;
    const over = deferred<void>();
    const timer = clock.after(delayMs, () => {
      // Started now rather than by the next call, so that the index is warm again when that comes.
      this.#life = { kind: 'idle' };
      this.#start().catch(() => {});
      over.resolve();
    });
    return { kind: 'waiting', death, retryAt: clock.now() + delayMs, timer, over };
  }

  /** Makes `next` current and hands over the instance that was, so that its end is no crash. */
  #detach(next: Life): ServerInstance | undefined {
    const { instance } = this;
    const before = this.#life;
    this.#life = next;
    if (before.kind === 'waiting') {
      before.timer[Symbol.dispose]();
      // A call that waits for the restart looks again at what is to be done now.
      before.over.resolve();
    }
    this.#emit();
    return instance;
  }

  /** Tells the listeners, but not for numbers that move by themselves. */
  #emit(): void {
    const state = this.state;
    const comparable = JSON.stringify({ ...state, sinceMs: 0, retryMs: 0 });
    if (comparable === this.#lastEmitted) return;
    this.#lastEmitted = comparable;
    this.#states.emit(state);
  }
}

function stateOf(life: Life, now: number): ServerState {
  switch (life.kind) {
    case 'idle':
      return life.asleep === undefined ? { kind: 'idle' } : { kind: 'idle', asleep: life.asleep };
    case 'stopped':
      return { kind: 'stopped' };
    case 'starting':
      return life.instance?.readiness.state ?? { kind: 'starting', sinceMs: 0 };
    case 'running':
      return life.instance.readiness.state;
    case 'waiting':
      return { kind: 'crashed', ...life.death, retryMs: Math.max(0, Math.round(life.retryAt - now)) };
    case 'failed':
      return { kind: 'failed', ...life.death };
  }
}

function stoppedFailure(): FailureError {
  return new FailureError({ kind: 'connection-lost', what: 'the server was stopped' });
}
