/** Several checked files in one answer: a line for each, uncertain ones first, and the same as data. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { oneLine } from '../../render/budget.ts';
import { errorCode, failureSentence } from '../../render/failure.ts';
import type { ComparedFindings } from './baselines.ts';
import { comparedCounts } from './change-counts.ts';
import type { FileCheck } from './check-files.ts';
import {
  countsOf,
  type Finding,
  type FindingData,
  findingData,
  headerLine,
  proofOf,
  severityLetter,
} from './diagnostics.ts';
import { statusOf } from './file-status.ts';

/** From so many on, files without findings share a line. */
const FOLD_FROM = 3;
const MOST_GONE = 10;
/** As many as one call can name. */
const MOST_NAMED = 64;

export interface CheckLinesOptions {
  /** Lines below the header of a file; those of its findings that are shown. */
  below(file: AbsPath): readonly string[];
  /** Against a baseline, for the files that could be compared. */
  readonly compared?: ReadonlyMap<AbsPath, ComparedFindings>;
  readonly since?: string | undefined;
  /** The workspace folder that a file lies in. */
  folderOf(file: AbsPath): AbsPath;
}

/** Headers with what is shown below them: what is uncertain first, then the rest by the folders that it lies in. */
export function checkLines(checks: readonly FileCheck[], options: CheckLinesOptions): readonly string[] {
  const uncertain = checks.filter((check) => statusOf(check) !== 'fresh');
  const folders = [...certainByFolder(checks, options.folderOf)];
  return [
    ...uncertainLines(uncertain, options),
    ...togetherLine(options),
    ...folders.flatMap(([folder, own]) => [
      ...(folders.length > 1 ? [folderLine(folder, own)] : []),
      ...certainLines(own, options),
    ]),
  ];
}

/** The folders with what was found in them, for programs; empty when there is only one. */
export function folderData(
  checks: readonly FileCheck[],
  folderOf: CheckLinesOptions['folderOf'],
): readonly Record<string, unknown>[] {
  const folders = [...certainByFolder(checks, folderOf)];
  if (folders.length < 2) return [];
  return folders.map(([root, own]) => {
    const findings = own.flatMap((check) => check.found.findings);
    return { root, files: own.length, errors: countOf(findings, 1), warnings: countOf(findings, 2) };
  });
}

export type CheckData = Record<string, FindingData[] | null>;

/** Each file with its findings among `shown`; null where no finding is known to be about the text on disk. */
export function checkData(
  checks: readonly FileCheck[],
  shown: readonly Finding[],
  hasMore: (file: AbsPath) => boolean,
): CheckData {
  const entries = checks.flatMap((check): [string, FindingData[] | null][] => {
    if (check.kind === 'unchecked') return [[check.file, null]];
    const { file } = check.found.report;
    if (statusOf(check) !== 'fresh') return [[file, null]];
    const own = shown.filter((finding) => finding.file === file);
    // An empty list means clean, so a file whose findings are on another page is left out here.
    return own.length === 0 && hasMore(file) ? [] : [[file, own.map(findingData)]];
  });
  return Object.fromEntries(entries);
}

/** What is known about each file and how, for programs. `listed` counts what its list has on all pages. */
export function checkStates(
  checks: readonly FileCheck[],
  listed?: (file: AbsPath) => number,
): readonly Record<string, unknown>[] {
  return checks.map((check) => {
    const status = statusOf(check);
    if (check.kind === 'unchecked') {
      const { file, failure } = check;
      return { file, status, error_code: errorCode(failure), reason: failureSentence(failure) };
    }
    const { report, server, findings } = check.found;
    const { freshness } = report;
    const counts = {
      errors: countOf(findings, 1),
      warnings: countOf(findings, 2),
      ...(listed ? { listed: listed(report.file) } : {}),
    };
    const common = { file: report.file, status, server };
    if ('proof' in freshness) return { ...common, basis: freshness.kind, proof: freshness.proof, ...counts };
    const age = freshness.kind === 'timeout' ? freshness.lastKnownAgeMs : undefined;
    const isKnown = freshness.kind === 'restarted' || age !== undefined;
    return {
      ...common,
      ...(age === undefined ? {} : { last_known_age_ms: age }),
      ...(isKnown ? { last_known: findings.map(findingData) } : {}),
    };
  });
}

type Checked = Extract<FileCheck, { kind: 'checked' }>;

function certainByFolder(
  checks: readonly FileCheck[],
  folderOf: CheckLinesOptions['folderOf'],
): ReadonlyMap<AbsPath, readonly Checked[]> {
  const certain = checks.flatMap((check) =>
    check.kind === 'checked' && statusOf(check) === 'fresh' ? [check] : [],
  );
  return groupBy(certain, ({ found }) => folderOf(found.report.file));
}

function folderLine(folder: AbsPath, own: readonly Checked[]): string {
  const files = counted(own.length, 'file');
  return `in ${folder}: ${files}, ${countsOf(own.flatMap((check) => check.found.findings))}`;
}

function certainLines(checks: readonly Checked[], options: CheckLinesOptions): readonly string[] {
  const silent = silentTogether(checks, options.compared);
  const folded = new Set([...silent.values()].flat());
  const word = options.since === undefined ? 'clean' : `nothing new or gone since ${options.since}`;
  return [
    ...checks.filter((check) => !folded.has(check)).flatMap((check) => linesOf(check, options)),
    ...[...silent].map(([proof, files]) => `${word}; ${proof}: ${names(files)}`),
  ];
}

/** Of many files that could not be checked for the same reason, the reason is said once. */
function uncertainLines(checks: readonly FileCheck[], options: CheckLinesOptions): readonly string[] {
  const reasons = groupBy(checks, (check) =>
    check.kind === 'unchecked' ? `${statusOf(check)} ${failureSentence(check.failure)}` : check.shown,
  );
  return [...reasons.values()].flatMap((own) => {
    const [first] = own;
    if (own.length < FOLD_FROM || first?.kind !== 'unchecked')
      return own.flatMap((check) => linesOf(check, options));
    return [`${statusOf(first).toUpperCase()}: ${names(own)}: ${failureSentence(first.failure)}`];
  });
}

function names(checks: readonly FileCheck[]): string {
  if (checks.length <= MOST_NAMED) return checks.map(({ shown }) => shown).join(', ');
  const named = checks.slice(0, 3).map(({ shown }) => shown);
  return `${checks.length} files (${named.join(', ')}, …)`;
}

/** Files that are clean, or as they were in the baseline, by their proof; only where there are several of a kind. */
function silentTogether(
  checks: readonly Checked[],
  compared: CheckLinesOptions['compared'],
): ReadonlyMap<string, readonly Checked[]> {
  const groups = new Map<string, Checked[]>();
  for (const check of checks) {
    const { report, findings } = check.found;
    const comparison = compared?.get(report.file);
    const told = comparison ? comparison.added.length + comparison.gone.length : findings.length;
    const proof = proofOf(check.found)?.replace(/version \d+/, 'version');
    if (told > 0 || proof === undefined) continue;
    groups.set(proof, [...(groups.get(proof) ?? []), check]);
  }
  return new Map([...groups].filter(([, files]) => files.length >= FOLD_FROM));
}

function linesOf(check: FileCheck, { below, compared, since }: CheckLinesOptions): readonly string[] {
  if (check.kind === 'unchecked')
    return [`${statusOf(check).toUpperCase()}: ${check.shown}: ${failureSentence(check.failure)}`];
  const { file } = check.found.report;
  if (since === undefined) return [headerLine(check.found, check.shown), ...below(file)];
  const comparison = compared?.get(file);
  const known = comparison
    ? `${check.shown}: ${comparedCounts(comparison)} since ${since}`
    : `${check.shown}: ${countsOf(check.found.findings)} (not in ${since}, so all are listed)`;
  return [headerLine(check.found, check.shown, known), ...below(file), ...goneLines(comparison?.gone ?? [])];
}

/** `since b1: 1 new error, 836 before, in 12 files`; of one file its own line says it. */
function togetherLine({ compared, since }: CheckLinesOptions): readonly string[] {
  const all = [...(compared?.values() ?? [])];
  if (since === undefined || all.length < 2) return [];
  const counts = comparedCounts({
    before: all.flatMap(({ before }) => before),
    added: all.flatMap(({ added }) => added),
    gone: all.flatMap(({ gone }) => gone),
  });
  return [`since ${since}: ${counts}, in ${all.length} files`];
}

function goneLines(gone: readonly Finding[]): readonly string[] {
  const shown = gone.slice(0, MOST_GONE).map((finding) => {
    const code = finding.code === undefined ? '' : ` ${finding.code}`;
    return `  gone: ${severityLetter(finding)}${code} ${oneLine(finding.message, 120)}`;
  });
  const rest = gone.length - shown.length;
  return rest > 0 ? [...shown, `  gone: ${rest} more`] : shown;
}

function countOf(findings: readonly Finding[], severity: number): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
