/**
 * Several symbols in one call. An agent that wants to know the same of five names pays for each call with seconds and with
 * a turn of its model; asked together they share one budget, and what became of each is said under its name.
 */
import { z } from 'zod';
import { fail, failureOf } from '../../shared/base/failure.ts';
import { eachBounded } from '../../shared/base/pool.ts';
import type { Answer, Outcome } from '../render/answer.ts';
import { clip, DEFAULT_LIMIT, MAX_CHARS } from '../render/budget.ts';
import { errorCode, failureSentence } from '../render/failure.ts';
import { type Incomplete, incompleteLine, incompleteOf } from '../render/incomplete.ts';
import type { ToolContext } from './context.ts';

const MOST_SYMBOLS = 20;
/** Each list of a call has at least this many entries. */
const LEAST_ENTRIES = 5;
const AT_ONCE = 4;

/** The field beside `symbol`. */
export const symbols = z.array(z.string().min(1)).min(1).max(MOST_SYMBOLS).optional().describe('Several');

/** The data of a call about several symbols; `data` of each is what the tool gives for one. */
export const severalData = z.strictObject({
  several: z.array(z.looseObject({ symbol: z.string(), status: z.string() })),
});

type SeveralData = z.input<typeof severalData>;

interface Asked {
  readonly symbol?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly line?: number | undefined;
  readonly position_pattern?: string | undefined;
}

/** Runs the tool once, or once for each of the symbols. */
export async function onceOrForEach<Input extends Asked, Data>(
  input: Input,
  context: ToolContext,
  run: (input: Input) => Promise<Outcome<Data>>,
): Promise<Outcome<Data | SeveralData>> {
  const { symbols: wanted, ...rest } = input;
  if (wanted === undefined) return run(input);
  refuseSecondTarget(rest);
  const named = [...new Set(wanted)];
  const limit = Math.max(LEAST_ENTRIES, Math.floor((input.limit ?? DEFAULT_LIMIT) / named.length));
  const parts = await eachBounded(named, AT_ONCE, (symbol) =>
    partOf(symbol, run({ ...input, symbols: undefined, symbol, limit })),
  );
  context.signal.throwIfAborted();
  const [first] = parts;
  // What is wrong with all of them is wrong with the call.
  if (first?.failure && parts.every(({ failure }) => failure !== undefined)) fail(first.failure);
  return together(parts);
}

type Part = Awaited<ReturnType<typeof partOf>>;

async function partOf(symbol: string, asked: Promise<Outcome<unknown>>) {
  try {
    return { symbol, outcome: await asked, failure: undefined };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    return { symbol, outcome: undefined, failure };
  }
}

function together(parts: readonly Part[]): Answer<SeveralData> {
  const most = Math.floor(MAX_CHARS / parts.length);
  return {
    text: parts.flatMap((part) => [`== ${part.symbol}`, clip(textOf(part), most)]).join('\n'),
    data: { several: parts.map(dataOf) },
    incomplete: incompleteTogether(parts),
    notes: [...new Set(parts.flatMap(({ outcome }) => outcome?.notes ?? []))],
  };
}

function textOf({ outcome, failure }: Part): string {
  if (failure) return `could not look: ${failureSentence(failure)}`;
  const gap = outcome.incomplete && incompleteLine(outcome.incomplete);
  return [gap, outcome.text].filter(Boolean).join('\n');
}

function dataOf({ symbol, outcome, failure }: Part): SeveralData['several'][number] {
  if (failure)
    return { symbol, status: 'error', error_code: errorCode(failure), message: failureSentence(failure) };
  if ('candidates' in outcome) return { symbol, status: 'ambiguous', candidates: outcome.candidates };
  const { data, page, incomplete, details } = outcome;
  return {
    symbol,
    status: incomplete === undefined ? 'ok' : 'incomplete',
    ...(page === undefined ? {} : { total: page.total, truncated: page.nextCursor !== undefined }),
    ...details,
    data,
  };
}

function incompleteTogether(parts: readonly Part[]): Incomplete | undefined {
  const lacking = parts.flatMap(({ symbol, outcome, failure }) => {
    if (failure) return [{ symbol, why: { reason: failureSentence(failure) } }];
    return outcome.incomplete ? [{ symbol, why: outcome.incomplete }] : [];
  });
  const names = lacking.map(({ symbol }) => symbol).join(', ');
  return incompleteOf(names, [...new Map(lacking.map(({ why }) => [why.reason, why])).values()]);
}

function refuseSecondTarget({ symbol, line, position_pattern, cursor }: Asked): void {
  if ([symbol, line, position_pattern, cursor].every((field) => field === undefined)) return;
  fail({
    kind: 'invalid-input',
    message:
      'symbols names all that is asked about, so symbol, line, position_pattern and cursor do not go with it',
    next: 'Pass symbols alone, or one symbol',
  });
}
