/** A tool's answer before it is known whether the client wants text or JSON, and both ways to write it down. */

import type { OutputFormat } from '../../shared/config/choices.ts';
import type { Page } from './budget.ts';
import { clip } from './budget.ts';
import { ESTIMATED_AS, estimatedTokens } from './estimated-tokens.ts';
import { type Incomplete, incompleteData, incompleteLine } from './incomplete.ts';

/** What every answer may say beside its content. */
interface Remarks {
  /** Said first: why this may not be all there is. Its absence claims completeness. */
  readonly incomplete?: Incomplete | undefined;
  /** Circumstances that the agent should know, such as a server that could not be shared. */
  readonly notes?: readonly string[];
  /** What to do next, said last. */
  readonly hint?: string | undefined;
  /** What only the hint tells, such as an id; said as a note where hints are not wanted. */
  readonly hintTells?: string | undefined;
}

export interface Answer<Data = unknown> extends Remarks {
  /** Compact text that stands alone. */
  readonly text: string;
  /** The same as data, for `--output json`. */
  readonly data: Data;
  /** False when diagnostics could not be shown to belong to the text on disk. */
  readonly fresh?: boolean;
  readonly page?: Page<unknown>;
  /** What servers list is passed on, and nobody has looked for more: it is not called complete. */
  readonly isListing?: boolean;
  /** The texts of the files that the agent need not read because of this answer. */
  readonly insteadOf?: readonly string[];
  /** What was run for it has failed: an answer like any other, but for a shell a failure. */
  readonly failed?: boolean;
  /** More for programs, beside the data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The question fits several places, of which none was taken. */
export interface Ambiguity extends Remarks {
  readonly text: string;
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
  /** How many there are; only the first are listed. */
  readonly total: number;
}

export type Outcome<Data = unknown> = Answer<Data> | Ambiguity;

export function isAmbiguity(outcome: Outcome): outcome is Ambiguity {
  return 'candidates' in outcome;
}

/** What MCP and the command line print: texts in order, and data for those who take it. */
export interface Rendered {
  readonly isError: boolean;
  /** It is an answer, but what it tells of has failed. */
  readonly hasFailed?: true;
  readonly texts: readonly string[];
  readonly structured?: Record<string, unknown>;
  /** The kind of failure that it is about. */
  readonly failure?: string;
  /** As in the answer, for the count of the session. */
  readonly insteadOf?: readonly string[] | undefined;
}

export function renderAnswer(answer: Outcome, format: OutputFormat): Rendered {
  const verdict = 'failed' in answer && answer.failed === true ? { hasFailed: true as const } : {};
  const gap = answer.incomplete && incompleteLine(answer.incomplete);
  if (format === 'text') {
    const notes = (answer.notes ?? []).map((note) => `note: ${note}`);
    const lines = [gap, clip(answer.text), ...notes, answer.hint && `next: ${answer.hint}`];
    return { isError: false, ...verdict, texts: [lines.filter(Boolean).join('\n')] };
  }
  const structured = 'candidates' in answer ? ambiguityData(answer) : answerData(answer);
  // Programs parse the first text, so that it holds the data and nothing else.
  const content = 'candidates' in answer ? structured : answer.data;
  const first = typeof content === 'string' ? clip(content) : JSON.stringify(content);
  if ('insteadOf' in answer && answer.insteadOf !== undefined)
    structured.token_savings = savingsOf(first, answer.insteadOf.join(''));
  const more = [gap, ...(answer.notes ?? []), answer.hint && `Next step: ${answer.hint}`];
  const texts = [first, ...more.flatMap((text) => (text ? [text] : []))];
  return { isError: false, ...verdict, texts, structured };
}

function answerData(answer: Answer): Record<string, unknown> {
  const { page } = answer;
  const isIncomplete = answer.incomplete !== undefined || answer.fresh === false;
  return {
    status: isIncomplete ? 'incomplete' : 'ok',
    data: answer.data,
    ...(answer.isListing && !isIncomplete ? {} : { complete: !isIncomplete }),
    ...incompleteData(answer.incomplete),
    ...(answer.fresh === undefined ? {} : { fresh: answer.fresh }),
    ...(page === undefined
      ? {}
      : {
          total: page.total,
          truncated: page.nextCursor !== undefined,
          ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
        }),
    ...answer.details,
  };
}

/** What one answer has saved; of a small file it may have saved nothing. */
function savingsOf(returned: string, full: string): Record<string, unknown> {
  const [tokens_returned, tokens_full_file] = [estimatedTokens(returned), estimatedTokens(full)];
  const tokens_saved = Math.max(0, tokens_full_file - tokens_returned);
  return { tokens_returned, tokens_full_file, tokens_saved, estimated_as: ESTIMATED_AS };
}

function ambiguityData({ candidates, total, incomplete }: Ambiguity): Record<string, unknown> {
  return {
    status: 'ambiguous',
    complete: false,
    ...incompleteData(incomplete),
    total,
    truncated: candidates.length < total,
    candidates,
  };
}
