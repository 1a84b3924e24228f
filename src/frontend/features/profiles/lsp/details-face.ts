/**
 * How answers and failures of the tool `lsp` read: `action: …` first, then what is not certain, then the answer; the
 * `details` of the action as data. What no server looks at and what took too long are answers here, not failures.
 * Decision: docs/decisions/mcp.md#one-tool-tells-details-beside-its-text
 */
import type { Failure } from '../../../../shared/base/failure.ts';
import { fieldOf } from '../../../../shared/base/unknown-value.ts';
import { LSP_ACTIONS, type LspAction } from '../../../../shared/config/lsp-actions.ts';
import { type Ambiguity, isAmbiguity, type Rendered, renderAnswer } from '../../../render/answer.ts';
import { clip } from '../../../render/budget.ts';
import { errorCode, failureSentence, renderFailure } from '../../../render/failure.ts';
import { incompleteLine } from '../../../render/incomplete.ts';
import type { Face, TextSearch } from '../../../tools/face.ts';
import { diagnosticDetails, emptyDetails, listDetails } from './details.ts';
import { inActions, NO_RESPONSE, NO_SERVER, NOT_FOUND, nothingText, unsupportedText } from './words.ts';

export const detailsFace: Face = {
  answer: (outcome, args) => {
    const { data = null, reason, ...beside } = renderAnswer(outcome, 'json').structured ?? {};
    const gap = outcome.incomplete && inActions(incompleteLine(outcome.incomplete));
    const notes = (outcome.notes ?? []).map((note) => `note: ${inActions(note)}`);
    const text = isAmbiguity(outcome) ? candidateText(outcome) : outcome.text;
    return answered(args, [...(gap === undefined ? [] : [gap]), text, ...notes], {
      details: isAmbiguity(outcome) ? { candidates: outcome.candidates, total: outcome.total } : data,
      ...beside,
      ...(typeof reason === 'string' ? { reason: inActions(reason) } : {}),
    });
  },

  failure: (failure, search, args) => {
    const { kind } = failure;
    const action = actionOf(args);
    if (kind === 'cancelled')
      return {
        isError: false,
        texts: ['Cancelled'],
        structured: { details: { cancelled: true } },
        failure: kind,
      };
    if (action !== undefined && action !== 'restart') {
      if (kind === 'no-such-file') return notLooked(args, action, failure, NOT_FOUND);
      if (kind === 'unknown-language') return notLooked(args, action, failure, NO_SERVER);
      if (UNSUPPORTED.has(kind))
        return notLooked(args, action, failure, inActions(failureSentence(failure, search?.command)));
    }
    const isLate = kind === 'timeout' || kind === 'still-working';
    if (isLate && (action === 'diagnostics' || action === 'workspace-diagnostics'))
      return late(args, action, failure);
    return failed(failure, search);
  },

  inOurTerms: (args) => ({
    file_path: fieldOf(args, 'file'),
    symbol: fieldOf(args, 'query'),
    line: fieldOf(args, 'line'),
    column: fieldOf(args, 'column'),
  }),
};

/** What no server looks at here: the language, the machine or the configuration is in the way, not the call. */
const UNSUPPORTED: ReadonlySet<Failure['kind']> = new Set([
  'server-missing',
  'server-disabled',
  'server-failed',
  'unsupported',
  'left-out',
  'not-a-text-file',
]);

/** The names that the product's own errors have; each stands for one or more codes of ours. */
const CODES: Partial<Readonly<Record<Failure['kind'], string>>> = {
  'invalid-input': 'INVALID_INPUT',
  'outside-roots': 'INVALID_INPUT',
  'not-permitted': 'LSP_ACTION_NOT_ALLOWED',
  'unknown-language': 'LSP_SERVER_NOT_FOUND',
  timeout: 'LSP_TIMEOUT',
  'still-working': 'LSP_TIMEOUT',
};

function answered(args: unknown, lines: readonly string[], structured: Record<string, unknown>): Rendered {
  const action = actionOf(args);
  const text = clip([`action: ${action}`, ...lines].join('\n'), undefined, 'ask for something narrower');
  return { isError: false, texts: [text], structured: { action, ...structured } };
}

/** Nothing was found because nothing was looked at, which is said with the reason. */
function notLooked(args: unknown, action: LspAction, failure: Failure, error: string): Rendered {
  const details = emptyDetails(action);
  const why = failure.kind === 'no-such-file' ? `${error}: ${failure.path}` : error;
  const lines =
    failure.kind === 'no-such-file' && action !== 'diagnostics'
      ? [nothingText(action), why]
      : [unsupportedText(why)];
  return {
    ...answered(args, lines, {
      details: details && { ...details, unsupported: true, error },
      error_code: errorCode(failure),
      status: 'incomplete',
      complete: false,
      unsupported: true,
      error,
    }),
    failure: failure.kind,
  };
}

function late(args: unknown, action: 'diagnostics' | 'workspace-diagnostics', failure: Failure): Rendered {
  const error = failureSentence(failure);
  const state = { fresh: false, error };
  const files = fieldOf(args, 'files');
  const details =
    action === 'diagnostics'
      ? diagnosticDetails([], 0, { ...state, receivedResponse: false })
      : listDetails(
          'items',
          (Array.isArray(files) ? files : []).map((file) => ({
            file: String(file),
            status: 'timeout',
            ...diagnosticDetails([], 0, state),
          })),
          undefined,
        );
  const structured = { details, ...codesOf(failure), status: 'incomplete', complete: false, fresh: false };
  return { ...answered(args, [NO_RESPONSE, inActions(error)], structured), failure: failure.kind };
}

function failed(failure: Failure, search: TextSearch | undefined): Rendered {
  const texts = [sentencesOf(failure, search?.command).map(inActions).join('\n')];
  const rendered = renderFailure(failure, 'json', search?.command);
  const structured = { ...rendered.structured, ...codesOf(failure), message: texts[0] };
  return { ...rendered, texts, structured };
}

/** The first line is the fixed one where there is one; what to do about it comes below. */
function sentencesOf(failure: Failure, search: string | undefined): readonly string[] {
  switch (failure.kind) {
    case 'invalid-input':
      return [failure.message, failure.next];
    case 'not-permitted':
      return [failure.reason, failure.next];
    case 'outside-roots':
      return [
        `LSP file access outside workspace is not allowed: ${failure.path}`,
        `The workspace is ${failure.roots.join(', ')}`,
      ];
    case 'unknown-language':
      return [`Unknown server "${failure.language}".`, `Servers are: ${failure.known.join(', ')}`];
    case 'timeout':
    case 'still-working':
      return [NO_RESPONSE, failureSentence(failure)];
    default:
      return [failureSentence(failure, search)];
  }
}

function codesOf(failure: Failure): Record<string, unknown> {
  const code = CODES[failure.kind];
  return { error_code: errorCode(failure), ...(code === undefined ? {} : { code }) };
}

/** In the fields of this tool, ready to be pasted into the next call. */
function candidateText({ text, candidates, total }: Ambiguity): string {
  const [question = ''] = text.split('\n');
  const lines = candidates.map(
    ({ name, kind = 'symbol', file, line, column }) =>
      `  ${kind} ${name}  file:"${file}", line:${line}, column:${column}`,
  );
  const rest = total - candidates.length;
  return [question, ...lines, ...(rest > 0 ? [`  ${rest} more not shown`] : [])].join('\n');
}

function actionOf(args: unknown): LspAction | undefined {
  const given = fieldOf(args, 'action');
  return LSP_ACTIONS.find((action) => action === given);
}
