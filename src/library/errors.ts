/** From what goes wrong inside to what programs catch. */

import { failureSentence, retryAfter } from '../frontend/render/failure.ts';
import { type Failure, failureOf, messageOf } from '../shared/base/failure.ts';
import { AgentLspError } from './agent-lsp-error.ts';
import type { ErrorKind } from './contract.ts';

/** Whatever `work` throws, as an error of the public kind. */
export async function asErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asError(error);
  }
}

function asError(error: unknown): AgentLspError {
  if (error instanceof AgentLspError) return error;
  const failure = failureOf(error);
  if (failure) return errorOf(failure);
  return new AgentLspError('unexpected', messageOf(error), { cause: error });
}

/** `search` is a command that finds the same in the text, where there is no server to ask. */
export function errorOf(failure: Failure, search?: string): AgentLspError {
  const kind: ErrorKind = failure.kind;
  return new AgentLspError(kind, failureSentence(failure, search), { retryAfterMs: retryAfter(failure) });
}
