/**
 * Diagnostics of a file, with the proof that they belong to the text on disk or the statement that there is no proof.
 */
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { type Encoding, type Point, type TextLines, toPoint } from '../../../shared/base/positions.ts';
import type { DiagnosticReport, Freshness } from '../../../shared/link/server-link.ts';
import { comparePoints } from '../../places/places.ts';
import { oneLine } from '../../render/budget.ts';

export interface Finding {
  readonly file: AbsPath;
  readonly start: Point;
  readonly end: Point;
  readonly severity: DiagnosticSeverity;
  readonly code: string | undefined;
  readonly source: string | undefined;
  readonly message: string;
  /** The text of the line it stands on, without the blanks around it. */
  readonly line: string;
}

export interface FileFindings {
  readonly report: DiagnosticReport;
  readonly server: string;
  /** What the server takes as given; see ServerLink. */
  readonly surroundings?: string | undefined;
  /** Worst first, then by position. */
  readonly findings: readonly Finding[];
}

export function findingsOf(
  report: DiagnosticReport,
  server: string,
  lines: TextLines,
  encoding: Encoding,
): FileFindings {
  const point = (position: Diagnostic['range']['start']) => toPoint(position, () => lines, encoding);
  const findings = report.diagnostics.map((diagnostic): Finding => {
    const start = point(diagnostic.range.start);
    return {
      file: report.file,
      start,
      end: point(diagnostic.range.end),
      // The protocol leaves a missing severity to the client; an unknown problem is taken as an error.
      severity: diagnostic.severity ?? DiagnosticSeverity.Error,
      code: codeOf(diagnostic),
      source: diagnostic.source,
      message: typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value,
      line: lines.at(start.line).trim(),
    };
  });
  findings.sort((a, b) => a.severity - b.severity || comparePoints(a.start, b.start));
  return { report, server, findings };
}

export function isFresh(freshness: Freshness): boolean {
  return freshness.kind === 'exact' || freshness.kind === 'inferred';
}

/** `fresh (pull, typescript)`: how it is known that findings belong to the text on disk; undefined when it is not. */
export function proofOf({ report, server }: FileFindings): string | undefined {
  const { freshness, version } = report;
  switch (freshness.kind) {
    case 'exact':
      return `fresh (${freshness.proof === 'pull' ? 'pull' : `version ${version}`}, ${server})`;
    case 'inferred':
      return freshness.proof === 'watch'
        ? `inferred (${server}; the workspace is large, other files are only watched)`
        : `inferred (${freshness.proof} after the change, ${server})`;
    default:
      return undefined;
  }
}

/**
 * `src/a.ts: 2 errors, 1 warning; fresh (pull, typescript)`, or with TIMEOUT or STALE as the first word. What is `known`
 * is only said of findings that are fresh.
 */
export function headerLine(
  file: FileFindings,
  shownPath: string,
  known = `${shownPath}: ${countsOf(file.findings)}`,
): string {
  const { freshness } = file.report;
  switch (freshness.kind) {
    case 'exact':
    case 'inferred':
      return `${known}; ${proofOf(file)}`;
    case 'timeout': {
      const waited = `TIMEOUT: ${file.server} did not report on ${shownPath} within ${seconds(freshness.afterMs)} s`;
      if (freshness.lastKnownAgeMs === undefined)
        return `${waited}; nothing is known, this is not "clean"; call again`;
      return `${waited}; STALE, from ${seconds(freshness.lastKnownAgeMs)} s ago: ${countsOf(file.findings)}; call again`;
    }
    case 'restarted':
      return `STALE: ${file.server} was restarted while checking ${shownPath}; last known: ${countsOf(file.findings)}; call again`;
  }
}

export function severityLetter({ severity }: Finding): string {
  return ['', 'E', 'W', 'I', 'H'][severity] ?? 'E';
}

export function findingLine(finding: Finding): string {
  const code = finding.code === undefined ? '' : ` ${finding.code}`;
  return `  ${severityLetter(finding)} ${finding.start.line}:${finding.start.column}${code} ${oneLine(finding.message, 300)}`;
}

export interface FindingData {
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly severity: number;
  readonly code?: string;
  readonly source?: string;
  readonly message: string;
}

export function findingData(finding: Finding): FindingData {
  return {
    line: finding.start.line,
    column: finding.start.column,
    end_line: finding.end.line,
    end_column: finding.end.column,
    severity: finding.severity,
    ...(finding.code === undefined ? {} : { code: finding.code }),
    ...(finding.source === undefined ? {} : { source: finding.source }),
    message: finding.message.slice(0, 2_000),
  };
}

export function countsOf(findings: readonly Finding[]): string {
  const names = [
    [DiagnosticSeverity.Error, 'error'],
    [DiagnosticSeverity.Warning, 'warning'],
    [DiagnosticSeverity.Information, 'info'],
    [DiagnosticSeverity.Hint, 'hint'],
  ] as const;
  const counts = names.flatMap(([severity, name]) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [counted(count, name)];
  });
  return counts.join(', ') || 'clean';
}

/** `TS2345`, as compilers print it, where the server gives only the number. */
function codeOf({ code, source }: Diagnostic): string | undefined {
  if (code === undefined || code === '') return undefined;
  return (source === 'ts' || source === 'typescript') && typeof code === 'number'
    ? `TS${code}`
    : String(code);
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
