/**
 * What the log says of one call: that it has begun and with what, and how it ended. Each of its lines, also those that a
 * tool writes, has what the client calls the request, so that the lines of calls that run at once can be told apart.
 */
import type { Failure } from '../../shared/base/failure.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { type Log, withFields } from '../../shared/base/log.ts';

interface LoggedCall {
  readonly tool: { readonly name: string };
  readonly args: unknown;
  readonly id?: string | number | undefined;
}

const SLOW_MS = 5_000;
/** Arguments may be whole files. */
const MOST_ARGUMENT_CHARS = 500;

export class CallLog {
  readonly log: Log;
  readonly #tool: string;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #error: Failure['kind'] | 'unexpected' | undefined;

  constructor({ log, clock }: { readonly log: Log; readonly clock: Clock }, { id, tool, args }: LoggedCall) {
    this.log = id === undefined ? log : withFields(log, { request: id });
    this.#tool = tool.name;
    this.#clock = clock;
    this.#startedAt = clock.now();
    // Only a log that takes the line asks for the text of it.
    this.log.debug('tool call begun', { tool: tool.name, args: { toJSON: () => shortened(args) } });
  }

  failed(kind: Failure['kind']): void {
    this.#error = kind;
  }

  /** A mistake of ours, which whoever mends it wants to see whole. */
  failedUnexpectedly(error: unknown): void {
    this.#error = 'unexpected';
    this.log.error('tool call failed unexpectedly', { tool: this.#tool, error: stackOf(error) });
  }

  ended(): void {
    const ms = Math.round(this.#clock.now() - this.#startedAt);
    const error = this.#error === undefined ? {} : { error: this.#error };
    this.log[ms > SLOW_MS ? 'warn' : 'debug']('tool call', { tool: this.#tool, ms, ...error });
  }
}

function shortened(args: unknown): unknown {
  const text = JSON.stringify(args) ?? '';
  return text.length <= MOST_ARGUMENT_CHARS ? args : `${text.slice(0, MOST_ARGUMENT_CHARS)}…`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
