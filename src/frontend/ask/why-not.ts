/** Says why one part of an answer is missing, for tools that go on with the other parts. */
import { ResponseError } from 'vscode-languageserver-protocol';
import { type Failure, failureOf } from '../../shared/base/failure.ts';
import { failureSentence } from '../render/failure.ts';

/** Throws again what ends everything: cancellation, and errors that neither we nor a server mean to happen. */
export function whyNot(error: unknown, say: (failure: Failure) => string = failureSentence): string {
  const failure = failureOf(error);
  if (failure && failure.kind !== 'cancelled') return say(failure);
  if (error instanceof ResponseError) return error.message;
  throw error;
}
