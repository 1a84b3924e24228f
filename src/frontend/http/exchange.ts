/** How the messages of one session come and go: by the older protocol, which has sessions, or by the newer one. */
export interface Exchange {
  /** The body has been read already; undefined when there is none. */
  serve(request: Request, body: unknown): Promise<Response>;
  /** Whether the request only opens a stream to hear of what comes, so that nobody waits for its end. */
  isStanding(request: Request, body: unknown): boolean;
  /** Requests that go on without a stream; an answer is kept for a client that comes back. */
  readonly running: number;
  close(): Promise<void>;
}
