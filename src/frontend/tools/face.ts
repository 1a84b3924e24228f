/** The words of a tool's answers and failures, where they are not the usual ones. */
import type { Failure } from '../../shared/base/failure.ts';
import type { Outcome, Rendered } from '../render/answer.ts';

/** What finds a name in the text, where there is no server to ask. */
export interface TextSearch {
  /** For a shell, ready to be run. */
  readonly command: string;
  /** What the call was about, if it can be told. */
  readonly name: string | undefined;
  /** With its dot; empty when the call is about no file. */
  readonly extension: string;
}

/** How a façade words what becomes of a call, where its product has fixed the words. */
export interface Face {
  /** `args` are those of the call, as they came. */
  answer(outcome: Outcome, args: unknown): Rendered;
  failure(failure: Failure, search: TextSearch | undefined, args: unknown): Rendered;
  /** The arguments of a call under the names and with the bases that ours have; as they came if not said. */
  inOurTerms?(args: unknown): unknown;
  /** A mistake of ours, as a sentence; that sentence alone if not said. */
  unexpected?(message: string): Rendered;
}
