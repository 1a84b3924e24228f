/** Taking the steps of an edit, and taking them back. Going back looks at the disk, not at how far one came. */
import { fail, systemCode } from '../../shared/base/failure.ts';
import { type DiskEntry, type EditDisk, isMissing, naming } from './edit-disk.ts';
import { contentHash } from './edit-plan.ts';
import { type EditWork, type Step, temporaryFilesOf } from './edit-steps.ts';

/** Something that somebody else did to a file meanwhile, and that was left as it is. */
export interface ForeignChange {
  readonly path: string;
  readonly what: string;
  /** Where the content from before the edit is kept, if there was one. */
  readonly kept?: string;
}

/** New contents and backups are put beside the files; nothing that anybody reads is changed. */
export async function stage({ steps, contents }: EditWork, disk: EditDisk): Promise<void> {
  await someAtOnce(contents, ({ path, target, content, mode, owner }) =>
    naming(target, () => disk.write(path, content, { mode, owner })),
  );
  for (const step of steps) {
    if (step.kind !== 'put' || step.backup === null) continue;
    const { path, backup } = step;
    await naming(path, () => keepName(path, backup, disk));
  }
}

export async function takeStep(step: Step, disk: EditDisk): Promise<void> {
  switch (step.kind) {
    case 'put':
      if (step.backup === null) return place(step.staged, step.path, disk);
      if (!(await isStill(step.path, step.backup, disk))) fail({ kind: 'base-changed', path: step.path });
      return disk.rename(step.staged, step.path);
    case 'move':
      return place(step.path, step.to, disk);
    case 'remove':
      return disk.rename(step.path, step.backup);
    case 'make-directory':
      return disk.makeDirectory(step.path);
    case 'drop-directory':
      return disk.removeDirectory(step.path).catch((error: unknown) => {
        if (systemCode(error) === 'ENOTEMPTY')
          fail({ kind: 'base-changed', path: step.path }, { cause: error });
        throw error;
      });
  }
}

/** The backups are the files that were replaced: a write that came in just before shows in them. */
export async function verifyBackups(steps: readonly Step[], disk: EditDisk): Promise<void> {
  for (const step of steps) {
    if ((step.kind !== 'put' && step.kind !== 'remove') || step.backup === null || step.before === null)
      continue;
    if ((await hashAt(step.backup, disk)) !== step.before) fail({ kind: 'base-changed', path: step.path });
  }
}

/** Undoes what was done of the steps, and leaves alone what others have done since. Can be called again and again. */
export async function takeBack(
  steps: readonly Step[],
  disk: EditDisk,
  keep: (backup: string, file: string) => Promise<string>,
): Promise<readonly ForeignChange[]> {
  const foreign: ForeignChange[] = [];
  for (const step of steps.toReversed()) {
    const what = await takeStepBack(step, disk);
    if (what === undefined) continue;
    const backup = step.kind === 'put' || step.kind === 'remove' ? step.backup : null;
    const kept = backup !== null && (await disk.entry(backup)) ? { kept: await keep(backup, step.path) } : {};
    foreign.push({ path: step.kind === 'move' ? step.to : step.path, what, ...kept });
  }
  return foreign;
}

export async function removeTemporaries(steps: readonly Step[], disk: EditDisk): Promise<void> {
  for (const file of temporaryFilesOf(steps)) await disk.remove(file);
}

/** Waiting for the disk takes longer than writing. When one fails, the others have ended before that is told. */
async function someAtOnce<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += WRITES_AT_ONCE) {
    const results = await Promise.allSettled(items.slice(from, from + WRITES_AT_ONCE).map(act));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

const WRITES_AT_ONCE = 8;

/** Says what somebody else did, if that is in the way. */
async function takeStepBack(step: Step, disk: EditDisk): Promise<string | undefined> {
  switch (step.kind) {
    case 'put':
      return step.backup === null
        ? takeNewBack(step.path, step.staged, step.after, disk)
        : takeChangeBack(step.path, step.staged, step.backup, step.after, disk);
    case 'move':
      return moveBack(step.path, step.to, disk);
    case 'remove':
      return restoreRemoved(step.path, step.backup, disk);
    case 'make-directory':
      return disk.removeDirectory(step.path).then(
        () => undefined,
        (error: unknown) => {
          if (isMissing(error)) return undefined;
          if (systemCode(error) === 'ENOTEMPTY') return 'others have put something into this new directory';
          throw error;
        },
      );
    case 'drop-directory':
      if (!(await disk.entry(step.path))) await disk.makeDirectory(step.path, step.mode);
      return undefined;
  }
}

/** While the staged file is there, the step was not taken. */
async function takeChangeBack(file: string, staged: string, backup: string, after: string, disk: EditDisk) {
  if (await disk.entry(staged)) return undefined;
  const hash = await hashAt(file, disk);
  if (hash === after) {
    if (await disk.entry(backup)) await disk.rename(backup, file);
    return undefined;
  }
  // Already taken back, if the backup is gone.
  if (!(await disk.entry(backup))) return undefined;
  return hash === undefined ? 'it was removed by others' : 'it was changed by others';
}

async function takeNewBack(file: string, staged: string, after: string, disk: EditDisk) {
  const [entry, other] = await Promise.all([disk.entry(file), disk.entry(staged)]);
  if (!entry || (other && other.identity !== entry.identity)) return undefined;
  if (!other && (await hashAt(file, disk)) !== after) return 'it was changed by others';
  await disk.remove(file);
  return undefined;
}

async function moveBack(from: string, to: string, disk: EditDisk): Promise<string | undefined> {
  const [old, moved] = await Promise.all([disk.entry(from), disk.entry(to)]);
  if (!moved) return old ? undefined : 'it was removed by others';
  if (!old || isSpelling(from, to)) {
    await disk.rename(to, from);
    return undefined;
  }
  if (old.identity === moved.identity) await disk.remove(to);
  // Two files: nothing was moved, or the old name was taken again.
  else return 'both the old and the new name are taken';
  return undefined;
}

async function restoreRemoved(file: string, backup: string, disk: EditDisk): Promise<string | undefined> {
  if (!(await disk.entry(backup))) return undefined;
  if ((await disk.entry(file)) && !(await isSame(file, backup, disk))) return 'it was made again by others';
  await disk.rename(backup, file);
  return undefined;
}

/** Gives a file its name without taking it from another one. */
async function place(from: string, to: string, disk: EditDisk): Promise<void> {
  const entry = await disk.entry(from);
  if (!isSpelling(from, to) && entry?.kind === 'file' && (await linked(from, to, disk)))
    return disk.remove(from);
  const there = await disk.entry(to);
  if (there && there.identity !== entry?.identity) fail({ kind: 'base-changed', path: to });
  await disk.rename(from, to);
}

/** False where files cannot have a second name. */
async function linked(from: string, to: string, disk: EditDisk): Promise<boolean> {
  try {
    await disk.link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') fail({ kind: 'base-changed', path: to }, { cause: error });
    if (WITHOUT_LINKS.has(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/** A second name costs nothing and keeps the file itself; where there are no second names, a copy must do. */
async function keepName(file: string, backup: string, disk: EditDisk): Promise<void> {
  if (!(await linked(file, backup, disk))) await disk.copy(file, backup);
}

const WITHOUT_LINKS = new Set([
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
  'EINVAL',
]);

/** Whether a file is what its backup was made of. */
async function isStill(file: string, backup: string, disk: EditDisk): Promise<boolean> {
  if (await isSame(file, backup, disk)) return true;
  const [own, kept] = await Promise.all([disk.entry(file), disk.entry(backup)]);
  if (own?.kind !== 'file' || kept?.names !== 1) return false;
  return (await hashAt(file, disk)) === (await hashAt(backup, disk));
}

async function isSame(a: string, b: string, disk: EditDisk): Promise<boolean> {
  const [one, other]: (DiskEntry | undefined)[] = await Promise.all([disk.entry(a), disk.entry(b)]);
  return one !== undefined && one.identity === other?.identity;
}

async function hashAt(file: string, disk: EditDisk): Promise<string | undefined> {
  const entry = await disk.entry(file);
  return entry?.kind === 'file' ? contentHash(await disk.read(file)) : undefined;
}

function isSpelling(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
