/** What get_diagnostics answers about files that were checked: against a baseline if there is one, a page at a time. */
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { Answer } from '../../render/answer.ts';
import { DEFAULT_LIMIT, leftOut, type Page, pageOf } from '../../render/budget.ts';
import type { ToolContext } from '../../tools/context.ts';
import { baselineData, baselineLine } from './baseline.ts';
import { type Baseline, baselinesOf, type ComparedFindings, compareFindings } from './baselines.ts';
import type { FileCheck } from './check-files.ts';
import { type Finding, findingData } from './diagnostics.ts';
import { type CheckData, checkData, checkLines, checkStates, folderData } from './file-checks.ts';
import { statusOf } from './file-status.ts';
import { type FindingGroups, groupData, groupLines } from './finding-groups.ts';
import { linesWithImportsFolded } from './unresolved-imports.ts';

export interface Wanted {
  readonly severity?: 'error' | 'warning' | 'info' | 'all' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Around {
  readonly context: ToolContext;
  readonly since: Baseline | undefined;
  /** Taken by this call. */
  readonly kept: Baseline | undefined;
  /** A text says why findings could not be grouped. */
  readonly groups: FindingGroups | string | undefined;
  /** How to get what the page leaves out; by its cursor if not said. */
  readonly rest?: (page: Page<Finding>) => readonly string[];
}

export function answerFor(checks: readonly FileCheck[], wanted: Wanted, around: Around): Answer<CheckData> {
  const { context, since, kept, groups, rest = (page) => leftOut(page, 'diagnostics') } = around;
  const grouped = typeof groups === 'string' ? undefined : groups;
  const found = checks.flatMap((check) => (check.kind === 'checked' ? [check.found] : []));
  const compared = new Map<AbsPath, ComparedFindings>(
    fresh(checks).flatMap(({ report: { file }, findings }) => {
      const known = since?.files.get(file);
      if (!known) return [];
      const before = listed(known, wanted.severity);
      return [[file, { before, ...compareFindings(before, listed(findings, wanted.severity)) }]];
    }),
  );
  const all = found.flatMap(
    ({ report, findings }) => compared.get(report.file)?.added ?? listed(findings, wanted.severity),
  );
  const page = pageOf(all, wanted, ({ message }) => Math.min(message.length, 300) + 60, DEFAULT_LIMIT);
  const shownOf = (file: AbsPath) => page.items.filter((finding) => finding.file === file);
  const folderOf = (file: AbsPath) => context.roots.around(file);
  const lines = checkLines(checks, {
    below: (file) =>
      grouped
        ? groupLines(grouped, shownOf(file))
        : linesWithImportsFolded(
            shownOf(file),
            found.find(({ report }) => report.file === file)?.surroundings,
          ),
    compared,
    since: since?.id,
    folderOf,
  });
  const hidden = since ? 0 : found.reduce((sum, { findings }) => sum + findings.length, 0) - all.length;
  const isFresh = checks.every((check) => statusOf(check) === 'fresh');
  const folders = folderData(checks, folderOf);
  return {
    text: [
      ...lines,
      ...(hidden > 0 ? [`${hidden} of lower severity not listed; pass severity:"all"`] : []),
      ...rest(page),
      ...(kept === undefined ? [] : [baselineLine(kept)]),
    ].join('\n'),
    data: checkData(checks, page.items, (file) => all.some((finding) => finding.file === file)),
    fresh: isFresh,
    page,
    ...(typeof groups === 'string' ? { notes: [`not grouped by symbol: ${groups}`] } : {}),
    details: {
      // What is not certain is said first.
      ...(isFresh ? {} : { reason: lines[0] }),
      files: checkStates(checks, (file) => all.filter((finding) => finding.file === file).length),
      ...(folders.length > 0 ? { roots: folders } : {}),
      ...(grouped ? groupData(grouped, page.items) : {}),
      ...(kept === undefined ? {} : baselineData(kept)),
      ...(since === undefined ? {} : { since: since.id, gone: goneData(compared) }),
    },
    hint: isFresh ? stepFrom(page.items, context) : undefined,
  };
}

function fresh(checks: readonly FileCheck[]) {
  return checks.flatMap((check) =>
    check.kind === 'checked' && statusOf(check) === 'fresh' ? [check.found] : [],
  );
}

function stepFrom(findings: readonly Finding[], { roots }: ToolContext): string | undefined {
  const first = findings.find(({ severity }) => severity === DiagnosticSeverity.Error);
  return first && `suggest_fixes ${roots.display(first.file)}:${first.start.line}:${first.start.column}`;
}

export function keepBaseline(context: ToolContext, checks: readonly FileCheck[]): Baseline {
  const files = fresh(checks).map(({ report, findings }) => [report.file, findings] as const);
  return baselinesOf(context).keep(new Map(files));
}

function goneData(compared: ReadonlyMap<AbsPath, ComparedFindings>): Record<string, unknown> {
  const gone = [...compared].filter(([, comparison]) => comparison.gone.length > 0);
  return Object.fromEntries(gone.map(([file, comparison]) => [file, comparison.gone.map(findingData)]));
}

function listed(findings: readonly Finding[], severity: Wanted['severity'] = 'warning'): readonly Finding[] {
  const lowest = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    info: DiagnosticSeverity.Information,
    all: DiagnosticSeverity.Hint,
  };
  return findings.filter((finding) => finding.severity <= lowest[severity]);
}

/** In the order of the folders, so that pages follow it too. */
export function byFolder({ roots }: ToolContext, checks: readonly FileCheck[]): readonly FileCheck[] {
  const rank = (check: FileCheck) => roots.all.indexOf(roots.around(absolutePath(fileOf(check))));
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

/** The same file may have been named in two ways. */
export function withoutDuplicates(checks: readonly FileCheck[]): readonly FileCheck[] {
  return [...new Map(checks.map((check) => [fileOf(check), check])).values()];
}

function fileOf(check: FileCheck): string {
  return check.kind === 'checked' ? check.found.report.file : check.file;
}
