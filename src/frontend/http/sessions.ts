/**
 * The sessions of the process. Ids of the older protocol are random and work for the principal alone that began the
 * session; with the newer one a session is found by who asks and what for, so that there is nothing to guess.
 * Decision: docs/decisions/http.md#the-sdk-serves-each-session
 * Decision: docs/decisions/http.md#what-a-session-is
 */
import { createHash, randomUUID } from 'node:crypto';
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
import { CODES, idOf, refused } from './replies.ts';
import { boundsFor, type SessionBounds, sessionNamedIn } from './session-bounds.ts';

export interface SessionsOptions {
  /** What no session can go beyond. */
  readonly bounds: SessionBounds;
  readonly limits: HttpLimits;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly clock?: Clock;
  connect(bounds: SessionBounds, name: string): ClientConnection;
  /** A session has begun or ended. */
  changed(): void;
}

interface Begin {
  readonly key: string;
  readonly principal: Principal;
  readonly client: string;
  readonly bounds: SessionBounds;
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
    if (this.#isDraining)
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
    await Promise.all(this.#beginning.values()).catch(() => {});
    for (const [key, session] of this.#sessions) this.#end(key, session, 'the server stops');
    await Promise.all(this.#ending);
  }

  #lookAround(): void {
    if (this.#beginning.size === 0 && this.all.every((session) => !session.isBusy)) this.#quiet?.resolve();
  }

  async #serveOlder(request: Request, body: unknown, principal: Principal): Promise<Response> {
    const id = request.headers.get('Mcp-Session-Id');
    if (id !== null) {
      const session = this.#sessions.get(id);
      // Whose it is, is not said.
      if (session?.options.principal !== principal)
        return refused(404, CODES.noSession, 'Session not found: begin a new one with initialize', {
          id: idOf(body),
        });
      return session.serve(request, body);
    }
    if (!isInitializeRequest(body))
      return refused(400, CODES.refused, 'Mcp-Session-Id is missing: a session begins with initialize', {
        id: idOf(body),
      });
    const key = randomUUID();
    const session = await this.#begin({
      key,
      principal,
      client: nameAndVersion(body.params.clientInfo),
      bounds: boundsFor(this.#options.bounds, request.headers, body),
      exchange: (connection) =>
        OlderExchange.begin({
          id: key,
          connection,
          events: new RecentEvents(this.#options.limits),
          answered: () => this.#lookAround(),
          ended: () => this.#end(key, this.#sessions.get(key), 'its client ended it'),
        }),
    });
    const response = await session.serve(request, body);
    if (!response.ok) this.#end(key, session, 'it did not begin');
    return response;
  }

  async #serveNewer(request: Request, body: unknown, principal: Principal): Promise<Response> {
    const bounds = boundsFor(this.#options.bounds, request.headers, body);
    const client = nameAndVersion(fieldOf(fieldOf(fieldOf(body, 'params'), '_meta'), CLIENT_INFO_META_KEY));
    const named = sessionNamedIn(request.headers, body);
    const key = JSON.stringify([principal, named === undefined ? { client } : { named }, bounds]);
    const begun =
      this.#sessions.get(key) ??
      (await this.#begin({ key, principal, client, bounds, exchange: NewerExchange.begin }));
    return begun.serve(request, body);
  }

  /** Requests that come together begin one session. */
  #begin(begin: Begin): Promise<HttpSession> {
    const under = this.#beginning.get(begin.key);
    if (under) return under;
    const { limits } = this.#options;
    if (this.#sessions.size + this.#beginning.size >= limits.sessions)
      fail({ kind: 'overloaded', what: `${limits.sessions} sessions are open, which is the most` });
    const beginning = this.#open(begin).finally(() => this.#beginning.delete(begin.key));
    this.#beginning.set(begin.key, beginning);
    return beginning;
  }

  async #open({ key, principal, client, bounds, exchange }: Begin): Promise<HttpSession> {
    const { limits, timeoutMs, log, connect, clock = systemClock, changed } = this.#options;
    const name = createHash('sha256').update(key).digest('hex').slice(0, 8);
    const connection = connect(bounds, name);
    const session = new HttpSession({
      name,
      principal,
      client,
      bounds,
      connection,
      exchange: await exchange(connection),
      outflow: new Outflow(limits.unreadBytes),
      limits,
      timeoutMs,
      clock,
      rested: () => this.#lookAround(),
      expired: (reason) => this.#end(key, session, reason),
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
    changed();
    return session;
  }

  #end(key: string, session: HttpSession | undefined, reason: string): void {
    if (!session || !this.#sessions.delete(key)) return;
    const { log, changed } = this.#options;
    log.info('http session ended', { session: session.options.name, reason, requests: session.requests });
    changed();
    const ending = session.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** What a client says of itself is shown to people, so that it is bounded and has no control characters. */
function nameAndVersion(info: unknown): string {
  const text = `${fieldOf(info, 'name') ?? 'unnamed'} ${fieldOf(info, 'version') ?? ''}`.trim();
  return text.replace(/\p{C}/gu, '').slice(0, 80);
}
