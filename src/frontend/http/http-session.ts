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
import { CODES, idOf, refused, requestsIn } from './replies.ts';
import type { SessionBounds } from './session-bounds.ts';

export interface HttpSessionOptions {
  /** What logs and `daemon-status` call it: not its id, which lets in whoever knows it. */
  readonly name: string;
  readonly principal: Principal;
  /** What the client calls itself, and its own name for the session, if it has one. */
  readonly client: string;
  readonly named?: string | undefined;
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
  #restsSince: number;
  #requests = 0;
  /** Requests and their streams. */
  #working = 0;
  /** Streams that only tell what comes. */
  #listening = 0;
  /** The stream that it lives by has ended, and its client has asked nothing since. */
  #isForsaken = false;
  #timer: Disposable | undefined;
  #isOver = false;

  constructor(options: HttpSessionOptions) {
    this.options = options;
    this.#restsSince = options.clock.now();
  }

  /** So far. */
  get requests(): number {
    return this.#requests;
  }

  /** A request is without its answer. */
  get isBusy(): boolean {
    return this.#working > 0 || this.options.exchange.running > 0;
  }

  /** How long nothing has run or streamed. */
  get restMs(): number {
    return this.isBusy || this.#listening > 0 ? 0 : this.options.clock.now() - this.#restsSince;
  }

  async serve(request: Request, body: unknown): Promise<Response> {
    const { exchange, outflow } = this.options;
    const isForNews = exchange.isForNews(request, body);
    const tooMuch = isForNews ? this.#tooManyStreams() : this.#tooManyRequests(body);
    if (tooMuch !== undefined)
      return refused(429, CODES.refused, tooMuch, { id: idOf(body), headers: { 'Retry-After': '1' } });
    const over = new AbortController();
    const end = () => {
      over.abort();
      this.#end(isForNews);
    };
    this.#begin(isForNews);
    let isStream = false;
    try {
      const response = await exchange.serve(request, body, over.signal);
      if (!response.body) return response;
      isStream = true;
      return new Response(outflow.follow(response.body, request.signal, end), response);
    } finally {
      if (!isStream) end();
    }
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rest();
    await this.options.exchange.close().catch(() => {});
    await this.options.connection.close();
  }

  #tooManyStreams(): string | undefined {
    const most = this.options.limits.requestsInFlight;
    return this.#listening < most ? undefined : `this session has ${most} streams open, which is the most`;
  }

  /** What brings no request always passes: answers, cancellations, and clients that come back for an answer. */
  #tooManyRequests(body: unknown): string | undefined {
    const brought = requestsIn(body);
    const most = this.options.limits.requestsInFlight;
    const underWay = Math.max(this.#working, this.options.exchange.running);
    if (brought === 0 || underWay + brought <= most) return undefined;
    return `this session has ${most} requests under way, which is the most`;
  }

  #begin(isForNews: boolean): void {
    this.#requests += 1;
    this.#isForsaken = false;
    this.#rest();
    if (isForNews) this.#listening += 1;
    else this.#working += 1;
  }

  #end(isForNews: boolean): void {
    if (isForNews) this.#listening -= 1;
    else this.#working -= 1;
    const { exchange, limits, timeoutMs, rested } = this.options;
    if (isForNews && exchange.livesByItsStream && this.#listening === 0) this.#isForsaken = true;
    this.#restsSince = this.options.clock.now();
    rested();
    if (this.#isForsaken) this.#expireIn(Math.min(limits.graceMs, timeoutMs), 'its stream has ended');
    else this.#expireIn(timeoutMs, 'it was silent');
  }

  #expireIn(ms: number, reason: string): void {
    this.#rest();
    if (this.#isOver || this.#working + this.#listening > 0) return;
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
