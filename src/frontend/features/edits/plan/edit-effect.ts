/**
 * What an edit does to the errors and warnings of the files that it touches, and of others that it may break. The
 * question must never be in the edit's way: a server that does not answer in time leaves the effect unknown.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { withTimeout } from '../../../../shared/base/lifetime.ts';
import type { Role } from '../../../../shared/languages/roles.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { checkFiles } from '../../diagnostics/check-files.ts';
import { type DiagnosticDelta, deltaOf, withoutReworded } from '../../diagnostics/diagnostic-delta.ts';
import { type FileFindings, isFresh } from '../../diagnostics/diagnostics.ts';
import type { EffectHints } from '../apply/held-edits.ts';
import type { EditPlan, PlannedChange } from './edit-plan.ts';

export interface BeforeEdit {
  /** What is not looked at. */
  readonly notes: readonly string[];
  /** To be called when the edit is on disk. Never fails: then the edit would seem to have failed. */
  compare(): Promise<DiagnosticDelta>;
}

/** A file more costs a question to its server before and one after. */
const MOST_CHECKED = 20;
const MOST_OTHERS = 10;
/** For the edit and the answer: a call that has written must not end as if it had failed. */
export const RESERVED_MS = 3_000;
/** Of the time that is left beside that. */
const SHARE_BEFORE = 0.35;
const SHARE_AFTER = 0.9;

/** Asked before the edit, so that only what it brings counts as new. */
export async function beforeEdit(
  context: ToolContext,
  plan: EditPlan,
  { alsoCheck = [], keepsLines = false, judge, known = [], foreseen }: EffectQuestion = {},
): Promise<BeforeEdit> {
  const { chosen, unchecked } = filesToCheck(context, plan, alsoCheck);
  const fresh = known.filter(({ report }) => isFresh(report.freshness));
  const isKnown = (file: AbsPath) => fresh.some(({ report }) => report.file === file);
  const asked = chosen.flatMap(({ oldPath = [] }) => oldPath).filter((file) => !isKnown(file));
  const before = [...fresh, ...(await findingsIn(context, asked, { share: SHARE_BEFORE, judge }))];
  return {
    notes:
      unchecked === 0
        ? []
        : [`errors were compared in ${MOST_CHECKED} of the changed files; ${unchecked} more changed`],
    compare: async () => {
      if (foreseen) return foreseen;
      const files = chosen.map(({ newPath }) => newPath);
      const delta = deltaOf({
        files,
        before,
        after: await findingsIn(context, files, { share: SHARE_AFTER, judge }).catch(() => []),
        created: chosen.flatMap(({ newPath, oldPath }) => (oldPath === undefined ? [newPath] : [])),
        formerName: (file) => chosen.find(({ newPath }) => newPath === file)?.oldPath,
      });
      return keepsLines ? withoutReworded(delta) : delta;
    },
  };
}

interface EffectQuestion extends EffectHints {
  /** What is known already to be wrong before the edit. */
  readonly known?: readonly FileFindings[] | undefined;
  /** What it does, where that is known for sure already. */
  readonly foreseen?: DiagnosticDelta | undefined;
}

/** Where a file of the edit is afterwards, and where it was before. */
interface OldAndNewPath {
  readonly newPath: AbsPath;
  /** Undefined for a file that the edit creates. */
  readonly oldPath: AbsPath | undefined;
}

/** Those of the edit that a server is for, as many as can be afforded, and some others. */
export function filesToCheck(
  { servers }: ToolContext,
  plan: EditPlan,
  alsoCheck: readonly AbsPath[],
): { readonly chosen: readonly OldAndNewPath[]; readonly unchecked: number } {
  const changes = plan.files.filter((file) => file.kind !== 'delete').map(pathsBeforeAndAfter);
  const checkable = changes.filter(({ newPath }) => servers.familyOfFile(newPath) !== undefined);
  const others = alsoCheck.slice(0, MOST_OTHERS).map((file) => ({ newPath: file, oldPath: file }));
  return {
    chosen: [...checkable.slice(0, MOST_CHECKED), ...others],
    unchecked: Math.max(0, checkable.length - MOST_CHECKED),
  };
}

async function findingsIn(
  context: ToolContext,
  files: readonly AbsPath[],
  { share, judge }: { readonly share: number; readonly judge: Role | undefined },
): Promise<readonly FileFindings[]> {
  const waitMs = (context.remainingMs() - RESERVED_MS) * share;
  if (waitMs <= 0 || files.length === 0) return [];
  const asked = checkFiles(context, files, { waitMs, role: judge });
  const checks = await withTimeout(asked, waitMs, () => [], context.clock);
  return checks.flatMap((check) => (check.kind === 'checked' ? [check.found] : []));
}

function pathsBeforeAndAfter(file: PlannedChange): OldAndNewPath {
  switch (file.kind) {
    case 'create':
      return { newPath: file.path, oldPath: undefined };
    case 'rename':
      return { newPath: file.newPath, oldPath: file.path };
    default:
      return { newPath: file.path, oldPath: file.path };
  }
}
