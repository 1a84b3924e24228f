/** The answer of detect_changes: what changed, how risky each change is, and what it reaches. */

import { counted } from '../../../shared/base/counted.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import type { Answer } from '../../render/answer.ts';
import type { PageRequest } from '../../render/budget.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { type HidingWishes, hiddenLine, siftHidden } from '../../workspace/hidden-places.ts';
import type { ChangeScope, Changes } from './changes.ts';
import { everyCaller } from './impact.ts';
import { type Report, type ReportData, reportOn } from './report.ts';

export interface ChangeReportData extends ReportData {
  readonly changed_files: string[];
  readonly deleted_files: string[];
  readonly renamed_files: { from: string; to: string }[];
  readonly scope: ChangeScope;
}

interface ChangeRequest extends PageRequest, HidingWishes {
  readonly scope: ChangeScope;
  readonly include_transitive?: boolean | undefined;
}

/** More files than this are listed, but their symbols are not looked at. */
const MOST_FILES = 64;
/** So many are named in a next step. */
const MOST_ADVISED = 3;

export async function changeReport(
  context: ToolContext,
  all: Changes,
  request: ChangeRequest,
): Promise<Answer<ChangeReportData>> {
  const changes = await withoutInstalled(context, all, request);
  const sources = changes.changed.filter(({ file }) => isCode(context.servers.familyOfFile(file)));
  const looked = sources.slice(0, MOST_FILES);
  const left = sources.length - looked.length;
  const { reached, ...report } = await reportOrNothing(context, looked, request, changes);
  const risks = new Map(
    reached.map(({ subject, risk }) => [keyOf(subject.source.path, subject.node.at), risk]),
  );
  const counts = (['high', 'medium', 'low'] as const).flatMap((risk) => {
    const count = reached.filter((each) => each.risk === risk).length;
    return count === 0 ? [] : [`${count} ${risk}`];
  });
  const incomplete =
    report.incomplete ??
    (left > 0
      ? {
          reason: `${left} of ${sources.length} changed files were not looked at; pass workspace_root of a part, or blast_radius with changed_files`,
        }
      : undefined);
  return {
    ...report,
    text: [
      report.text,
      ...(counts.length > 0 ? [`risk: ${counts.join(', ')}`] : []),
      ...fileLines(context, changes),
    ].join('\n'),
    data: {
      ...report.data,
      changed_symbols: report.data.changed_symbols.map((symbol) => {
        const risk = risks.get(keyOf(symbol.file, symbol));
        return risk === undefined ? symbol : { ...symbol, risk };
      }),
      changed_files: changes.changed.map(({ file }) => file),
      deleted_files: [...changes.deleted],
      renamed_files: [...changes.renamed],
      scope: request.scope,
    },
    incomplete,
    notes: changes.notes,
    hint: reached.some((each) => everyCaller(each).length + each.tests.length > 0)
      ? report.hint
      : stepAfter(context, looked, changes, request.scope),
  };
}

/** What nothing depends on is still to be right in itself. */
function stepAfter(
  context: ToolContext,
  looked: Changes['changed'],
  { changed, deleted }: Changes,
  scope: ChangeScope,
): string | undefined {
  if (looked.length > 0) {
    const files = looked.slice(0, MOST_ADVISED).map(({ file }) => context.roots.display(file));
    return firstOffered(context, `get_diagnostics ${files.join(' ')}`);
  }
  return changed.length + deleted.length === 0 && scope === 'unstaged'
    ? 'scope:"all" has what is staged, too'
    : undefined;
}

/** New files of dependencies and builds that git was not told to ignore: nobody here has written them. */
async function withoutInstalled(
  context: ToolContext,
  changes: Changes,
  request: ChangeRequest,
): Promise<Changes> {
  const untracked = changes.changed.filter(({ touched }) => touched === undefined);
  const { shown, hidden } = await siftHidden(context, untracked, context.roots.primary, request);
  if (hidden.length === 0) return changes;
  const kept = new Set(shown);
  return {
    ...changes,
    changed: changes.changed.filter((each) => each.touched !== undefined || kept.has(each)),
    notes: [...changes.notes, ...hiddenLine(hidden, { what: 'untracked files not looked at' })],
  };
}

/** Pictures, locks, settings and prose change as well, and nobody calls what is in them. */
function isCode(family: string | undefined): boolean {
  if (family === undefined) return false;
  const { content } = languageFacts(family);
  return content === 'code' || content === 'pages';
}

async function reportOrNothing(
  context: ToolContext,
  files: Changes['changed'],
  request: ChangeRequest,
  { what, changed, deleted }: Changes,
): Promise<Report> {
  const total = changed.length + deleted.length;
  const where = `${counted(total, 'changed file')} (${what})`;
  return reportOn(context, {
    ...request,
    files,
    scope: 'all',
    // What has changed is worth an answer even if nobody can be asked about it.
    whenNone: 'warn',
    includeTransitive: request.include_transitive,
    subject: (count) =>
      total === 0
        ? `No changes (${what})`
        : `${counted(count, 'changed symbol', { none: 'No' })} in ${where}`,
  });
}

const MOST_LISTED = 10;

function fileLines({ roots }: ToolContext, { changed, deleted, renamed }: Changes): string[] {
  const list = (label: string, names: readonly string[]): string[] => {
    if (names.length === 0) return [];
    const more = names.length > MOST_LISTED ? `, +${names.length - MOST_LISTED} more` : '';
    return [`${label}: ${names.slice(0, MOST_LISTED).join(', ')}${more}`];
  };
  return [
    ...list(
      'changed files',
      changed.map(({ file }) => roots.display(file)),
    ),
    ...list(
      'renamed',
      renamed.map(({ from, to }) => `${roots.display(from)} -> ${roots.display(to)}`),
    ),
    ...list(
      'deleted',
      deleted.map((file) => roots.display(file)),
    ),
  ];
}

function keyOf(file: string, { line, column }: { line: number; column: number }): string {
  return `${file}\0${line}:${column}`;
}
