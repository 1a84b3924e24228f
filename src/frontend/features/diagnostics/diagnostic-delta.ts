/**
 * What a change does to the errors and warnings of files. Findings are matched by their message, so that one that
 * only moved is neither new nor gone. Files that could not be checked are named and never counted as clean.
 */
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { compareFindings } from './baselines.ts';
import { type FileFindings, type Finding, isFresh } from './diagnostics.ts';

export interface SeverityCounts {
  readonly errors: number;
  readonly warnings: number;
}

export interface DiagnosticDelta {
  readonly introduced: readonly Finding[];
  readonly resolved: readonly Finding[];
  /** Of the files that could be compared. */
  readonly before: SeverityCounts;
  readonly after: SeverityCounts;
  /** Files as they are called afterwards. */
  readonly compared: readonly AbsPath[];
  /** What the change did to these is not known. */
  readonly unknown: readonly AbsPath[];
}

export interface DeltaQuestion {
  /** Files as they are called afterwards. */
  readonly files: readonly AbsPath[];
  readonly before: readonly FileFindings[];
  readonly after: readonly FileFindings[];
  /** New, so that nothing can have been wrong in them. */
  readonly created?: readonly AbsPath[];
  /** What a file was called before, where that is another name. */
  formerName?(file: AbsPath): AbsPath | undefined;
}

export function deltaOf({ files, before, after, created = [], formerName }: DeltaQuestion): DiagnosticDelta {
  const compared: AbsPath[] = [];
  const unknown: AbsPath[] = [];
  const introduced: Finding[] = [];
  const resolved: Finding[] = [];
  const all = { before: [] as Finding[], after: [] as Finding[] };
  for (const file of files) {
    const earlier = created.includes(file) ? [] : seriousIn(before, formerName?.(file) ?? file);
    const later = seriousIn(after, file);
    if (!earlier || !later) {
      unknown.push(file);
      continue;
    }
    compared.push(file);
    all.before.push(...earlier);
    all.after.push(...later);
    const { added, gone } = compareFindings(earlier, later);
    introduced.push(...added);
    resolved.push(...gone);
  }
  return { introduced, resolved, before: tally(all.before), after: tally(all.after), compared, unknown };
}

/**
 * For a change that leaves everything on its line, such as a rename: what was wrong there in the same way before, and now
 * only speaks of another name, is not new.
 */
export function withoutReworded(delta: DiagnosticDelta): DiagnosticDelta {
  const resolved = [...delta.resolved];
  const introduced = delta.introduced.filter((finding) => {
    const former = resolved.findIndex((other) => isSameInOtherWords(finding, other));
    if (former >= 0) resolved.splice(former, 1);
    return former < 0;
  });
  return { ...delta, introduced, resolved };
}

function isSameInOtherWords(one: Finding, other: Finding): boolean {
  const keys = ['file', 'severity', 'code', 'source'] as const;
  return one.start.line === other.start.line && keys.every((key) => one[key] === other[key]);
}

/** How many more errors there are; warnings do not count. */
export function netErrors({ before, after }: DiagnosticDelta): number {
  return after.errors - before.errors;
}

export function isError({ severity }: Finding): boolean {
  return severity === DiagnosticSeverity.Error;
}

/** Errors and warnings of a file; undefined when they are not known to be of its present text. */
function seriousIn(reports: readonly FileFindings[], file: AbsPath): readonly Finding[] | undefined {
  const found = reports.find(({ report }) => report.file === file);
  if (!found || !isFresh(found.report.freshness)) return undefined;
  return found.findings.filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
}

function tally(findings: readonly Finding[]): SeverityCounts {
  const errors = findings.filter(isError).length;
  return { errors, warnings: findings.length - errors };
}
