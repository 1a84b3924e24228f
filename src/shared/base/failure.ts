/**
 * Everything that can go wrong, as one closed union.
 * An answer is *found*, *nothing found*, or a Failure (*could not look*); the last two are never merged.
 * Sentences for agents are made in frontend/render/failure.ts; here are only the facts.
 */
export type Failure =
  | { kind: 'invalid-input'; message: string; next: string }
  /** The session may not do this; what exactly is in the way is said in full. */
  | { kind: 'not-permitted'; reason: string; next: string }
  | { kind: 'outside-roots'; path: string; roots: readonly string[] }
  | { kind: 'no-such-file'; path: string }
  | { kind: 'not-a-text-file'; path: string; reason: 'directory' | 'binary' | 'too-large' | 'unreadable' }
  | { kind: 'unknown-language'; path: string; language?: string; known: readonly string[] }
  | { kind: 'server-missing'; language: string; command: string; install: string }
  /** The user has switched the language off. */
  | { kind: 'server-disabled'; language: string; origin: string }
  /** A program that is no server: what builds or tests a project. */
  | { kind: 'program-missing'; program: string; wantedFor: string; install: string }
  /** The server was started and cannot be used: bad handshake, or too many crashes in a short time. */
  | { kind: 'server-failed'; server: string; reason: string; stderr: string }
  /** The server died while this call was pending. */
  | { kind: 'server-crashed'; server: string; reason: string; stderr: string }
  | { kind: 'server-error'; server: string; method: string; code: number; message: string }
  | { kind: 'unsupported'; server: string; method: string; next?: string }
  | { kind: 'timeout'; what: string; afterMs: number; state: string; next?: string }
  | { kind: 'cancelled' }
  | { kind: 'result-too-large'; what: string; bytes: number }
  /** The broker is leaving; nothing of the call was executed, so it is safe to send it again. */
  | { kind: 'draining' }
  | { kind: 'broker-unavailable'; reason: string; log?: string }
  | { kind: 'connection-lost'; what: string }
  | { kind: 'overloaded'; what: string }
  /** The file is not what an edit was computed from. */
  | { kind: 'base-changed'; path: string }
  /** Nothing may be written there: a boundary, or a file that is marked read-only. */
  | { kind: 'write-refused'; path: string; reason: string }
  /** The edit contradicts itself or the files as they are. */
  | { kind: 'edit-invalid'; path: string; reason: string }
  /** Something went wrong while files were written. Unless `restored`, some are still new; the next start takes them back. */
  | { kind: 'edit-not-applied'; path: string; reason: string; restored: boolean }
  /** Text cannot be tried out on this server without others seeing it. */
  | { kind: 'speculation-refused'; server: string; reason: string };

export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly failure: Failure;

  constructor(failure: Failure, options?: { cause?: unknown }) {
    super(`${failure.kind}: ${JSON.stringify(failure)}`, options);
    this.failure = failure;
  }
}

export function fail(failure: Failure, options?: { cause?: unknown }): never {
  throw new FailureError(failure, options);
}

export function failureOf(error: unknown): Failure | undefined {
  return error instanceof FailureError ? error.failure : undefined;
}

/** The text of anything thrown, for logs and for the edges that must not throw themselves. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Node's `code` of a system error (`ENOENT`, ...), if it is one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
