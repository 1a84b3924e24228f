/**
 * What may stand before the calls of a session. A feature that wants calls in a certain order puts a guard here for as long
 * as it holds; the room that runs calls asks it and knows nothing else of the feature.
 * Decision: docs/decisions/phases.md#a-guard-is-put-where-calls-are-made
 */
import type { AccessedTool } from '../access/tool-access.ts';
import type { Outcome } from '../render/answer.ts';
import type { ToolNeeds } from './context.ts';
import { sessionPart } from './session-state.ts';

export interface CallGuard {
  /** Looks at a call before its arguments were checked. */
  begin(call: CallToGuard): GuardedCall;
}

export interface CallToGuard {
  readonly tool: Pick<AccessedTool, 'name' | 'effect'>;
  readonly args: unknown;
  /** All tools of the session. */
  readonly tools: readonly ToolNeeds[];
}

/** One call under a guard. */
export interface GuardedCall {
  /** Fails when the call must not be made now. */
  permit(): void;
  /** Told what the call answers, if it does not fail; what is returned is said with it. */
  answered(outcome: Outcome): readonly string[];
  /** What became of it, for the audit. Complete when the call has ended. */
  readonly events: readonly GuardEvent[];
}

export interface GuardEvent {
  readonly name: string;
  /** What it is about. */
  readonly target: string;
  /** Why the call was out of order; undefined when it was not. */
  readonly reason?: string;
}

interface GuardPost {
  current: CallGuard | undefined;
}

export const callGuard = sessionPart((): GuardPost => ({ current: undefined }));
