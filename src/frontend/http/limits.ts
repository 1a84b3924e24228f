/**
 * Limits of the HTTP server. There is none for the time that an answer takes: tools have their own, and a stream of
 * messages lasts as long as its session.
 * Decision: docs/decisions/http.md#limits
 */
export interface HttpLimits {
  /** Until the headers of a request are there, also of the first on a connection. */
  readonly headersMs: number;
  /** Until all of a request is there. */
  readonly requestMs: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  readonly bodyBytes: number;
  /** Until a client that has something to read must have read of it. */
  readonly stallMs: number;
  readonly connections: number;
  /** Connections on which nobody has shown a token yet. */
  readonly strangers: number;
  readonly sessions: number;
  /** Of one session, at a time. */
  readonly requestsInFlight: number;
  /** Of one session: what is on its way to clients that do not read. */
  readonly unreadBytes: number;
  /** Of one session: messages that a client can ask for again. */
  readonly keptEvents: number;
  readonly keptBytes: number;
  /** How long a session outlives its last stream. */
  readonly graceMs: number;
  /** How long running calls may take when the process is asked to end. */
  readonly drainMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 120_000,
  bodyBytes: 4 * 1024 * 1024,
  stallMs: 60_000,
  connections: 4_096,
  strangers: 1_024,
  sessions: 256,
  requestsInFlight: 64,
  unreadBytes: 8 * 1024 * 1024,
  keptEvents: 1_000,
  keptBytes: 2 * 1024 * 1024,
  graceMs: 120_000,
  drainMs: 5_000,
};
