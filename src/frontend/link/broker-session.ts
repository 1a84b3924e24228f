/**
 * One attachment to a broker: its calls, the state it pushes, and the proof that it still lives. A broker that does not
 * even answer a ping while a call is pending is given up, so that the call can be made another way.
 */
import { FailureError } from '../../shared/base/failure.ts';
import { abandonable, type Clock, deferred, Listeners, systemClock } from '../../shared/base/lifetime.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import {
  type CallOptions,
  isSettled,
  type LinkEvent,
  type ServerState,
} from '../../shared/link/server-link.ts';
import type { BrokerChannel } from '../../shared/rendezvous/broker-channel.ts';
import { BROKER, BROKER_NEWS, type BrokerMethod } from '../../shared/rendezvous/broker-methods.ts';

export type SessionCall = Pick<CallOptions, 'signal' | 'timeoutMs'>;

export interface BrokerSessionOptions {
  readonly clock?: Clock;
  /** True if the broker's process is late only because it gets no processor. */
  readonly isStarved?: () => boolean;
  /** What the broker's status calls it, beside the pid of this process. */
  readonly label?: string | undefined;
}

/** `silent` brokers are not asked again: they would cost every call the same wait. */
export type SessionEnd = 'closed' | 'silent';

const PING_AFTER_MS = 3000;
const PONG_WITHIN_MS = 2000;
/** How many times the wait for a ping is extended while the broker is late only because the machine is busy. */
const MOST_EXTENSIONS = 5;
/** The broker keeps the deadline; this is for when its answer about that does not come. */
const OVERTIME_MS = 2000;

export class BrokerSession {
  readonly #channel: BrokerChannel;
  readonly #clock: Clock;
  readonly #isStarved: () => boolean;
  readonly #states = new Listeners<ServerState>();
  readonly #events = new Listeners<LinkEvent>();
  #state: ServerState = { kind: 'idle' };
  #end: SessionEnd | undefined;
  #pending = 0;
  #retired = false;
  #pulse: Disposable | undefined;

  /** Joins the broker's server without waiting for it. */
  static async attach(channel: BrokerChannel, options: BrokerSessionOptions = {}): Promise<BrokerSession> {
    const session = new BrokerSession(channel, options);
    try {
      const { label } = options;
      const answer = await session.call(BROKER.attach, label === undefined ? {} : { label }, {});
      if (!isObject(answer) || !isState(answer.state)) throw new Error('the daemon gave no state');
      // A push that overtook this answer is newer than it.
      if (session.#state.kind === 'idle') session.#setState(answer.state);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  private constructor(channel: BrokerChannel, options: BrokerSessionOptions) {
    this.#channel = channel;
    this.#clock = options.clock ?? systemClock;
    this.#isStarved = options.isStarved ?? (() => false);
    channel.onNotification(({ method, params }) => {
      if (!isObject(params)) return;
      if (method === BROKER_NEWS.state.name && isState(params.state)) this.#setState(params.state);
      // Of a broker that speaks our protocol number; of kinds that are new to us nobody takes notice.
      if (method === BROKER_NEWS.event.name && isObject(params.event))
        this.#events.emit(params.event as unknown as LinkEvent);
    });
    channel.onClosed(() => {
      this.#end ??= 'closed';
      this.#stopPulse();
    });
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Set once the session cannot be used any more. */
  get end(): SessionEnd | undefined {
    return this.#end;
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#states.add(listener);
  }

  /** Asks for events with the first listener. */
  onEvent(listener: (event: LinkEvent) => void): Disposable {
    // When the call fails the session is over or overloaded; events are hints, and the next session asks again.
    if (this.#events.size === 0) this.call(BROKER.watch, {}, {}).catch(() => {});
    return this.#events.add(listener);
  }

  /** Rejects with `connection-lost` when the broker goes; `end` says how. */
  call<Params extends object, Result>(
    method: BrokerMethod<string, Params, Result>,
    params: Params,
    { signal, timeoutMs }: SessionCall,
  ): Promise<Result> {
    if (timeoutMs === undefined) return this.#whilePending(this.#channel.request(method, params, { signal }));
    const ms = timeoutMs + OVERTIME_MS;
    const failure = () =>
      new FailureError({ kind: 'timeout', what: method.name, afterMs: ms, state: this.#state.kind });
    const limit = { ms, clock: this.#clock, failure };
    return this.#whilePending(this.#channel.request(method, { ...params, timeoutMs }, { signal, limit }));
  }

  /** The first state that is no longer on the way up, or the state at the deadline. */
  settled(call: SessionCall): Promise<ServerState> {
    const { signal, timeoutMs } = call;
    if (isSettled(this.#state)) return Promise.resolve(this.#state);
    if (signal?.aborted) return Promise.reject(new FailureError({ kind: 'cancelled' }));
    if (this.#channel.closed) return Promise.reject(lost('the daemon has gone'));
    const held: Disposable[] = [];
    const outcome = deferred<ServerState>();
    held.push(this.#channel.onClosed((reason) => outcome.reject(lost(reason))));
    // A server that sleeps is started by a call and by nothing else; if that fails, the state says so.
    const look = (state: ServerState) => {
      if (isSettled(state)) outcome.resolve(state);
      else if (state.kind === 'idle') this.call(BROKER.facts, {}, call).catch(() => {});
    };
    held.push(this.#states.add(look));
    look(this.#state);
    if (timeoutMs !== undefined) held.push(this.#clock.after(timeoutMs, () => outcome.resolve(this.#state)));
    return this.#whilePending(
      abandonable(outcome.promise, signal).finally(() => {
        for (const each of held) each[Symbol.dispose]();
      }),
    );
  }

  /** Takes no more calls, but lets those that the broker still works on come to their end. */
  retire(): void {
    this.#end ??= 'closed';
    this.#retired = true;
    if (this.#pending === 0) this.close();
  }

  /** Detaches by hanging up; the broker lets go of everything this session held. */
  close(): void {
    this.#end ??= 'closed';
    this.#stopPulse();
    this.#channel.close('detached');
  }

  async #whilePending<T>(work: Promise<T>): Promise<T> {
    if (++this.#pending === 1) this.#nextPulse();
    try {
      return await work;
    } finally {
      if (--this.#pending === 0) this.#stopPulse();
      if (this.#pending === 0 && this.#retired) this.close();
    }
  }

  #setState(state: ServerState): void {
    this.#state = state;
    this.#states.emit(state);
  }

  #nextPulse(): void {
    this.#stopPulse();
    if (this.#end) return;
    this.#pulse = this.#clock.after(PING_AFTER_MS, () => {
      let answered = false;
      this.#channel.request(BROKER.ping, {}).then(
        () => {
          answered = true;
          if (this.#pending > 0) this.#nextPulse();
        },
        () => {
          answered = true;
        },
      );
      this.#awaitPong(() => answered, MOST_EXTENSIONS);
    });
  }

  #awaitPong(answered: () => boolean, extensions: number): void {
    this.#pulse = this.#clock.after(PONG_WITHIN_MS, () => {
      // If it was this process that stood still, the answer lies unread in the socket: let it be read first.
      setImmediate(() => {
        if (answered() || this.#pending === 0 || this.#end) return;
        if (extensions > 0 && this.#isStarved()) this.#awaitPong(answered, extensions - 1);
        else this.#giveUp();
      });
    });
  }

  #giveUp(): void {
    this.#end ??= 'silent';
    this.#channel.close('the daemon gives no sign of life');
  }

  #stopPulse(): void {
    this.#pulse?.[Symbol.dispose]();
    this.#pulse = undefined;
  }
}

function lost(what: string): FailureError {
  return new FailureError({ kind: 'connection-lost', what });
}

function isState(value: unknown): value is ServerState {
  return isObject(value) && typeof value.kind === 'string';
}
