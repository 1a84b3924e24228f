/** What a change does to errors and warnings, as a few lines and as data. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { type DiagnosticDelta, netErrors } from '../diagnostic-delta.ts';
import { oneLine } from './budget.ts';
import { type Finding, type FindingData, findingData, severityLetter } from './diagnostics.ts';

const MOST_LISTED = 20;
const MOST_UNKNOWN = 5;

/** `errors 0 → 2, warnings 1 → 1`, then what is new and how much is gone. */
export function deltaLines(delta: DiagnosticDelta, display: (file: AbsPath) => string): readonly string[] {
  const { introduced, resolved, unknown } = delta;
  const more = introduced.length - MOST_LISTED;
  const unnamed = unknown.length - MOST_UNKNOWN;
  const names = unknown.slice(0, MOST_UNKNOWN).map(display);
  return [
    ...(delta.compared.length === 0 ? [] : [totals(delta)]),
    ...introduced.slice(0, MOST_LISTED).map((finding) => `  new ${findingAt(finding, display)}`),
    ...(more > 0 ? [`  and ${more} more new`] : []),
    ...(resolved.length > 0 ? [`  gone: ${resolved.length}`] : []),
    ...(unknown.length > 0
      ? [`UNKNOWN for ${names.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}: not checked`]
      : []),
  ];
}

/** The same of an edit that was only tried out. */
export function triedLines(delta: DiagnosticDelta, display: (file: AbsPath) => string): readonly string[] {
  const [first = '', ...rest] = deltaLines(delta, display);
  return [`tried out: ${first}`, ...rest];
}

/** `E src/a.ts:3:5 TS2304 Cannot find name 'x'.` */
export function findingAt(finding: Finding, display: (file: AbsPath) => string): string {
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
    unknown: [...delta.unknown],
  };
}

export function placedFinding(finding: Finding): FindingData & { readonly file: string } {
  return { file: finding.file, ...findingData(finding) };
}

function totals({ before, after }: DiagnosticDelta): string {
  return `errors ${change(before.errors, after.errors)}, warnings ${change(before.warnings, after.warnings)}`;
}

function change(before: number, after: number): string {
  return before === after ? String(after) : `${before} → ${after}`;
}
