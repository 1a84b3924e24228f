/**
 * One connected front end: greeting, then frozen methods for everybody, then calls for those who attached.
 * Whatever ends the connection, everything the front end held is let go.
 */
import type { Socket } from 'node:net';
import { ErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { fail } from '../shared/base/failure.ts';
import type { Clock } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import { fieldOf, isObject } from '../shared/base/unknown-value.ts';
import type { Host } from '../shared/host/host.ts';
import type { LinkEvent } from '../shared/link/server-link.ts';
import { BROKER, BROKER_NEWS, brokerMethodNamed } from '../shared/rendezvous/broker-methods.ts';
import type {
  AttachResult,
  BrokerStatus,
  EventParams,
  HelloResult,
  SleepParams,
  StateParams,
  StopParams,
} from '../shared/rendezvous/broker-protocol.ts';
import { BROKER_PROTOCOL, VERSION } from '../shared/version.ts';
import { Connection } from '../shared/wire/connection.ts';
import { methodNotFound } from '../shared/wire/errors.ts';
import { FrameReader, FrameWriter } from '../shared/wire/frame-stream.ts';
import { RawJson } from '../shared/wire/raw-json.ts';
import { Backpressure, type PressureLimits } from './backpressure.ts';
import type { FairQueue } from './fair-queue.ts';
import { parseSleep, parseStop, sameSecret } from './frozen-params.ts';
import type { LongRequests } from './long-requests.ts';
import { asksServer, isLong, type ParsedRequest, parseRequest, perform, takesTurn } from './requests.ts';
import { takeTurn } from './take-turn.ts';

/** What a session needs of the broker around it. */
export interface SessionServices {
  readonly generation: string;
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: FairQueue<number>;
  readonly longRequests: LongRequests;
  readonly pressure?: PressureLimits;
  /** Settles once this broker owns its key. */
  readonly host: Promise<Host>;
  draining(): boolean;
  status(): Promise<BrokerStatus>;
  stop(params: StopParams): void;
  /** Whether the server sleeps now. */
  sleep(params: SleepParams): Promise<boolean>;
  /** The server is or was asked something. */
  asked(): void;
  finished(milliseconds: number, succeeded: boolean): void;
}

export interface SessionEvents {
  greeted(): void;
  attached(): void;
  /** A call began or ended. */
  busy(delta: 1 | -1): void;
  closed(): void;
}

const AUTHENTICATE_WITHIN_MS = 2000;
const FLUSH_WITHIN_MS = 1000;
const MAX_QUESTION_BYTES = 64 * 1024 * 1024;
/** Counts all calls, those that need no turn included. */
const MAX_PENDING = 1024;
const MAX_LABEL = 120;

export class ClientSession {
  readonly id: number;
  readonly #socket: Socket;
  readonly #services: SessionServices;
  readonly #events: SessionEvents;
  readonly #connection: Connection;
  readonly #pressure: Backpressure;
  readonly #authentication: Disposable;
  #stage: { kind: 'new' } | { kind: 'greeted'; protocol: number | null } | { kind: 'attached'; host: Host };
  #clientPid = 0;
  #label: string | undefined;
  #pending = 0;
  #stateListener: Disposable | undefined;
  #stateMissed = false;
  #eventListener: Disposable | undefined;
  #eventsMissed = false;

  constructor(id: number, socket: Socket, services: SessionServices, events: SessionEvents) {
    this.id = id;
    this.#socket = socket;
    this.#services = services;
    this.#events = events;
    this.#stage = { kind: 'new' };
    this.#authentication = services.clock.after(AUTHENTICATE_WITHIN_MS, () =>
      this.close('no greeting in time'),
    );
    this.#pressure = new Backpressure(
      socket,
      services.clock,
      { relieved: () => this.#sendMissed(), close: (reason) => this.close(reason) },
      services.pressure,
    );
    this.#connection = new Connection(
      new FrameReader(socket, { maxBodyBytes: MAX_QUESTION_BYTES, oversize: 'refuse' }),
      new FrameWriter(socket),
      {
        request: (method, params, signal) => this.#answer(method, params, signal),
        notification: () => {
          if (this.#stage.kind === 'new') this.close('not greeted');
        },
        closed: (reason) => this.#ended(reason),
      },
    );
  }

  get greeted(): boolean {
    return this.#stage.kind !== 'new';
  }

  get attached(): boolean {
    return this.#stage.kind === 'attached';
  }

  get summary(): BrokerStatus['sessions'][number] {
    const label = this.#label === undefined ? {} : { label: this.#label };
    return { id: this.id, pid: this.#clientPid, pending: this.#pending, ...label };
  }

  close(reason: string): void {
    this.#connection.close(reason);
  }

  async #answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const known = brokerMethodNamed(method);
    if (this.#stage.kind === 'new')
      return known === BROKER.hello.name ? this.#hello(params) : this.close('not greeted');
    switch (known) {
      case undefined:
        throw methodNotFound(method);
      case BROKER.hello.name:
        throw new ResponseError(ErrorCodes.InvalidRequest, 'greeted already');
      case BROKER.status.name:
        return this.#services.status();
      case BROKER.stop.name:
        return this.#services.stop(parseStop(params));
      case BROKER.sleep.name:
        return this.#services.sleep(parseSleep(params));
      case BROKER.ping.name:
        return null;
      case BROKER.attach.name:
        return this.#attach(params);
      case BROKER.watch.name:
        return this.#watch();
      default:
        return this.#perform(parseRequest(known, params), signal);
    }
  }

  #hello(params: unknown): HelloResult | undefined {
    const hello = isObject(params) ? params : {};
    if (typeof hello.token !== 'string' || !sameSecret(hello.token, this.#services.token)) {
      this.#services.log.warn('refused a connection with a wrong token');
      this.close('wrong token');
      return undefined;
    }
    this.#authentication[Symbol.dispose]();
    const [lowest, highest] = Array.isArray(hello.protocol) ? hello.protocol : [];
    const protocol = lowest <= BROKER_PROTOCOL && BROKER_PROTOCOL <= highest ? BROKER_PROTOCOL : null;
    this.#clientPid = typeof hello.clientPid === 'number' ? hello.clientPid : 0;
    this.#stage = { kind: 'greeted', protocol };
    this.#events.greeted();
    const state = this.#services.draining() ? 'draining' : 'serving';
    return { protocol, version: VERSION, generation: this.#services.generation, state };
  }

  async #attach(params: unknown): Promise<AttachResult> {
    const label = fieldOf(params, 'label');
    if (typeof label === 'string') this.#label = label.slice(0, MAX_LABEL);
    const host = await this.#services.host;
    if (this.#stage.kind === 'new' || this.#connection.closed) return fail({ kind: 'cancelled' });
    if (this.#stage.kind === 'greeted') {
      if (this.#stage.protocol === null)
        throw new ResponseError(
          ErrorCodes.InvalidRequest,
          'no protocol in common: only status and stop work',
        );
      if (this.#services.draining()) return fail({ kind: 'draining' });
      this.#stage = { kind: 'attached', host };
      this.#stateListener = host.onState(() => this.#sendState(host));
      this.#events.attached();
    }
    return { session: this.id, state: host.state };
  }

  #watch(): null {
    const stage = this.#stage;
    if (stage.kind !== 'attached') throw notAttached();
    this.#eventListener ??= stage.host.onEvent((event) => this.#sendEvent(event));
    return null;
  }

  async #perform({ request, timeoutMs }: ParsedRequest, signal: AbortSignal): Promise<unknown> {
    const stage = this.#stage;
    if (stage.kind !== 'attached') throw notAttached();
    this.#refuseWhenDraining();
    if (this.#pending >= MAX_PENDING)
      return fail({ kind: 'overloaded', what: 'this session has too many calls pending' });
    const { clock, queue } = this.#services;
    const startedAt = clock.now();
    const run = async () => {
      this.#refuseWhenDraining();
      const left = timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - (clock.now() - startedAt));
      const options = { signal, ...(left === undefined ? {} : { timeoutMs: left }) };
      const result = await perform(request, stage.host, this.id, options);
      await this.#pressure.admit(result instanceof RawJson ? result.length : 0);
      return result;
    };
    this.#pending++;
    this.#events.busy(1);
    if (asksServer(request)) this.#services.asked();
    let succeeded = false;
    try {
      const what = request.method === 'request' ? request.lsp : request.method;
      const result = takesTurn(request)
        ? await takeTurn(queue, this.id, run, {
            what,
            timeoutMs,
            signal,
            clock,
            longRequests: isLong(request) ? this.#services.longRequests : undefined,
          })
        : await run();
      succeeded = true;
      return result;
    } finally {
      if (asksServer(request)) this.#services.asked();
      this.#pending--;
      this.#events.busy(-1);
      this.#services.finished(clock.now() - startedAt, succeeded);
    }
  }

  #refuseWhenDraining(): void {
    if (this.#services.draining()) fail({ kind: 'draining' });
  }

  /** Only the newest state matters, so a front end that lags behind gets one instead of all. */
  #sendState(host: Host): void {
    if (this.#pressure.high) {
      this.#stateMissed = true;
      return;
    }
    const params: StateParams = { state: host.state };
    this.#connection.notify(BROKER_NEWS.state.name, params);
  }

  #sendEvent(event: LinkEvent): void {
    if (this.#pressure.high) {
      this.#eventsMissed = true;
      return;
    }
    const params: EventParams = { event };
    this.#connection.notify(BROKER_NEWS.event.name, params);
  }

  #sendMissed(): void {
    if (this.#stateMissed && this.#stage.kind === 'attached') {
      this.#stateMissed = false;
      this.#sendState(this.#stage.host);
    }
    if (this.#eventsMissed) {
      this.#eventsMissed = false;
      this.#sendEvent({ kind: 'missed' });
    }
  }

  #ended(reason: string): void {
    this.#services.log.debug('session ended', { session: this.id, reason });
    this.#authentication[Symbol.dispose]();
    this.#pressure.stop();
    this.#stateListener?.[Symbol.dispose]();
    this.#eventListener?.[Symbol.dispose]();
    if (this.#stage.kind === 'attached') this.#stage.host.releaseUser(this.id);
    this.#socket.destroySoon();
    // Of a front end that does not read, the last bytes would never leave.
    this.#services.clock.after(FLUSH_WITHIN_MS, () => this.#socket.destroy());
    this.#events.closed();
  }
}

function notAttached(): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidRequest, 'not attached');
}
