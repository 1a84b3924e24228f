/**
 * The dialling side of a broker's socket, used by front ends and by brokers that check on each other:
 * one connection with the greeting done, and what a failed greeting proves.
 */
import type { Socket } from 'node:net';
import { FailureError } from '../base/failure.ts';
import { type Clock, Listeners, systemClock } from '../base/lifetime.ts';
import { isObject } from '../base/unknown-value.ts';
import { Connection, type OutgoingOptions } from '../wire/connection.ts';
import { methodNotFound } from '../wire/errors.ts';
import { FrameReader, FrameWriter } from '../wire/frame-stream.ts';
import { BROKER, type BrokerMethod } from './broker-methods.ts';
import type { HelloParams, HelloResult } from './broker-protocol.ts';
import type { DaemonRecord } from './daemon-record.ts';
import { type DialFailure, dial } from './endpoint.ts';

/** V8 cannot hold a longer string than about this; a longer answer fails alone, not the connection. */
const MAX_ANSWER_BYTES = 500 * 1024 * 1024;

export class BrokerChannel {
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #notifications = new Listeners<{ method: string; params: unknown }>();
  readonly #closings = new Listeners<string>();

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#connection = new Connection(
      new FrameReader(socket, { maxBodyBytes: MAX_ANSWER_BYTES, oversize: 'skip' }),
      new FrameWriter(socket),
      {
        request: (method) => Promise.reject(methodNotFound(method)),
        notification: (method, params) => this.#notifications.emit({ method, params }),
        closed: (reason) => {
          // Not only ended: a broker that does not read would otherwise keep this process alive.
          socket.destroy();
          this.#closings.emit(reason);
        },
      },
    );
  }

  get closed(): boolean {
    return this.#connection.closed;
  }

  request<Params extends object, Result>(
    { name }: BrokerMethod<string, Params, Result>,
    params: Params,
    options?: OutgoingOptions,
  ): Promise<Result> {
    // A process that knows the token is a broker, and answers as the protocol says that both have agreed on.
    return this.#connection.request(name, params, options) as Promise<Result>;
  }

  onNotification(listener: (message: { method: string; params: unknown }) => void): Disposable {
    return this.#notifications.add(listener);
  }

  onClosed(listener: (reason: string) => void): Disposable {
    return this.#closings.add(listener);
  }

  /** Hangs up at once; bytes that were not taken yet are dropped. */
  close(reason: string): void {
    this.#connection.close(reason);
    this.#socket.destroy();
  }
}

export type Contact =
  | { kind: 'answered'; channel: BrokerChannel; hello: HelloResult }
  /** Connected, but no answer in time: stopped, swapped out or busy. Not a proof of death. */
  | { kind: 'silent'; detail: string }
  /** Connected, and closed before the answer: leaving, or the token was refused. */
  | { kind: 'hung-up'; detail: string }
  | { kind: DialFailure; detail: string };

export type NoContact = Exclude<Contact, { kind: 'answered' }>;

export interface GreetOptions {
  readonly hello: Omit<HelloParams, 'token'>;
  readonly timeoutMs: number;
  readonly clock?: Clock;
  /** Told of the channel when the greeting is out, for who says more in the same flight. What is not accepted is closed. */
  readonly onGreeting?: (channel: BrokerChannel) => void;
}

/** Dials the recorded socket and says hello. The caller closes the channel of an answer. */
export async function greet(
  record: Pick<DaemonRecord, 'socketPath' | 'token' | 'generation'>,
  options: GreetOptions,
): Promise<Contact> {
  const clock = options.clock ?? systemClock;
  const dialled = await dial(record.socketPath, options.timeoutMs, clock);
  if (dialled.kind !== 'connected') return dialled;
  const channel = new BrokerChannel(dialled.socket);
  const patience = new AbortController();
  // If it was this process that stood still, the answer lies unread in the socket: let it be read first.
  const timer = clock.after(options.timeoutMs, () => void setImmediate(() => patience.abort()));
  try {
    const params: HelloParams = { ...options.hello, token: record.token };
    const answering = channel.request(BROKER.hello, params, { signal: patience.signal });
    options.onGreeting?.(channel);
    const answer = await answering;
    const hello = parseHello(answer);
    if (hello?.generation === record.generation) return { kind: 'answered', channel, hello };
    channel.close('not the daemon that was recorded');
    return { kind: 'hung-up', detail: 'another program answered' };
  } catch (error) {
    channel.close('no greeting');
    if (patience.signal.aborted)
      return { kind: 'silent', detail: `no greeting within ${options.timeoutMs} ms` };
    return { kind: 'hung-up', detail: error instanceof FailureError ? error.failure.kind : String(error) };
  } finally {
    timer[Symbol.dispose]();
  }
}

function parseHello(answer: unknown): HelloResult | undefined {
  if (!isObject(answer)) return undefined;
  const { protocol, version, generation, state } = answer;
  if (typeof version !== 'string' || typeof generation !== 'string') return undefined;
  return {
    protocol: typeof protocol === 'number' ? protocol : null,
    version,
    generation,
    state: state === 'draining' ? 'draining' : 'serving',
  };
}
