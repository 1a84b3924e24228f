/**
 * One session of one client: its connection and the streams to it. It lasts while something runs or streams; then until
 * it has been silent for too long, or until its grace is over when its stream has broken off.
 */
import type { Clock } from '../../shared/base/lifetime.ts';
import type { ClientConnection } from '../mcp/client-connection.ts';
import type { Principal } from './admission.ts';
import type { Exchange } from './exchange.ts';
import type { HttpLimits } from './limits.ts';
import type { Outflow } from './outflow.ts';
import { CODES, idOf, refused } from './replies.ts';
import type { SessionBounds } from './session-bounds.ts';

export interface HttpSessionOptions {
  /** What logs and `daemon-status` call it: not its id, which lets in whoever knows it. */
  readonly name: string;
  readonly principal: Principal;
  /** What the client calls itself. */
  readonly client: string;
  readonly bounds: SessionBounds;
  readonly connection: ClientConnection;
  readonly exchange: Exchange;
  readonly outflow: Outflow;
  readonly limits: HttpLimits;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** A request or a stream has ended. */
  rested(): void;
  /** It has been silent for too long. */
  expired(reason: string): void;
}

export class HttpSession {
  readonly options: HttpSessionOptions;
  readonly begunAt = Date.now();
  #usedAt = Date.now();
  #requests = 0;
  /** Requests and their streams, and streams that only tell what comes. */
  #working = 0;
  #standing = 0;
  #timer: Disposable | undefined;
  #isOver = false;

  constructor(options: HttpSessionOptions) {
    this.options = options;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  /** So far. */
  get requests(): number {
    return this.#requests;
  }

  /** A request is without its answer. */
  get isBusy(): boolean {
    return this.#working > 0 || this.options.exchange.running > 0;
  }

  async serve(request: Request, body: unknown): Promise<Response> {
    const { exchange, outflow, limits } = this.options;
    const most = limits.requestsInFlight;
    const underWay = this.#standing + Math.max(this.#working, exchange.running);
    if (underWay + messagesIn(body) > most) {
      const headers = { 'Retry-After': '1' };
      return refused(429, CODES.refused, `this session has ${most} requests under way, which is the most`, {
        id: idOf(body),
        headers,
      });
    }
    const isStanding = exchange.isStanding(request, body);
    this.#begin(isStanding);
    let isStream = false;
    try {
      const response = await exchange.serve(request, body);
      if (!response.body) return response;
      isStream = true;
      const streamed = outflow.follow(response.body, request.signal, () => this.#end(isStanding));
      return new Response(streamed, response);
    } finally {
      if (!isStream) this.#end(isStanding);
    }
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rest();
    await this.options.exchange.close().catch(() => {});
    await this.options.connection.close();
  }

  #begin(isStanding: boolean): void {
    this.#requests += 1;
    this.#usedAt = Date.now();
    this.#rest();
    if (isStanding) this.#standing += 1;
    else this.#working += 1;
  }

  #end(isStanding: boolean): void {
    this.#usedAt = Date.now();
    if (isStanding) this.#standing -= 1;
    else this.#working -= 1;
    this.options.rested();
    const { limits, timeoutMs } = this.options;
    // A client whose stream breaks off comes back soon, or is gone.
    if (isStanding) this.#expireIn(Math.min(limits.graceMs, timeoutMs), 'its stream has ended');
    else this.#expireIn(timeoutMs, 'it was silent');
  }

  #expireIn(ms: number, reason: string): void {
    this.#rest();
    if (this.#isOver || this.#working + this.#standing > 0) return;
    this.#timer = this.options.clock.after(ms, () => {
      // A call whose client has gone is still at work.
      if (this.isBusy) this.#expireIn(ms, reason);
      else this.options.expired(reason);
    });
  }

  #rest(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}

function messagesIn(body: unknown): number {
  return Array.isArray(body) ? body.length : 1;
}
