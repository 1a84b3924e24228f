/**
 * Everything that can go wrong, as one closed union.
 * An answer is *found*, *nothing found*, or a Failure (*could not look*); the last two are never merged.
 * Sentences for agents are made in frontend/render/failure.ts; here are only the facts.
 */
export type Failure =
  /** `noPlace`: what was named is not there, though it was named in a way that could be right. */
  | { kind: 'invalid-input'; message: string; next: string; noPlace?: true }
  /** The session may not do this; what exactly is in the way is said in full. */
  | { kind: 'not-permitted'; reason: string; next: string }
  /** The call is out of the order that the session has agreed to. */
  | {
      kind: 'phase-violation';
      tool: string;
      skill: string;
      phase: string;
      reason: string;
      recovery: string;
    }
  | { kind: 'outside-roots'; path: string; roots: readonly string[] }
  | { kind: 'no-such-file'; path: string }
  | {
      kind: 'not-a-text-file';
      path: string;
      /** `forbidden`: the system does not let this user read it. */
      reason: 'directory' | 'binary' | 'too-large' | 'unreadable' | 'forbidden';
    }
  | { kind: 'unknown-language'; path: string; language?: string; known: readonly string[] }
  | { kind: 'server-missing'; language: string; command: string; install: string }
  /** The user has switched the language off. */
  | { kind: 'server-disabled'; language: string; origin: string }
  /** A program that is no server: what builds or tests a project. */
  | { kind: 'program-missing'; program: string; wantedFor: string; install: string }
  /** Such a program was started and gave no result. */
  | { kind: 'program-failed'; program: string; reason: string; output: string }
  /** It ended well, but what it printed is not what it prints otherwise. */
  | { kind: 'unreadable-output'; program: string; output: string }
  /** The server was started and cannot be used: bad handshake, or too many crashes in a short time. */
  | { kind: 'server-failed'; server: string; reason: string; stderr: string }
  /** The server died while this call was pending. */
  | { kind: 'server-crashed'; server: string; reason: string; stderr: string }
  | { kind: 'server-error'; server: string; method: string; code: number; message: string }
  /** The server leaves the file out of all that it knows; `where` says in what it is not. */
  | { kind: 'left-out'; server: string; path: string; where: string; next: string }
  | { kind: 'unsupported'; server: string; method: string; next?: string }
  | { kind: 'timeout'; what: string; afterMs: number; state: string; next?: string }
  /** The server has not answered yet and goes on; asked again it answers the same question. `unasked`: it loads something first. */
  | { kind: 'still-working'; server: string; method: string; afterMs: number; unasked?: true }
  | { kind: 'cancelled' }
  | { kind: 'result-too-large'; what: string; bytes: number }
  /** The broker is leaving; nothing of the call was executed, so it is safe to send it again. */
  | { kind: 'draining' }
  | { kind: 'broker-unavailable'; reason: string; log?: string }
  | { kind: 'connection-lost'; what: string }
  | { kind: 'overloaded'; what: string }
  /** The file is not what an edit was computed from. `left` when that was found only while files were written. */
  | { kind: 'base-changed'; path: string; left?: FilesLeft }
  /** Nothing may be written there: a boundary, or a file that is marked read-only. */
  | { kind: 'write-refused'; path: string; reason: string }
  /** The edit contradicts itself or the files as they are. */
  | { kind: 'edit-invalid'; path: string; reason: string }
  /** Something went wrong while files were written. */
  | { kind: 'edit-not-applied'; path: string; reason: string; left: FilesLeft }
  /** Text cannot be tried out on this server without others seeing it. */
  | { kind: 'speculation-refused'; server: string; reason: string };

/** What became of the files of an edit that was not applied. */
export type FilesLeft =
  /** It failed before the first of them was written. */
  | { readonly state: 'untouched'; readonly kept?: readonly KeptText[] }
  /** All were compared with what they were before. */
  | {
      readonly state: 'compared';
      readonly files: number;
      readonly differing: readonly DifferingFile[];
      readonly kept?: readonly KeptText[];
      /** Not everything could be taken back; the next edit tries again. */
      readonly isUnfinished: boolean;
    };

export interface DifferingFile {
  readonly path: string;
  /** Whose text is in it now. `unknown`: it cannot be read, or was not looked into before either. */
  readonly holds: 'edit' | 'others' | 'both' | 'nothing' | 'unknown';
}

/** A text that has no place in its file any more and was put aside. */
export interface KeptText {
  /** The file that it belongs to. */
  readonly path: string;
  /** Where it is now. */
  readonly kept: string;
  /** `before`: what the file was before the edit; `others`: with something in it that others wrote meanwhile. */
  readonly what: 'before' | 'others';
}

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
