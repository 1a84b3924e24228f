/**
 * Lists the places that an agent could have meant, each with a locator that the agent can paste into its next call.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Point } from '../../shared/base/positions.ts';
import type { Ambiguity } from '../render/answer.ts';
import type { Incomplete } from '../render/incomplete.ts';
import type { Roots } from '../workspace/roots.ts';

export interface Candidate {
  readonly file: AbsPath;
  readonly at: Point;
  readonly name: string;
  readonly kind: string | undefined;
  /** A symbol locator for exactly this one, where the file has several of the name. */
  readonly symbol: string | undefined;
  /** Its line, where nothing else tells it from another candidate than the position. */
  readonly source?: string;
}

const MOST = 10;

/** `incomplete` says why there may be more of them than were found. */
export function renderCandidates(
  question: string,
  candidates: readonly Candidate[],
  roots: Roots,
  incomplete?: Incomplete,
): Ambiguity {
  const shown = candidates.slice(0, MOST);
  const lines = shown.map((one) => {
    const what = [one.kind, one.name].filter(Boolean).join(' ');
    const locator = `file_path:"${roots.display(one.file)}", line:${one.at.line}, column:${one.at.column}`;
    const symbol = one.symbol === undefined ? '' : ` (or symbol:"${one.symbol}")`;
    return `  ${what}  ${locator}${symbol}${one.source === undefined ? '' : `  ${one.source}`}`;
  });
  const rest = candidates.length - shown.length;
  return {
    text: [
      `AMBIGUOUS: ${candidates.length} places fit ${question}; root ${roots.primary}`,
      ...lines,
      ...(rest > 0 ? [`  ${rest} more not shown`] : []),
    ].join('\n'),
    candidates: shown.map((one) => ({
      name: one.name,
      ...(one.kind === undefined ? {} : { kind: one.kind }),
      file: one.file,
      line: one.at.line,
      column: one.at.column,
    })),
    total: candidates.length,
    incomplete,
    hint: 'call again with one of these locators',
  };
}
