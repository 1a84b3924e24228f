/** The texts of a speculative session as an edit of files, for those that it began with or for equal ones elsewhere. */

import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { Answer } from '../../render/answer.ts';
import type { ToolContext } from '../../tools/context.ts';
import { systemDisk } from '../edits/apply/edit-disk.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { type EditPlan, isEmpty, type PlannedChange } from '../edits/plan/edit-plan.ts';
import { type EditData, proposeEdit } from '../edits/plan/propose-edit.ts';
import { unifiedDiff } from '../edits/plan/unified-diff.ts';
import type { WriteBoundary } from '../edits/plan/write-boundary.ts';
import type { SimulatedFile, TriedText } from './session.ts';
import { simulationsOf } from './simulations.ts';
import { baseOf, sessionRoot } from './taken-edits.ts';

export interface CommitInput {
  readonly session_id: string;
  readonly apply?: boolean | undefined;
  readonly target?: string | undefined;
}

export interface CommitData extends EditData {
  readonly session_id: string;
  readonly files_written?: string[];
  /** Unified, and whole. */
  readonly patch: string;
}

/** Without `apply` the session ends all the same: its edit is kept under an id. What could not be written stays. */
export function commitSession(
  context: ToolContext,
  { session_id: id, apply = false, target }: CommitInput,
): Promise<Answer<CommitData>> {
  const { roots, audit, signal } = context;
  const session = simulationsOf(context).named(id);
  const { boundary } = editsOf(context);
  const commit = async () => {
    const moved = target === undefined ? undefined : { from: session.root, to: sessionRoot(context, target) };
    const plan = await planOfTexts(session.files, { boundary, moved });
    audit.note({ sessionId: session.id });
    const answer = await proposeEdit(context, {
      tool: 'commit_session',
      about: 'commit session',
      plan,
      facts: { mode: 'commit', target },
      dryRun: !apply,
    });
    const { applied } = answer.data;
    const display = (file: AbsPath) => roots.display(file);
    const patch = unifiedDiff(plan, { display, maxChars: Number.POSITIVE_INFINITY }).text;
    const written = applied ? { files_written: plan.files.map(({ path: file }) => file) } : {};
    const isOver = applied || !apply || isEmpty(plan);
    return {
      isOver,
      answer: { ...answer, data: { ...answer.data, session_id: session.id, ...written, patch } },
    };
  };
  return session.inTurn(signal, async () => (await session.commit(commit)).answer);
}

export interface CommitPlace {
  readonly boundary: WriteBoundary;
  /** Files below `from` are meant below `to` instead. */
  readonly moved?: { readonly from: AbsPath; readonly to: AbsPath } | undefined;
}

/** Fails with `base-changed` for the first file that is not what the session began with. */
export async function planOfTexts(
  texts: readonly (TriedText | SimulatedFile)[],
  { boundary, moved }: CommitPlace,
): Promise<EditPlan> {
  const files: PlannedChange[] = [];
  const made = new Set<AbsPath>();
  for (const { path: given, base, text, ...more } of texts) {
    const file = boundary.textAt(moved ? movedTo(given, moved) : given);
    const now = await baseOf(file);
    if (now?.hash !== base?.hash) fail({ kind: 'base-changed', path: file });
    const places = 'version' in more ? more.version : 1;
    if (now) {
      if (text !== now.text) files.push({ kind: 'change', path: file, before: now, after: text, places });
    } else {
      for (const directory of await missingAbove(file)) made.add(directory);
      files.push({ kind: 'create', path: file, after: text, places });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, directories: { made: [...made].sort(), dropped: [] }, confirmations: [], leftOut: [] };
}

function movedTo(file: AbsPath, { from, to }: NonNullable<CommitPlace['moved']>): AbsPath {
  const relative = path.relative(from, file);
  if (relative.startsWith('..') || path.isAbsolute(relative))
    fail({
      kind: 'invalid-input',
      message: `${file} is not below the session's workspace_root, so target says nothing about it`,
      next: 'Leave target out',
    });
  return absolutePath(relative, to);
}

/** Outermost first. */
async function missingAbove(file: AbsPath): Promise<readonly AbsPath[]> {
  const missing: AbsPath[] = [];
  let directory = absolutePath(path.dirname(file));
  while ((await systemDisk.entry(directory)) === undefined) {
    missing.unshift(directory);
    directory = absolutePath(path.dirname(directory));
  }
  return missing;
}
