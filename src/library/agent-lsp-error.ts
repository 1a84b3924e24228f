/** What the functions of this package throw. */
import type { ErrorKind } from './contract.ts';

export class AgentLspError extends Error {
  override readonly name = 'AgentLspError';
  readonly kind: ErrorKind;
  /** When the same call may succeed without anybody changing something. */
  readonly retryAfterMs: number | undefined;
  /** What was meant, when it was not one thing. */
  readonly candidates: readonly Readonly<Record<string, unknown>>[];

  // The build shortens names; programs read this one, and people in the line that Node prints of an error that nobody caught.
  static {
    Object.defineProperty(AgentLspError, 'name', { value: 'AgentLspError' });
  }

  /** `message` is one line: what is wrong, and what to do next. */
  constructor(
    kind: ErrorKind,
    message: string,
    more: {
      readonly retryAfterMs?: number | undefined;
      readonly candidates?: readonly Readonly<Record<string, unknown>>[];
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs;
    this.candidates = more.candidates ?? [];
  }
}
