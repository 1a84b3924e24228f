/** The actions that report problems: of one file, and of up to 64 named ones. */
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { type Answer, isAmbiguity, type Outcome } from '../../../render/answer.ts';
import { MAX_ITEMS, oneLine } from '../../../render/budget.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { type DiagnosticDetails, diagnosticDetails, diagnosticsOf, listDetails } from './details.ts';
import { fileGiven, filesGiven } from './fields.ts';
import { type LspCall, shownPath, worded } from './looking.ts';
import { NO_RESPONSE, NO_SERVER, NOT_FOUND, unsupportedText } from './words.ts';

/** The codes of what came too late, as in the face. */
const LATE = { error_code: 'timeout', code: 'LSP_TIMEOUT' };

/** What get_diagnostics says of each file beside its findings. */
const fileState = z.object({
  file: z.string(),
  status: z.enum(['fresh', 'stale', 'timeout', 'failed', 'missing']),
  server: z.string().optional(),
  basis: z.string().optional(),
  proof: z.string().optional(),
  listed: z.number().optional(),
  error_code: z.string().optional(),
  reason: z.string().optional(),
  last_known: z.array(z.unknown()).optional(),
});
type FileState = z.output<typeof fileState>;

export async function diagnostics(call: LspCall): Promise<Outcome> {
  const { path: file_path } = await call.context.source(fileGiven(call.input));
  const outcome = await check(call, { file_path });
  if (isAmbiguity(outcome)) return outcome;
  const [item] = itemsIn(outcome, call.context);
  if (!item) return worded(outcome, diagnosticDetails([], 0, { receivedResponse: false }), outcome.text);
  const { file: _file, status, ...details } = item;
  // A missing file or server is a failure of the tool behind, which has its words in the face.
  return status === 'ok'
    ? worded(outcome, details, [item.proof, ...problemLines(item)].join('\n'))
    : worded(outcome, details, `${NO_RESPONSE}\n${outcome.text}`, LATE);
}

export async function workspaceDiagnostics(call: LspCall): Promise<Outcome> {
  const files = filesGiven(call.input);
  // Among several files one outside would only be one that could not be checked.
  for (const file of files) call.context.roots.resolve(file);
  const outcome = await check(call, { files });
  if (isAmbiguity(outcome)) return outcome;
  const items = itemsIn(outcome, call.context);
  const text = items.flatMap((item) =>
    item.status === 'ok'
      ? [`${item.file}: ok; ${item.proof}`, ...problemLines(item)]
      : [`${item.file}: ${item.status}: ${failingText(item)}`],
  );
  return worded(outcome, listDetails('items', items, undefined), text.join('\n'));
}

function check({ base, context, input }: LspCall, which: Readonly<Record<string, unknown>>) {
  const { severity = 'all' } = input;
  const lowest = severity === 'hint' ? 'all' : severity;
  return base.run('get_diagnostics', { ...which, severity: lowest, limit: MAX_ITEMS }, context);
}

type ItemStatus = 'ok' | 'timeout' | 'error' | 'unsupported';

interface Item extends DiagnosticDetails {
  readonly file: string;
  readonly status: ItemStatus;
  /** How it is known that this is about the text on disk, or what was known before. */
  readonly proof: string;
  /** Whether the server itself said so; what it does not report while it has nothing to do is only taken for nothing. */
  readonly receivedResponse: boolean;
  readonly error?: string;
  readonly lastKnown?: readonly Diagnostic[];
}

function itemsIn({ data, details }: Answer, context: ToolContext): readonly Item[] {
  const byFile = z.record(z.string(), z.unknown()).parse(data);
  return z
    .array(fileState)
    .parse(details?.files ?? [])
    .map((state) => itemOf(state, diagnosticsOf(byFile[state.file] ?? []), context));
}

function itemOf(state: FileState, found: readonly Diagnostic[], context: ToolContext): Item {
  const status = statusOf(state);
  const common = { file: shownPath(context, state.file), status, proof: proofOf(state) };
  if (status === 'ok')
    return {
      ...common,
      ...diagnosticDetails(found, state.listed ?? found.length, { fresh: true }),
      receivedResponse: state.proof !== 'idle',
    };
  const error = FIXED[state.error_code ?? ''] ?? state.reason ?? `${state.status}: ${NO_RESPONSE}`;
  return {
    ...common,
    ...diagnosticDetails([], 0, { fresh: false, error }),
    receivedResponse: false,
    ...(state.last_known ? { lastKnown: diagnosticsOf(state.last_known) } : {}),
  };
}

const FIXED: Readonly<Record<string, string>> = { no_such_file: NOT_FOUND, unknown_language: NO_SERVER };

/** Unsupported is what no server looks at here; an error is a fault, or a file that is not there. */
function statusOf({ status, error_code: code = '' }: FileState): ItemStatus {
  switch (status) {
    case 'fresh':
      return 'ok';
    case 'stale':
    case 'timeout':
      return 'timeout';
    case 'missing':
      return 'error';
    case 'failed':
      return UNSUPPORTED.has(code) ? 'unsupported' : 'error';
  }
}

const UNSUPPORTED: ReadonlySet<string> = new Set([
  'unknown_language',
  'server_missing',
  'server_disabled',
  'server_failed',
  'unsupported',
  'left_out',
  'not_a_text_file',
]);

/** `fresh (exact, pull, typescript)`. */
function proofOf({ status, basis, proof, server }: FileState): string {
  const known = [basis, proof, server].filter((part) => part !== undefined).join(', ');
  return known === '' ? status : `${status} (${known})`;
}

function failingText({ status, error = '', lastKnown }: Item): string {
  const before = lastKnown ? ` Last known, of an older text: ${lastKnown.length}.` : '';
  if (status === 'timeout') return `${NO_RESPONSE}${before}`;
  return status === 'unsupported' ? unsupportedText(error) : error;
}

/** A file whose findings were left out is not one without findings. */
function problemLines(item: Item): readonly string[] {
  const { diagnostics: found, diagnosticsTotal: total, receivedResponse } = item;
  if (total === 0) return [receivedResponse ? 'No diagnostics.' : NOT_REPORTED];
  const rest = total - found.length;
  return [...found.map(problemLine), ...(rest > 0 ? [`… ${rest} more not shown`] : [])];
}

const NOT_REPORTED = 'None reported: the server has nothing to do, and has not said that there are none.';

const WORDS = ['', 'error', 'warning', 'info', 'hint'];

function problemLine({ range, severity = 1, code, message }: Diagnostic): string {
  const { line, character } = range.start;
  const shown = code === undefined ? '' : ` ${code}`;
  return `  ${WORDS[severity]} ${line + 1}:${character + 1}${shown} ${oneLine(String(message), 300)}`;
}
