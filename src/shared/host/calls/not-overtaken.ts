/**
 * A server that learns of a change may drop the answer that it was computing and reply that the content was modified.
 * The host reports files right before it asks, so this happens often; it then asks again, as the protocol expects.
 */
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { type Clock, delay } from '../../base/lifetime.ts';

export interface AskingBounds {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** False for questions with side effects: what was given up may have been half done. */
  readonly again: boolean;
}

const MOST_ATTEMPTS = 6;
const PAUSE_MS = 20;

/** The pause doubles, because a server takes longer over a larger change. */
export async function notOvertaken<T>(
  { signal, clock, again }: AskingBounds,
  ask: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!again || attempt >= MOST_ATTEMPTS || !wasOvertaken(error)) throw error;
      await delay(PAUSE_MS * 2 ** (attempt - 1), { signal, clock });
    }
  }
}

function wasOvertaken(error: unknown): boolean {
  return error instanceof ResponseError && error.code === LSPErrorCodes.ContentModified;
}
