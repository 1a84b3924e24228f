/**
 * Answers of the pyright profile: one object that says by `status` what it is, as JSON in the text and as structured
 * content. Nothing found by a server that is not ready is no success.
 * Decision: docs/decisions/mcp.md#one-object-per-answer-of-pyright
 */
import type { Failure } from '../../../../shared/base/failure.ts';
import { fieldOf } from '../../../../shared/base/unknown-value.ts';
import type { Answer, Outcome, Rendered } from '../../../render/answer.ts';
import { oneLine } from '../../../render/budget.ts';
import { failureSentence, isRecoverable } from '../../../render/failure.ts';
import { incompleteData, incompleteLine } from '../../../render/incomplete.ts';
import type { Face } from '../../../tools/face.ts';
import { CODE_OF, ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** What an answer with nothing in it is called when it is not known to be all. */
export interface Unfounded {
  readonly unfounded: ErrorCode;
}

/** `subject` is what the tool is asked about: a file, or a path of any kind. */
export function unionFace(subject: 'File' | 'Path'): Face {
  return {
    answer: (outcome) => ('candidates' in outcome ? severalPlaces(outcome) : answered(outcome)),

    failure(failure, search) {
      const recoverable = isRecoverable(failure);
      const message = messageFor(failure, subject) ?? failureSentence(failure, search?.command);
      const parts = { message, recoverable, details: detailsOf(failure) };
      return error(CODE_OF[failure.kind], parts, failure.kind);
    },

    inOurTerms: (args) => ({
      file_path: fieldOf(args, 'file'),
      line: fieldOf(args, 'line'),
      column: fieldOf(args, 'column'),
    }),

    unexpected: (message) => error('execution_error', { message, recoverable: true, details: {} }),
  };
}

/** Sentences that clients of the product know; for all others there are ours. */
function messageFor(failure: Failure, subject: string): string | undefined {
  switch (failure.kind) {
    case 'no-such-file':
      return `${subject} not found: ${failure.path}`;
    case 'outside-roots':
      return `Path not in allowed workspace: ${failure.path}\nAllowed paths: ${failure.roots.join(', ')}`;
    case 'server-crashed':
      return `LSP server crashed, please retry: ${failure.reason}`;
    default:
      return undefined;
  }
}

function answered({ text, data, incomplete, notes = [], details }: Answer): Rendered {
  const unfounded = details?.unfounded;
  if (incomplete && isErrorCode(unfounded)) {
    const { retry_after_ms } = incompleteData(incomplete);
    const recoverable = unfounded === 'lsp_not_ready';
    const message = incompleteLine(incomplete);
    return error(unfounded, {
      message,
      recoverable,
      details: retry_after_ms === undefined ? {} : { retry_after_ms },
    });
  }
  const structured = {
    status: 'success',
    summary: text,
    data,
    ...(incomplete === undefined ? {} : { complete: false, ...incompleteData(incomplete) }),
    ...(notes.length === 0 ? {} : { notes }),
  };
  return { isError: false, texts: [JSON.stringify(structured)], structured };
}

/** A position means one place; should it ever mean several, they are listed. */
function severalPlaces({ text, candidates }: Extract<Outcome, { candidates: unknown }>): Rendered {
  return error('validation_error', { message: text, recoverable: false, details: { candidates } });
}

interface ErrorParts {
  readonly message: string;
  readonly recoverable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

function error(
  error_code: ErrorCode,
  { message, recoverable, details }: ErrorParts,
  kind?: string,
): Rendered {
  const structured = { status: 'error', error_code, message, recoverable, details };
  return {
    isError: true,
    texts: [JSON.stringify(structured)],
    structured,
    ...(kind === undefined ? {} : { failure: kind }),
  };
}

/** The facts of a failure; what a program printed is cut. */
function detailsOf({ kind: _kind, ...facts }: Failure): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([name]) => name !== 'message' && name !== 'next')
      .map(([name, fact]) => [name, typeof fact === 'string' ? oneLine(fact, 500) : fact]),
  );
}

function isErrorCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.some((code) => code === value);
}
