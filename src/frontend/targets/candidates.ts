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

/** `word` is its kind for people. */
export function candidateOf(
  { file, at, name, word }: Pick<Candidate, 'file' | 'at' | 'name'> & { readonly word?: string },
  symbol?: string,
): Candidate {
  return { file, at, name, kind: word, symbol };
}

/** Shown each with what it is; the others by number and place, and those after them by number. */
const MOST = 10;
const MOST_PLACED = 50;

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
  const placed = candidates.slice(MOST, MOST_PLACED);
  const rest = placed.map(
    (one) => `${numberOf(one)}${roots.display(one.file)}:${one.at.line}:${one.at.column}`,
  );
  const uncounted = candidates.length - shown.length - placed.length;
  return {
    text: [
      `AMBIGUOUS: ${candidates.length} places fit ${question}; root ${roots.primary}`,
      ...lines,
      ...(rest.length > 0 ? [`  ${rest.length} more: ${rest.join(', ')}`] : []),
      ...(uncounted > 0 ? [`  ${uncounted} more, to be had by the numbers after these`] : []),
    ].join('\n'),
    candidates: candidates.slice(0, MOST_PLACED).map((one) => ({
      name: one.name,
      ...(one.kind === undefined ? {} : { kind: one.kind }),
      file: one.file,
      line: one.at.line,
      column: one.at.column,
      ...(one.symbol === undefined ? {} : { symbol: one.symbol }),
    })),
    total: candidates.length,
    incomplete,
    hint: 'call again with one of these locators',
  };
}

/** `#11 ` of `stop#11`. */
function numberOf({ symbol }: Candidate): string {
  const number = /#\d+$/.exec(symbol ?? '')?.[0];
  return number === undefined ? '' : `${number} `;
}
