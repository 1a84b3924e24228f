/** Edits taken into a speculative session: files as they are on disk the first time, as the session has them later. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isDirectory } from '../../workspace/roots.ts';
import { systemDisk } from '../edits/apply/edit-disk.ts';
import { readBase } from '../edits/plan/base-file.ts';
import type { BaseText } from '../edits/plan/edit-plan.ts';
import { type EditInput, editedText } from './edit-text.ts';
import type { SimulatedFile, SimulationSession } from './session.ts';

export interface TakenEdit {
  readonly file: SimulatedFile;
  readonly note: string | undefined;
}

/** Each edit sees the texts of those before it. Nothing is kept yet; fails for the first that does not fit. */
export async function takeEdits(
  context: ToolContext,
  session: SimulationSession,
  edits: readonly EditInput[],
): Promise<readonly TakenEdit[]> {
  const now = new Map<AbsPath, SimulatedFile>();
  const taken: TakenEdit[] = [];
  for (const edit of edits) {
    const file = fileOf(context, session.root, edit.file_path);
    const before = now.get(file) ?? session.fileAt(file) ?? (await fromDisk(file));
    const { text, note } = editedText(context, file, before.text, edit);
    const after = { ...before, text, version: before.version + 1 };
    now.set(file, after);
    taken.push({ file: after, note });
  }
  return taken;
}

/** A file that does not exist yet is empty and new. */
async function fromDisk(file: AbsPath): Promise<SimulatedFile> {
  const base = await baseOf(file);
  return { path: file, base, text: base?.text ?? '', version: 0 };
}

/** Null when there is no such file. */
export async function baseOf(file: AbsPath): Promise<BaseText | null> {
  return (await systemDisk.entry(file)) === undefined ? null : readBase(file, systemDisk);
}

/** The folder that a session is for; the root if it is not said. */
export function sessionRoot({ roots }: ToolContext, given: string | undefined): AbsPath {
  if (given === undefined) return roots.primary;
  const root = roots.resolve(given);
  if (!isDirectory(root))
    fail({
      kind: 'invalid-input',
      message: `workspace_root ${given} is no directory`,
      next: 'Pass the directory of the project, or leave it out',
    });
  return root;
}

/** Paths that answers print start at the first root; what an agent writes may start at the session's as well. */
function fileOf({ roots }: ToolContext, root: AbsPath, given: string): AbsPath {
  const isRelative = !path.isAbsolute(given) && !given.startsWith('file:');
  if (!isRelative || root === roots.primary) return roots.resolve(given);
  const below = absolutePath(given, root);
  if (existsSync(below)) return roots.resolve(below);
  const elsewhere = roots.resolve(given);
  return existsSync(elsewhere) ? elsewhere : roots.resolve(below);
}
