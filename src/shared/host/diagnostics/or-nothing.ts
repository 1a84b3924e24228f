/**
 * Some servers answer with an error where the protocol has null for "nothing is there". This file turns such an error
 * into null, so that an agent can tell it from a question that the server could not answer.
 */
import { ResponseError } from 'vscode-languageserver-protocol';

export async function orNothing<T>(words: RegExp | undefined, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (words === undefined || !(error instanceof ResponseError) || !words.test(error.message)) throw error;
    return null;
  }
}
