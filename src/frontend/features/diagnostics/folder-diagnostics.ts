/**
 * Diagnostics of everything below a folder, as far as one call gets: files in the order of their paths, until their number
 * or the time is up. The answer says how many files it is about, and its cursor goes on with the next.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import type { Answer } from '../../render/answer.ts';
import { type Page, pageOf } from '../../render/budget.ts';
import { forbiddenReason } from '../../render/forbidden.ts';
import { everyIncomplete, type Incomplete } from '../../render/incomplete.ts';
import type { ToolContext } from '../../tools/context.ts';
import { hiddenLine, siftHidden } from '../../workspace/hidden-places.ts';
import { type FilesBelow, sourcesBelow } from '../../workspace/sources-below.ts';
import { baselineAnswer } from './baseline.ts';
import type { Baseline } from './baselines.ts';
import { checkFiles, type FileCheck } from './check-files.ts';
import type { Finding } from './diagnostics.ts';
import { answerFor, keepBaseline, type Wanted } from './diagnostics-answer.ts';
import type { CheckData } from './file-checks.ts';

export interface FolderRequest extends Wanted {
  readonly baseline?: boolean | undefined;
}

/** Clients show nothing of a call before it has ended, and some give up after a minute. */
const MOST_FILES = 400;
const MOST_MS = 20_000;
/** So many are asked about before the time is looked at again. */
const PORTION = 16;

export async function folderAnswer(
  context: ToolContext,
  folder: AbsPath,
  request: FolderRequest,
  since: Baseline | undefined,
): Promise<Answer<CheckData>> {
  const { roots, servers } = context;
  const isSource = (file: AbsPath) => servers.familyOfFile(file) !== undefined;
  const below = await sourcesBelow(folder, isSource, context.signal);
  if (below.forbidden.includes(folder)) fail({ kind: 'not-a-text-file', path: folder, reason: 'forbidden' });
  const sifted = await siftHidden(
    context,
    below.files.toSorted().map((file) => ({ file })),
    folder,
  );
  const files = sifted.shown.map(({ file }) => file);
  const shown = roots.display(folder) || '.';
  const hiddenFiles = hiddenLine(sifted.hidden, { remedy: 'name them to check them' });
  if (files.length === 0) {
    const text = [`${shown} has no source files that a server could check`, ...hiddenFiles].join('\n');
    return { text, data: {}, incomplete: notWhole(below, context) };
  }
  const from = pageOf(files, { cursor: request.cursor, limit: 1 }, () => 0).from;
  const checks = await checkInTime(context, files.slice(from, from + MOST_FILES));
  const end = from + checks.length;
  const kept = request.baseline ? keepBaseline(context, checks) : undefined;
  const answer =
    kept && !since
      ? baselineAnswer(kept, checks)
      : answerFor(
          checks,
          { ...request, cursor: undefined },
          { context, since, kept, groups: undefined, rest: notShown },
        );
  const reasons = [unchecked(shown, end, files.length), notWhole(below, context)].flatMap((why) => why ?? []);
  return {
    ...answer,
    text: [
      `${shown}: ${from === 0 ? `${end}` : `files ${from + 1} to ${end}`} of ${files.length} source files ${outcomeOf(checks)}`,
      answer.text,
      ...hiddenFiles,
    ].join('\n'),
    incomplete: everyIncomplete(reasons),
    details: {
      ...answer.details,
      checked: checks.filter(({ kind }) => kind === 'checked').length,
      of: files.length,
      next_file: end,
    },
    hint: end < files.length ? `get_diagnostics with cursor:"${end}" goes on` : answer.hint,
  };
}

async function checkInTime(context: ToolContext, files: readonly AbsPath[]): Promise<readonly FileCheck[]> {
  const end = context.clock.now() + Math.min(MOST_MS, context.remainingMs() / 2);
  const checks: FileCheck[] = [];
  while (checks.length < files.length && (checks.length === 0 || context.clock.now() < end)) {
    const portion = files
      .slice(checks.length, checks.length + PORTION)
      .map((file) => context.roots.display(file));
    checks.push(...(await checkFiles(context, portion)));
    context.report(`${checks.length} of ${files.length} files checked`);
  }
  return checks;
}

/** A file that no server could look at is not checked. */
function outcomeOf(checks: readonly FileCheck[]): string {
  const failed = checks.filter(({ kind }) => kind === 'unchecked').length;
  return failed === 0 ? 'checked' : `looked at, ${failed} of them not checked`;
}

/** The cursor of a folder counts files, so that it cannot page through their findings as well. */
function notShown({ total, items }: Page<Finding>): readonly string[] {
  const left = total - items.length;
  return left === 0 ? [] : [`${left} more diagnostics not shown; pass a larger limit or a smaller directory`];
}

function unchecked(shown: string, end: number, total: number): Incomplete | undefined {
  if (end >= total) return undefined;
  return {
    reason: `${total - end} of ${total} files in ${shown} were not checked yet; cursor:"${end}" goes on`,
  };
}

function notWhole({ isWhole, forbidden }: FilesBelow, { roots }: ToolContext): Incomplete | undefined {
  if (forbidden.length > 0) return forbiddenReason(forbidden, roots);
  return isWhole ? undefined : { reason: 'there are too many files to find all; name a smaller directory' };
}
