/** The tool that reports what servers find wrong in files, with the proof that this is about the text on disk. */

import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { Answer } from '../../render/answer.ts';
import { DEFAULT_LIMIT, leftOut, pageOf } from '../../render/budget.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, languageId, limit } from '../../tools/fields.ts';
import { diagnostic } from '../../tools/shapes.ts';
import { baselineAnswer, baselineData, baselineLine } from './baseline.ts';
import { type Baseline, baselinesOf, type ComparedFindings, compareFindings } from './baselines.ts';
import { checkFiles, type FileCheck, openTargets } from './check-files.ts';
import { type Finding, findingData } from './diagnostics.ts';
import { type CheckData, checkData, checkLines, checkStates, folderData, statusOf } from './file-checks.ts';
import { type FindingGroups, groupBySymbol, groupData, groupLines } from './finding-groups.ts';
import { linesWithImportsFolded } from './unresolved-imports.ts';

const MOST_FILES = 64;

export const diagnosticTools = [
  defineTool({
    name: 'get_diagnostics',
    title: 'Get diagnostics',
    description:
      'Errors and warnings of files as they are on disk now, with the proof that they are fresh. Use it after edits. baseline:true before a change and since after it list only what is new.',
    effect: 'read',
    isCore: true,
    output: () => z.record(z.string(), z.array(diagnostic).nullable()),
    input: () =>
      z.strictObject({
        file_path: filePath.optional().describe('Omit for all open files'),
        files: z.array(filePath).min(1).max(MOST_FILES).optional().describe('Several files'),
        language_id: languageId,
        severity: z.enum(['error', 'warning', 'all']).optional().describe('Lowest to list; default warning'),
        group_by: z.enum(['symbol']).optional().describe('Needs file_path'),
        baseline: z.boolean().optional().describe('Only an id for since'),
        since: z.string().min(1).optional().describe('Id of a baseline'),
        limit,
        cursor,
      }),
    run: async (input, context) => {
      const since = input.since === undefined ? undefined : baselinesOf(context).named(input.since);
      const named = [
        ...new Set([...(input.file_path === undefined ? [] : [input.file_path]), ...(input.files ?? [])]),
      ];
      const isOne = input.file_path !== undefined && named.length === 1;
      if (input.group_by !== undefined && !isOne)
        fail({ kind: 'invalid-input', message: 'group_by needs one file', next: 'Pass file_path alone' });
      const before = [...(since?.files.keys() ?? [])];
      const targets = named.length > 0 ? named : before.length > 0 ? before : await openTargets(context);
      if (targets.length === 0) {
        const text = 'No file is open in this session, so nothing was checked';
        return { text, data: {}, hint: 'pass file_path or files' };
      }
      const checked = await checkFiles(context, targets, { languageId: input.language_id });
      const checks = byFolder(context, withoutDuplicates(checked));
      const [first] = checks;
      // Of one file the failure is the answer; among several it is the state of one.
      if (isOne && first?.kind === 'unchecked' && statusOf(first) !== 'timeout') fail(first.failure);
      const groups =
        input.group_by === undefined || first?.kind !== 'checked'
          ? undefined
          : await groupBySymbol(context, first.found, input.language_id);
      const kept = input.baseline ? keepBaseline(context, checks) : undefined;
      if (kept && !since) return baselineAnswer(kept, checks);
      return answerFor(checks, input, { context, since, kept, groups });
    },
  }),
];

interface Wanted {
  readonly severity?: 'error' | 'warning' | 'all' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

interface Around {
  readonly context: ToolContext;
  readonly since: Baseline | undefined;
  /** Taken by this call. */
  readonly kept: Baseline | undefined;
  /** A text says why findings could not be grouped. */
  readonly groups: FindingGroups | string | undefined;
}

function answerFor(checks: readonly FileCheck[], wanted: Wanted, around: Around): Answer<CheckData> {
  const { context, since, kept, groups } = around;
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
      ...leftOut(page, 'diagnostics'),
      ...(kept === undefined ? [] : [baselineLine(kept)]),
    ].join('\n'),
    data: checkData(checks, page.items, (file) => all.some((finding) => finding.file === file)),
    fresh: isFresh,
    page,
    ...(typeof groups === 'string' ? { notes: [`not grouped by symbol: ${groups}`] } : {}),
    details: {
      // What is not certain is said first.
      ...(isFresh ? {} : { reason: lines[0] }),
      files: checkStates(checks),
      ...(folders.length > 0 ? { roots: folders } : {}),
      ...(grouped ? groupData(grouped, page.items) : {}),
      ...(kept === undefined ? {} : baselineData(kept)),
      ...(since === undefined ? {} : { since: since.id, gone: goneData(compared) }),
    },
    ...(checks.some(mayAnswerLater) ? { hint: 'call get_diagnostics again' } : {}),
  };
}

function fresh(checks: readonly FileCheck[]) {
  return checks.flatMap((check) =>
    check.kind === 'checked' && statusOf(check) === 'fresh' ? [check.found] : [],
  );
}

function mayAnswerLater(check: FileCheck): boolean {
  return statusOf(check) === 'timeout' || statusOf(check) === 'stale';
}

function keepBaseline(context: ToolContext, checks: readonly FileCheck[]): Baseline {
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
    all: DiagnosticSeverity.Hint,
  };
  return findings.filter((finding) => finding.severity <= lowest[severity]);
}

/** In the order of the folders, so that pages follow it too. */
function byFolder({ roots }: ToolContext, checks: readonly FileCheck[]): readonly FileCheck[] {
  const rank = (check: FileCheck) => roots.all.indexOf(roots.around(absolutePath(fileOf(check))));
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

/** The same file may have been named in two ways. */
function withoutDuplicates(checks: readonly FileCheck[]): readonly FileCheck[] {
  return [...new Map(checks.map((check) => [fileOf(check), check])).values()];
}

function fileOf(check: FileCheck): string {
  return check.kind === 'checked' ? check.found.report.file : check.file;
}
