/**
 * The sessions of the process. Ids of the older protocol are random and work for the principal alone that began the
 * session; with the newer one a session is found by who asks and what for, so that there is nothing to guess.
 * Decision: docs/decisions/http.md#the-sdk-serves-each-session
 * Decision: docs/decisions/http.md#what-a-session-is
 */
import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import { fail, failureOf } from '../../shared/base/failure.ts';
import { type Clock, type Deferred, deferred, systemClock } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import { fieldOf } from '../../shared/base/unknown-value.ts';
import type { ClientConnection } from '../mcp/client-connection.ts';
import { failureSentence } from '../render/failure.ts';
import type { Principal } from './admission.ts';
import { RecentEvents } from './event-store.ts';
import type { Exchange } from './exchange.ts';
import { HttpSession } from './http-session.ts';
import type { HttpLimits } from './limits.ts';
import { NewerExchange } from './newer-exchange.ts';
import { OlderExchange } from './older-exchange.ts';
import { Outflow } from './outflow.ts';
import { CODES, idOf, refused, requestsIn } from './replies.ts';
import { boundsFor, type SessionBounds, sessionNamedIn } from './session-bounds.ts';

export interface SessionsOptions {
  /** What no session can go beyond. */
  readonly bounds: SessionBounds;
  readonly limits: HttpLimits;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly clock?: Clock;
  connect(start: SessionStart): ClientConnection;
}

/** What a connection is made for. */
export interface SessionStart {
  /** What logs and `daemon-status` call the session. */
  readonly name: string;
  /** What the client calls itself. */
  readonly client: string;
  readonly bounds: SessionBounds;
}

interface Begin extends Omit<SessionStart, 'name'> {
  readonly key: string;
  readonly principal: Principal;
  /** The client's own name for the session, if it has one. */
  readonly named?: string | undefined;
  exchange(connection: ClientConnection): Promise<Exchange>;
}

export class HttpSessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #beginning = new Map<string, Promise<HttpSession>>();
  readonly #ending = new Set<Promise<void>>();
  #isDraining = false;
  #quiet: Deferred<void> | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get all(): readonly HttpSession[] {
    return [...this.#sessions.values()];
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From here on nothing new begins; what runs may end. */
  drain(): void {
    this.#isDraining = true;
  }

  async serve(request: Request, body: unknown, principal: Principal): Promise<Response> {
    if (this.#isDraining && isNew(request, body))
      return refused(503, CODES.refused, 'this server is shutting down', { id: idOf(body) });
    try {
      return (await isLegacyRequest(request, body))
        ? await this.#serveOlder(request, body, principal)
        : await this.#serveNewer(request, body, principal);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const status = failure.kind === 'overloaded' ? 503 : 403;
      return refused(status, CODES.refused, failureSentence(failure), { id: idOf(body) });
    }
  }

  /** Settles when no request is without its answer. */
  whenQuiet(): Promise<void> {
    this.#quiet ??= deferred<void>();
    this.#lookAround();
    return this.#quiet.promise;
  }

  async close(): Promise<void> {
    this.drain();
    await Promise.allSettled(this.#beginning.values());
    for (const key of this.#sessions.keys()) this.#end(key, 'the server stops');
    await Promise.all(this.#ending);
  }

  #lookAround(): void {
    if (this.#beginning.size === 0 && this.all.every((session) => !session.isBusy)) this.#quiet?.resolve();
  }

  #serveOlder(request: Request, body: unknown, principal: Principal): Promise<Response> | Response {
    const id = request.headers.get('Mcp-Session-Id');
    const named = sessionNamedIn(request.headers, undefined);
    if (id === null && request.method === 'DELETE' && named !== undefined)
      return this.#endNamed(named, principal);
    if (id === null) return this.#beginOlder(request, body, principal);
    const session = this.#sessions.get(olderKey(id));
    // Whose it is, is not said.
    if (session?.options.principal !== principal)
      return refused(404, CODES.noSession, 'Session not found: begin a new one with initialize', {
        id: idOf(body),
      });
    return session.serve(request, body);
  }

  async #beginOlder(request: Request, body: unknown, principal: Principal): Promise<Response> {
    if (!isInitializeRequest(body))
      return refused(400, CODES.refused, 'Mcp-Session-Id is missing: a session begins with initialize', {
        id: idOf(body),
      });
    const id = randomUUID();
    const key = olderKey(id);
    const session = await this.#begin({
      key,
      principal,
      client: nameAndVersion(body.params.clientInfo),
      bounds: boundsFor(this.#options.bounds, request.headers, body),
      exchange: (connection) =>
        OlderExchange.begin({
          id,
          connection,
          events: new RecentEvents(this.#options.limits),
          answered: () => this.#lookAround(),
          ended: () => this.#end(key, 'its client ended it'),
        }),
    });
    const response = await session.serve(request, body);
    if (!response.ok) this.#end(key, 'it did not begin');
    return response;
  }

  async #serveNewer(request: Request, body: unknown, principal: Principal): Promise<Response> {
    const bounds = boundsFor(this.#options.bounds, request.headers, body);
    const client = nameAndVersion(fieldOf(fieldOf(fieldOf(body, 'params'), '_meta'), CLIENT_INFO_META_KEY));
    const named = sessionNamedIn(request.headers, body);
    const key = newerKey([principal, named === undefined ? { client } : { named }, bounds]);
    const begun =
      this.#sessions.get(key) ??
      (await this.#begin({ key, principal, client, named, bounds, exchange: NewerExchange.begin }));
    const response = await begun.serve(request, body);
    // What the SDK takes for no request of its protocol begins no session.
    if (!response.ok && begun.requests === 1) this.#end(key, 'it did not begin');
    return response;
  }

  /** The newer protocol has no request for it; a client that has named its session can end it nevertheless. */
  #endNamed(named: string, principal: Principal): Response {
    const meant = [...this.#sessions].filter(
      ([, { options }]) => options.named === named && options.principal === principal,
    );
    if (meant.length === 0) return refused(404, CODES.noSession, 'Session not found');
    for (const [key] of meant) this.#end(key, 'its client ended it');
    return new Response(null, { status: 200 });
  }

  /** Requests that come together begin one session. */
  #begin(begin: Begin): Promise<HttpSession> {
    const under = this.#beginning.get(begin.key);
    if (under) return under;
    this.#makeRoom();
    const beginning = this.#open(begin).finally(() => {
      this.#beginning.delete(begin.key);
      this.#lookAround();
    });
    this.#beginning.set(begin.key, beginning);
    return beginning;
  }

  /** A session whose client has probably left gives way: clients that come and go would shut out the others. */
  #makeRoom(): void {
    const { sessions: most, graceMs } = this.#options.limits;
    if (this.#sessions.size + this.#beginning.size < most) return;
    const [longest] = [...this.#sessions].sort(([, a], [, b]) => b.restMs - a.restMs);
    if (longest === undefined || longest[1].restMs < graceMs)
      fail({ kind: 'overloaded', what: `${most} sessions are open, which is the most` });
    this.#end(longest[0], 'others need its place');
  }

  async #open(begin: Begin): Promise<HttpSession> {
    const { key, client, bounds, exchange } = begin;
    const { limits, timeoutMs, log, connect, clock = systemClock } = this.#options;
    // It tells nothing of what the session is found by.
    const name = randomUUID().slice(0, 8);
    const connection = connect({ name, client, bounds });
    const session = new HttpSession({
      ...begin,
      name,
      connection,
      exchange: await exchange(connection),
      outflow: new Outflow(limits.unreadBytes),
      limits,
      timeoutMs,
      clock,
      rested: () => this.#lookAround(),
      expired: (reason) => this.#end(key, reason),
    });
    this.#sessions.set(key, session);
    const { permission, roots, isSubagent } = bounds;
    log.info('http session begun', {
      session: name,
      client,
      permission,
      roots,
      ...(isSubagent ? { isSubagent } : {}),
    });
    return session;
  }

  #end(key: string, reason: string): void {
    const session = this.#sessions.get(key);
    if (!session) return;
    this.#sessions.delete(key);
    const { log } = this.#options;
    log.info('http session ended', { session: session.options.name, reason, requests: session.requests });
    const ending = session.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Answers, cancellations, the end, and clients that come back for an answer belong to what runs already. */
function isNew({ method, headers }: Request, body: unknown): boolean {
  if (method === 'GET') return headers.get('Last-Event-Id') === null;
  return requestsIn(body) > 0;
}

function olderKey(id: string): string {
  return `id ${id}`;
}

function newerKey(who: readonly unknown[]): string {
  return `who ${JSON.stringify(who)}`;
}

/** What a client says of itself is shown to people, so that it is bounded and has no control characters. */
function nameAndVersion(info: unknown): string {
  const text = `${fieldOf(info, 'name') ?? 'unnamed'} ${fieldOf(info, 'version') ?? ''}`.trim();
  return text.replace(/\p{C}/gu, '').slice(0, 80);
}
