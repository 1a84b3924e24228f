/** The answer of blast_radius and detect_changes: what the symbols reach, as text and as data. */
import { type HidingWishes, hiddenLine, together } from '../hidden-places.ts';
import type { Answer } from '../render/answer.ts';
import { leftOut, type PageRequest, pageOf } from '../render/budget.ts';
import {
  type CallerData,
  changedData,
  cutWarnings,
  type ReachedData,
  reachedData,
  reachedSize,
  reachLines,
  reachSummary,
  togetherData,
  untestedLine,
  warningsOf,
} from '../render/impact.ts';
import type { ToolContext } from '../tool-context.ts';
import { type Impact, impactOf, indirectImpact, type Reached, type Risk } from './impact.ts';
import { type ChangedFile, type SymbolScope, subjectsIn } from './subjects.ts';

export interface ReportRequest extends PageRequest, HidingWishes {
  readonly files: readonly ChangedFile[];
  readonly scope: SymbolScope;
  readonly includeTransitive?: boolean | undefined;
  readonly onlyUntested?: boolean | undefined;
  /** What the symbols are, in front of the counts: `exported symbols in src/a.ts`. */
  subject(count: number): string;
}

export interface ReportData {
  readonly changed_symbols: (CallerData & { kind: string; risk?: Risk })[];
  readonly affected_symbols: ReachedData[];
  readonly test_files: string[];
  readonly test_functions: CallerData[];
  readonly non_test_callers: CallerData[];
  readonly summary: string;
  readonly warnings: string[];
}

export interface Report extends Answer<ReportData> {
  readonly reached: readonly Reached[];
}

export async function reportOn(context: ToolContext, request: ReportRequest): Promise<Report> {
  const { subjects, warnings } = await subjectsIn(context, request.files, request.scope);
  const direct = await impactOf(context, subjects, request);
  const indirect = request.includeTransitive
    ? await indirectImpact(context, direct.reached, request)
    : undefined;
  const hidden = together([...direct.hidden, ...(indirect?.hidden ?? [])]);
  const untested = untestedIn(direct, indirect);
  const all = [...(request.onlyUntested ? untested : direct.reached), ...(indirect?.reached ?? [])];
  const page = pageOf(all, request, reachedSize, 40);
  const incomplete = direct.incomplete ?? indirect?.incomplete;
  const counts = reachSummary([...direct.reached, ...(indirect?.reached ?? [])]);
  const summary = `${request.subject(subjects.length)}${subjects.length === 0 ? '' : `: ${counts}`}`;
  const extent =
    direct.readiness === '' ? '' : `; ${direct.readiness}, ${incomplete ? 'incomplete' : 'complete'}`;
  const allWarnings = [...warnings, ...warningsOf(direct), ...(indirect ? warningsOf(indirect) : [])];
  const [first] = direct.reached;
  return {
    reached: direct.reached,
    text: [
      `${summary}${extent}; root ${context.roots.primary}`,
      ...reachLines(page.items, context.roots),
      ...untestedLine(untested, direct.reached.length),
      ...leftOut(page, 'symbols'),
      ...hiddenLine(hidden),
      ...warnings,
    ].join('\n'),
    data: {
      changed_symbols: changedData(subjects),
      affected_symbols: page.items.map(reachedData),
      ...togetherData([...direct.reached, ...(indirect?.reached ?? [])]),
      summary,
      warnings: [...allWarnings, ...cutWarnings(subjects)],
    },
    incomplete,
    page,
    details: { hidden },
    hint:
      first && first.callers.length > 0
        ? `find_references ${context.roots.display(first.subject.source.path)} ${first.subject.node.path.join('.')} shows the call sites`
        : undefined,
  };
}

/** A test of a caller is a test, too, as far as callers were looked at. */
function untestedIn(direct: Impact, indirect: Impact | undefined): readonly Reached[] {
  const tested = new Set(
    [...direct.reached, ...(indirect?.reached ?? [])]
      .filter(({ tests }) => tests.length > 0)
      .map(({ subject }) => `${subject.source.path}\0${subject.node.path.join('.')}`),
  );
  return direct.reached.filter(
    ({ tests, callers }) =>
      tests.length === 0 &&
      !(indirect && callers.some(({ file, node }) => node && tested.has(`${file}\0${node.path.join('.')}`))),
  );
}
