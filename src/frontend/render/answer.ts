/** A tool's answer before it is known whether the client wants text or JSON, and both ways to write it down. */

import type { Page } from './budget.ts';
import { clip } from './budget.ts';

export interface Answer {
  /** Compact text that stands alone. */
  readonly text: string;
  /** The same as data, for `--output json`. */
  readonly data: unknown;
  /** Said first: why this may not be all there is. Its absence claims completeness. */
  readonly incomplete?: string | undefined;
  /** False when diagnostics could not be shown to belong to the text on disk. */
  readonly fresh?: boolean;
  /** The question fits several places, of which none was taken. */
  readonly ambiguous?: boolean;
  readonly page?: Page<unknown>;
  /** More for programs, beside the data. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Circumstances that the agent should know, such as a server that could not be shared. */
  readonly notes?: readonly string[];
  /** What to do next, said last. */
  readonly hint?: string | undefined;
}

export type OutputFormat = 'text' | 'json';

/** What MCP and the command line print: texts in order, and data for those who take it. */
export interface Rendered {
  readonly isError: boolean;
  readonly texts: readonly string[];
  readonly structured?: Record<string, unknown>;
}

export function renderAnswer(answer: Answer, format: OutputFormat): Rendered {
  if (format === 'text') {
    const notes = (answer.notes ?? []).map((note) => `note: ${note}`);
    const lines = [answer.incomplete, clip(answer.text), ...notes, answer.hint && `next: ${answer.hint}`];
    return { isError: false, texts: [lines.filter(Boolean).join('\n')] };
  }
  // Programs parse the first text, so that it holds the data and nothing else.
  const first = typeof answer.data === 'string' ? clip(answer.data) : JSON.stringify(answer.data);
  const more = [answer.incomplete, ...(answer.notes ?? []), answer.hint && `Next step: ${answer.hint}`];
  const texts = [first, ...more.flatMap((text) => (text ? [text] : []))];
  return { isError: false, texts, structured: structuredOf(answer) };
}

function structuredOf(answer: Answer): Record<string, unknown> {
  const isIncomplete = answer.incomplete !== undefined || answer.fresh === false;
  return {
    status: answer.ambiguous ? 'ambiguous' : isIncomplete ? 'incomplete' : 'ok',
    data: answer.data,
    complete: !isIncomplete && !answer.ambiguous,
    ...(answer.incomplete === undefined ? {} : { reason: answer.incomplete }),
    ...(answer.fresh === undefined ? {} : { fresh: answer.fresh }),
    ...(answer.page === undefined
      ? {}
      : {
          total: answer.page.total,
          truncated: answer.page.nextCursor !== undefined,
          ...(answer.page.nextCursor === undefined ? {} : { next_cursor: answer.page.nextCursor }),
        }),
    ...answer.details,
  };
}
