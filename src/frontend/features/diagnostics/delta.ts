/** What a change does to errors and warnings, as a few lines and as data. */
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { oneLine } from '../../render/budget.ts';
import { changeCounts } from './change-counts.ts';
import { type DiagnosticDelta, netErrors } from './diagnostic-delta.ts';
import { type Finding, type FindingData, findingData, severityLetter } from './diagnostics.ts';
import { foldEqual, times } from './fold-equal.ts';

const MOST_LISTED = 20;
const MOST_UNKNOWN = 5;

export type Display = (file: AbsPath) => string;

/** `0 new errors, 836 before, in 12 files`, then what is new, and which files are not known. */
export function deltaLines(delta: DiagnosticDelta, display: Display): readonly string[] {
  const { introduced, unknown, compared } = delta;
  const unnamed = unknown.length - MOST_UNKNOWN;
  const names = unknown.slice(0, MOST_UNKNOWN).map(display);
  return [
    ...(compared.length === 0 ? [] : [deltaCounts(delta)]),
    ...newLines(introduced, display),
    ...(unknown.length > 0
      ? [`UNKNOWN for ${names.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}: not checked`]
      : []),
  ];
}

/** The same of an edit that was only tried out; `unchecked` files would change, too, and were not looked at. */
export function triedLines(delta: DiagnosticDelta, unchecked: number, display: Display): readonly string[] {
  const [first = '', ...rest] = deltaLines(delta, display);
  const more = unchecked > 0 ? `; ${unchecked} more would change and were not looked at` : '';
  return [`tried out: ${first}${more}`, ...rest];
}

/** `2 new errors, 1 gone, 836 before, in 12 files`: how much a change brings, and in how many files that was looked at. */
export function deltaCounts({ introduced, resolved, before, compared }: DiagnosticDelta): string {
  const counts = changeCounts({ added: introduced, gone: resolved }, (severity) =>
    severity === DiagnosticSeverity.Error ? before.errors : before.warnings,
  );
  return `${counts}, in ${counted(compared.length, 'file')}`;
}

/** What is new, a line each; what says the same in several places is one line with their number and the first of them. */
export function newLines(introduced: readonly Finding[], display: Display): readonly string[] {
  const folded = foldEqual(introduced, ({ severity, code, message }) => [severity, code, message].join('\n'));
  const rest = folded.slice(MOST_LISTED).reduce((sum, { count }) => sum + count, 0);
  return [
    ...folded
      .slice(0, MOST_LISTED)
      .map(({ first, count }) => `  new ${times(count)}${findingAt(first, display)}`),
    ...(rest > 0 ? [`  and ${rest} more new`] : []),
  ];
}

/** `E src/a.ts:3:5 TS2304 Cannot find name 'x'.` */
function findingAt(finding: Finding, display: Display): string {
  const { file, start, code, message } = finding;
  const place = `${display(file)}:${start.line}:${start.column}`;
  return `${severityLetter(finding)} ${place}${code === undefined ? '' : ` ${code}`} ${oneLine(message, 300)}`;
}

export interface DeltaData {
  readonly errors_before: number;
  readonly errors_after: number;
  readonly warnings_before: number;
  readonly warnings_after: number;
  readonly net_delta: number;
  readonly introduced: (FindingData & { readonly file: string })[];
  readonly resolved: (FindingData & { readonly file: string })[];
  readonly files_checked: number;
  /** Files whose state is not known. */
  readonly unknown: string[];
}

export function deltaData(delta: DiagnosticDelta): DeltaData {
  return {
    errors_before: delta.before.errors,
    errors_after: delta.after.errors,
    warnings_before: delta.before.warnings,
    warnings_after: delta.after.warnings,
    net_delta: netErrors(delta),
    introduced: delta.introduced.map(placedFinding),
    resolved: delta.resolved.map(placedFinding),
    files_checked: delta.compared.length,
    unknown: [...delta.unknown],
  };
}

export function placedFinding(finding: Finding): FindingData & { readonly file: string } {
  return { file: finding.file, ...findingData(finding) };
}
