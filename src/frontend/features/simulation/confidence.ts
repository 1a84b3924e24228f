/**
 * How far an evaluation can be relied on: the one place where that is decided.
 * Decision: docs/decisions/simulation.md#what-safe-means
 */
import type { DiagnosticReport, EvaluationResult, ServerState } from '../../../shared/link/server-link.ts';
import { isFresh } from '../diagnostics/diagnostics.ts';

/**
 * `high`: the server has answered for exactly these texts. `eventual`: it has come to rest and may still say more.
 * `partial`: something was not looked at. `low`: of some file nothing is known, or the server was not ready.
 */
export type Confidence = 'high' | 'partial' | 'eventual' | 'low';

export interface Grounds {
  /** Before and after, of all files. */
  readonly reports: readonly DiagnosticReport[];
  /** How many reports there should be. */
  readonly expected: number;
  readonly coverage: EvaluationResult['coverage'];
  readonly state: ServerState['kind'];
  /** Files that depend on the texts and were not looked at, or of which it is not known whether there are any. */
  readonly isShort: boolean;
}

export function confidenceIn(grounds: readonly Grounds[]): Confidence {
  if (grounds.length === 0 || grounds.some(isUnknown)) return 'low';
  if (grounds.some(isPartial)) return 'partial';
  const reports = grounds.flatMap(({ reports: own }) => own);
  return reports.every(({ freshness }) => freshness.kind === 'exact') ? 'high' : 'eventual';
}

/** A server that was asked and has not answered in time. */
export function hasTimedOut(grounds: readonly Grounds[]): boolean {
  return grounds.some(
    ({ reports, expected }) =>
      reports.length < expected || reports.some(({ freshness }) => freshness.kind === 'timeout'),
  );
}

function isUnknown({ reports, expected, state }: Grounds): boolean {
  const isUsable = state === 'ready' || state === 'degraded';
  return !isUsable || reports.length < expected || reports.some(({ freshness }) => !isFresh(freshness));
}

function isPartial({ reports, coverage, isShort, state }: Grounds): boolean {
  const isWatched = ({ freshness }: DiagnosticReport) =>
    freshness.kind === 'inferred' && freshness.proof === 'watch';
  return coverage !== 'full' || isShort || state === 'degraded' || reports.some(isWatched);
}
