/**
 * Some servers answer with an error where the protocol has null for "nothing is there". An agent must be able to tell
 * that from a question that could not be answered, so it becomes null here.
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
