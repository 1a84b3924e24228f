/** The words of a tool's answers and failures, where they are not the usual ones. */
import type { Failure } from '../../shared/base/failure.ts';
import type { Outcome, Rendered } from '../render/answer.ts';

/** How a façade words what becomes of a call, where its product has fixed the words. */
export interface Face {
  /** `args` are those of the call, as they came. */
  answer(outcome: Outcome, args: unknown): Rendered;
  /** `search` is a command that finds the same in the text, where there is no server to ask. */
  failure(failure: Failure, search: string | undefined, args: unknown): Rendered;
  /** A mistake of ours, as a sentence; that sentence alone if not said. */
  unexpected?(message: string): Rendered;
}
