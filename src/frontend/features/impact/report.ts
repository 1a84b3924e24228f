/** The answer of blast_radius and detect_changes: what the symbols reach, as text and as data. */

import type { Answer } from '../../render/answer.ts';
import { leftOut, type PageRequest, pageOf } from '../../render/budget.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type HidingWishes, hiddenLine, hiddenTogether } from '../../workspace/hidden-places.ts';
import type { Roots } from '../../workspace/roots.ts';
import { type Accounting, accountingSum } from '../references/accounting/accounting.ts';
import { possibleLines } from '../references/accounting/possible-lines.ts';
import { accountedPart, accountingData, accountingExtent } from '../references/accounting/sentences.ts';
import { stepWhenUnused } from '../references/reference-answer.ts';
import {
  everyCaller,
  type Impact,
  impactOf,
  indirectImpact,
  type Reached,
  type Risk,
  type WhenNone,
} from './impact.ts';
import { type ChangedFile, type SymbolScope, subjectsIn } from './subjects.ts';
import {
  type CallerData,
  changedData,
  cutWarnings,
  type ReachedData,
  reachedData,
  reachedSize,
  reachLines,
  reachSummary,
  subjectName,
  togetherData,
  UNTESTED,
  untestedLine,
  warningsOf,
} from './text.ts';

export interface ReportRequest extends PageRequest, HidingWishes {
  readonly files: readonly ChangedFile[];
  readonly scope: SymbolScope;
  readonly whenNone?: WhenNone | undefined;
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
  /** Names of those symbols for which `untested_means` holds. */
  readonly untested: string[];
  readonly untested_means: string;
  readonly summary: string;
  readonly warnings: string[];
}

export interface Report extends Answer<ReportData> {
  readonly reached: readonly Reached[];
}

export async function reportOn(context: ToolContext, request: ReportRequest): Promise<Report> {
  const { subjects, warnings } = await subjectsIn(context, request.files, request);
  const direct = await impactOf(context, subjects, request);
  const indirect = request.includeTransitive
    ? await indirectImpact(context, direct.reached, request)
    : undefined;
  const hidden = hiddenTogether([...direct.hidden, ...(indirect?.hidden ?? [])]);
  const untested = untestedIn(direct, indirect);
  const all = [...(request.onlyUntested ? untested : direct.reached), ...(indirect?.reached ?? [])];
  const page = pageOf(all, request, reachedSize, 40);
  const accounting = accountingSum([direct, indirect].flatMap((part) => part?.accounting ?? []));
  const [notSeen] = warnings;
  const incomplete =
    direct.incomplete ?? indirect?.incomplete ?? (notSeen === undefined ? undefined : { reason: notSeen });
  const counts = reachSummary([...direct.reached, ...(indirect?.reached ?? [])]);
  const summary = `${request.subject(subjects.length)}${subjects.length === 0 ? '' : `: ${counts}`}`;
  const extent =
    direct.readiness === '' ? '' : `; ${direct.readiness}, ${accountingExtent(incomplete, accounting)}`;
  const allWarnings = [...warnings, ...warningsOf(direct), ...(indirect ? warningsOf(indirect) : [])];
  return {
    reached: direct.reached,
    text: [
      `${summary}${accountedOf(accounting, context.roots)}${extent}; root ${context.roots.primary}`,
      ...reachLines(page.items, context.roots),
      ...(request.onlyUntested ? [] : untestedLine(untested, direct.reached.length)),
      ...leftOut(page, 'symbols'),
      ...hiddenLine(hidden),
      ...(page.from === 0 ? await possibleLines(context, accounting?.possible ?? []) : []),
      ...warnings.filter((warning) => warning !== incomplete?.reason),
    ].join('\n'),
    data: {
      changed_symbols: changedData(subjects),
      affected_symbols: page.items.map(reachedData),
      ...togetherData([...direct.reached, ...(indirect?.reached ?? [])]),
      untested: untested.slice(0, MOST_UNTESTED).map(({ subject }) => subjectName(subject)),
      untested_means: indirect ? `${UNTESTED}, nor to a caller of it` : UNTESTED,
      summary,
      warnings: [...allWarnings, ...cutWarnings(subjects)],
    },
    incomplete,
    page,
    details: { hidden, ...(accounting ? accountingData(accounting) : {}) },
    hint: stepAfter(direct.reached, { incomplete, accounting }, context.roots),
  };
}

/** The riskiest is the first; what no test refers to either is at the end. */
function stepAfter(
  [first, ...others]: readonly Reached[],
  seen: Parameters<typeof stepWhenUnused>[0],
  roots: Roots,
): string | undefined {
  if (!first) return undefined;
  const { source, node } = first.subject;
  const uses = `find_references ${roots.display(source.path)} ${node.path.join('.')}`;
  if (everyCaller(first).length > 0) return `${uses} shows the call sites`;
  return first.tests.length > 0
    ? `${uses} tests:"show" shows its tests`
    : stepWhenUnused(seen, others.length === 0 ? 'it' : 'them');
}

function accountedOf(accounting: Accounting | undefined, roots: Roots): string {
  if (!accounting) return '';
  const { possible } = accounting;
  return `${possible.length === 0 ? '' : `, ${possible.length} possible`}; ${accountedPart(accounting, roots)}`;
}

const MOST_UNTESTED = 100;

/** A test of a caller is a test, too, as far as callers were looked at. */
function untestedIn(direct: Impact, indirect: Impact | undefined): readonly Reached[] {
  const tested = new Set(
    [...direct.reached, ...(indirect?.reached ?? [])]
      .filter(({ tests }) => tests.length > 0)
      .map(({ subject }) => `${subject.source.path}\0${subject.node.path.join('.')}`),
  );
  return direct.reached.filter(
    (each) =>
      each.tests.length === 0 &&
      !(
        indirect &&
        everyCaller(each).some(({ file, node }) => node && tested.has(`${file}\0${node.path.join('.')}`))
      ),
  );
}
