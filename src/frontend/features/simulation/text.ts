/** What trying a text out has shown, in as few words as possible: whether it is safe, then what it breaks. */

import type { Answer } from '../../render/answer.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Display, deltaCounts, newLines, placedFinding } from '../diagnostics/delta.ts';
import { isError, netErrors } from '../diagnostics/diagnostic-delta.ts';
import type { FindingData } from '../diagnostics/diagnostics.ts';
import type { EvaluatedTexts } from './evaluate.ts';

const MOST_UNKNOWN = 5;

/** Everything was looked at by a server that was ready, and no error is new: others that went away do not make up for it. */
export function isSafe({ delta, confidence }: EvaluatedTexts): boolean {
  return confidence !== 'low' && delta.unknown.length === 0 && !delta.introduced.some(isError);
}

/** `safe: 0 new errors, in 1 file (fresh, 41 ms)`, or `2 new errors, 3 before, in 4 files (fresh, 41 ms)` and these two. */
export function evaluationLines(evaluated: EvaluatedTexts, display: Display): string[] {
  const { delta, timeout } = evaluated;
  const { introduced, unknown, compared } = delta;
  const names = unknown.slice(0, MOST_UNKNOWN).map(display).join(', ');
  const unnamed = unknown.length > MOST_UNKNOWN ? ` and ${unknown.length - MOST_UNKNOWN} more` : '';
  return [
    ...(unknown.length > 0
      ? [`${timeout ? 'TIMEOUT' : 'UNKNOWN'}: ${names}${unnamed} not checked; this is not "safe"`]
      : []),
    ...(compared.length > 0 ? [verdict(evaluated)] : []),
    ...newLines(introduced, display),
  ];
}

/** `apply` is how the texts are made to last. */
export function evaluationAnswer<Data>(
  { roots }: Pick<ToolContext, 'roots'>,
  evaluated: EvaluatedTexts,
  data: Data,
  apply: string,
): Answer<Data> {
  const { confidence, timeout, notes, incomplete } = evaluated;
  return {
    text: evaluationLines(evaluated, (file) => roots.display(file)).join('\n'),
    data,
    fresh: confidence !== 'low',
    notes,
    incomplete,
    hint: isSafe(evaluated) ? apply : timeout ? `try again, or ${apply}` : `correct it, or ${apply}`,
  };
}

export interface EvaluationData {
  readonly net_delta: number;
  readonly errors_before: number;
  readonly errors_introduced: PlacedData[];
  readonly errors_resolved: PlacedData[];
  readonly warnings_introduced: PlacedData[];
  /** Files of which nothing is known. */
  readonly unknown: string[];
  readonly files_checked: number;
  readonly scope: EvaluatedTexts['scope'];
  readonly confidence: EvaluatedTexts['confidence'];
  readonly timeout: boolean;
  readonly duration_ms: number;
}

type PlacedData = FindingData & { readonly file: string };

export function evaluationData(evaluated: EvaluatedTexts): EvaluationData {
  const { delta, scope, confidence, timeout, durationMs } = evaluated;
  return {
    net_delta: netErrors(delta),
    errors_before: delta.before.errors,
    errors_introduced: delta.introduced.filter(isError).map(placedFinding),
    errors_resolved: delta.resolved.filter(isError).map(placedFinding),
    warnings_introduced: delta.introduced.filter((finding) => !isError(finding)).map(placedFinding),
    unknown: [...delta.unknown],
    files_checked: delta.compared.length,
    scope,
    confidence,
    timeout,
    duration_ms: durationMs,
  };
}

/** What is left to doubt, in words that need no table. */
const CONFIDENCE_WORDS: Readonly<Record<Exclude<EvaluatedTexts['confidence'], 'high'>, string>> = {
  eventual: 'the server has come to rest, and may say more later',
  partial: 'not everything could be looked at',
  low: 'not known to be so',
};

function verdict(evaluated: EvaluatedTexts): string {
  const { confidence, durationMs } = evaluated;
  const known = `(${confidence === 'high' ? 'fresh' : CONFIDENCE_WORDS[confidence]}, ${durationMs} ms)`;
  // Where some errors cannot show before a text is on disk, their absence makes nothing safe.
  const word = isSafe(evaluated) && evaluated.coverage === 'full' ? 'safe: ' : '';
  return `${word}${deltaCounts(evaluated.delta)} ${known}`;
}
