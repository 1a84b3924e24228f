/** The actions that look something up at a place: definition, references, hover, signature, symbols. */
import { z } from 'zod';
import { FailureError, failureOf } from '../../../../shared/base/failure.ts';
import { absolutePath } from '../../../../shared/base/paths.ts';
import { type Answer, isAmbiguity, type Outcome } from '../../../render/answer.ts';
import { MAX_ITEMS } from '../../../render/budget.ts';
import { incompleteData } from '../../../render/incomplete.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { FacadeBase } from '../../../tools/facade.ts';
import { place } from '../../../tools/shapes.ts';
import { hoverOf, listDetails, locations, signatureOf, symbolSummaries } from './details.ts';
import { fileGiven, type LspInput, noTarget, targetGiven } from './fields.ts';
import { nothingText } from './words.ts';

/** One call of the tool. */
export interface LspCall {
  readonly base: FacadeBase;
  readonly context: ToolContext;
  readonly input: LspInput;
}

export async function definition(call: LspCall): Promise<Outcome> {
  return placesAnswer(call, await runAt(call, 'go_to_definition'));
}

export async function references(call: LspCall): Promise<Outcome> {
  const wishes = { include_declaration: true, tests: 'show', limit: MAX_ITEMS };
  return placesAnswer(call, await runAt(call, 'find_references', wishes));
}

export async function hover(call: LspCall): Promise<Outcome> {
  const outcome = await runAt(call, 'inspect_symbol', { full: true });
  if (isAmbiguity(outcome)) return outcome;
  const details = hoverOf(outcome.data);
  return worded(outcome, details, details ? outcome.text : `${nothingText('hover')}\n${outcome.text}`);
}

export async function signature(call: LspCall): Promise<Outcome> {
  const placed = await cursorOf(call);
  if ('outcome' in placed) return placed.outcome;
  const outcome = await call.base.run('get_signature_help', placed.cursor, call.context);
  if (isAmbiguity(outcome)) return outcome;
  const details = signatureOf(outcome.data);
  const text = details ? outcome.text : `${nothingText('signature')}\n${outcome.text}`;
  return worded(outcome, details, text);
}

export async function documentSymbols({ base, context, input }: LspCall): Promise<Outcome> {
  const query = input.query?.trim() || undefined;
  // One document: a directory is refused, of which the tool behind would list the names.
  const { path: file_path } = await context.source(fileGiven(input));
  const args = {
    file_path,
    all: true,
    limit: MAX_ITEMS,
    ...(query ? { name: query } : {}),
  };
  const outcome = await base.run('list_symbols', args, context);
  if (isAmbiguity(outcome)) return outcome;
  const lines = symbolSummaries(outcome.data, query);
  const details = { ...listDetails('lines', lines, outcome.page), ...incompleteData(outcome.incomplete) };
  const [summary = ''] = outcome.text.split('\n');
  const text = lines.length === 0 ? [nothingText('symbols'), summary] : [summary, ...lines];
  return worded(outcome, details, [...text, ...leftOver(outcome, lines.length)].join('\n'));
}

/** Runs a tool of ours at the place that the call names; a query that fits nothing is a missing place. */
export async function runAt(
  { base, context, input }: LspCall,
  tool: string,
  more: Readonly<Record<string, unknown>> = {},
  target: Readonly<Record<string, unknown>> = targetGiven(input),
): Promise<Outcome> {
  try {
    return await base.run(tool, { ...target, ...more }, context);
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind !== 'invalid-input' || !failure.noPlace) throw error;
    const { message, next } = failure;
    throw new FailureError(
      { kind: 'invalid-input', message: noTarget(input.action), next: `${message}. ${next}` },
      { cause: error },
    );
  }
}

/** The same answer with the details of the action, and without what leads on to tools that are not listed here. */
export function worded(
  { incomplete, notes, fresh }: Pick<Answer, 'incomplete' | 'notes' | 'fresh'>,
  details: unknown,
  text: string,
  beside: Readonly<Record<string, unknown>> = {},
): Answer {
  return {
    text,
    data: details,
    incomplete,
    details: beside,
    ...(notes === undefined ? {} : { notes }),
    ...(fresh === undefined ? {} : { fresh }),
  };
}

/** `… 12 more not shown`; nothing when all are. */
export function leftOver({ page }: Pick<Answer, 'page'>, shown: number): readonly string[] {
  const rest = (page?.total ?? shown) - shown;
  return rest > 0 ? [`… ${rest} more not shown`] : [];
}

function placesAnswer({ context, input }: LspCall, outcome: Outcome): Outcome {
  if (isAmbiguity(outcome)) return outcome;
  const { page, incomplete, details: accounted } = outcome;
  const results = locations(outcome.data);
  const details = {
    ...listDetails('results', results, page),
    ...(accounted ?? {}),
    ...incompleteData(incomplete),
  };
  if (results.length === 0) return worded(outcome, details, `${nothingText(input.action)}\n${outcome.text}`);
  if (page?.nextCursor === undefined) return worded(outcome, details, outcome.text);
  // There is no next page to ask for here, so the text is not that of one of several pages.
  const [summary = ''] = outcome.text.split('\n');
  const lines = z
    .array(place)
    .parse(outcome.data)
    .map(({ file, line, column }) => `${shownPath(context, file)}:${line}:${column}`);
  return worded(outcome, details, [summary, ...lines, ...leftOver(outcome, lines.length)].join('\n'));
}

export function shownPath({ roots }: ToolContext, file: string): string {
  return file.includes('://') ? file : roots.display(absolutePath(file, roots.primary));
}

/** The tool takes the place of a cursor, so that a name has to be found first. */
async function cursorOf(
  call: LspCall,
): Promise<{ readonly cursor: Record<string, unknown> } | { readonly outcome: Outcome }> {
  const target = targetGiven(call.input);
  if (!('symbol' in target)) return { cursor: target };
  const outcome = await runAt(call, 'inspect_symbol');
  if (isAmbiguity(outcome)) return { outcome };
  const { line, column } = named.parse(outcome.details);
  return { cursor: { file_path: target.file_path, line, column } };
}

const named = z.object({ line: z.number(), column: z.number() });
