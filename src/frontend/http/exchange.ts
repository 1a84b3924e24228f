/** How the messages of one session come and go: by the older protocol, which has sessions, or by the newer one. */
export interface Exchange {
  /** The body has been read already; undefined when there is none. `over` fires when the answer has gone out or is given up. */
  serve(request: Request, body: unknown, over: AbortSignal): Promise<Response>;
  /** Whether the request only opens a stream to hear of what comes, so that nobody waits for its end. */
  isForNews(request: Request, body: unknown): boolean;
  /** A client whose stream for news has broken off comes back to it soon, or is gone. */
  readonly livesByItsStream: boolean;
  /** Requests without an answer, also those that go on without a stream: their answers are kept for a client that comes back. */
  readonly running: number;
  close(): Promise<void>;
}
