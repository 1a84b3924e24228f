/**
 * Asking a server again that gave up on a question, or stumbled over an earlier one. A server that is told of a change may stop what it was computing and
 * answer that the content was modified; as the host tells of files right before it asks, that is no rare case, and
 * asking again is what the protocol expects.
 */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { type Clock, delay } from '../../base/lifetime.ts';
import type { Quirks } from './quirks.ts';

export interface AgainBounds {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** After which errors; after those that say that a change came in between if not said. */
  isWorthIt?(error: unknown): boolean;
}

const MOST_ATTEMPTS = 6;
const PAUSE_MS = 20;

/** The pause doubles, because a server takes longer over a larger change. */
export async function askAgain<T>(
  { signal, clock, isWorthIt = wasOvertaken }: AgainBounds,
  ask: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS || !isWorthIt(error)) throw error;
      await delay(PAUSE_MS * 2 ** (attempt - 1), { signal, clock });
    }
  }
}

export function wasOvertaken(error: unknown): boolean {
  return error instanceof ResponseError && error.code === LSPErrorCodes.ContentModified;
}

/** Also what this server answers now and then although nothing is wrong with the question. */
export function passesBy({ passingError }: Pick<Quirks, 'passingError'>): (error: unknown) => boolean {
  return (error) =>
    wasOvertaken(error) || (error instanceof ResponseError && passingError?.test(error.message) === true);
}
