/** Taking the steps of an edit, and taking them back. Going back looks at the disk, not at how far one came. */
import { fail, failureOf, type KeptText, systemCode } from '../../../../shared/base/failure.ts';
import { eachBounded } from '../../../../shared/base/pool.ts';
import { contentHash } from '../plan/edit-plan.ts';
import type { EditWork, Step } from '../plan/edit-steps.ts';
import { type DiskEntry, type EditDisk, isMissing, naming } from './edit-disk.ts';

/** Something that another program did to a file meanwhile. */
export interface ForeignChange {
  readonly path: string;
  readonly what: string;
  /** The text that has no place in the file for that reason. */
  readonly kept?: KeptText;
}

/** Puts the content of a file aside that is about to lose its name. */
export type Keep = (file: string, of: Omit<KeptText, 'kept'>) => Promise<KeptText>;

type PutStep = Extract<Step, { kind: 'put' }>;

/** New contents and backups are put beside the files; nothing that anybody reads is changed. */
export async function stage({ steps, contents }: EditWork, disk: EditDisk): Promise<void> {
  await eachBounded(contents, WRITES_AT_ONCE, ({ path, target, content, mode, owner }) =>
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
      // Who puts another file there between this look and the rename loses it: the system has no exchange to offer.
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
  keep: Keep,
): Promise<readonly ForeignChange[]> {
  const foreign: ForeignChange[] = [];
  for (const step of steps.toReversed()) {
    const what = await takeStepBack(step, disk);
    if (what !== undefined) {
      const kept = await keepBackup(step, disk, keep);
      foreign.push({ path: step.kind === 'move' ? step.to : step.path, what, ...(kept ? { kept } : {}) });
    }
    const late = step.kind === 'put' ? await keepSetAside(step, disk, keep) : undefined;
    if (late) foreign.push({ path: step.path, what: 'others wrote to it meanwhile', kept: late });
  }
  return foreign;
}

/** What the file was before: others have taken its place. */
async function keepBackup(step: Step, disk: EditDisk, keep: Keep): Promise<KeptText | undefined> {
  if (step.kind !== 'put' && step.kind !== 'remove') return undefined;
  const { path, backup, before } = step;
  if (backup === null || !(await disk.entry(backup))) return undefined;
  const isBefore = before === null || (await hashAt(backup, disk)) === before;
  return keep(backup, { path, what: isBefore ? 'before' : 'others' });
}

/** Our own text made way when the step was taken back, and whatever others had added to it until then. */
async function keepSetAside(
  { path, staged, after }: PutStep,
  disk: EditDisk,
  keep: Keep,
): Promise<KeptText | undefined> {
  if (!(await disk.entry(staged)) || (await isSame(path, staged, disk))) return undefined;
  return (await hashAt(staged, disk)) === after ? undefined : keep(staged, { path, what: 'others' });
}

/** Waiting for the disk takes longer than writing. */
const WRITES_AT_ONCE = 8;

/** Says what another program did, if that is in the way. */
async function takeStepBack(step: Step, disk: EditDisk): Promise<string | undefined> {
  switch (step.kind) {
    case 'put':
      return step.backup === null ? takeNewBack(step, disk) : takeChangeBack(step, step.backup, disk);
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

/**
 * While the staged file is there and not under the name of the file as well, the step was not taken. Its name is used again
 * for what makes way, so that it can still be looked into: others may write to it in the same moment.
 */
async function takeChangeBack({ path, staged, after }: PutStep, backup: string, disk: EditDisk) {
  const isSetAside = (await disk.entry(staged)) !== undefined;
  if (isSetAside && !(await isSame(path, staged, disk))) return undefined;
  // Already taken back, if the backup is gone.
  if (!(await disk.entry(backup))) return undefined;
  const hash = await hashAt(path, disk);
  if (hash === undefined) return 'it was removed by others';
  if (hash !== after) return 'it was changed by others';
  if (!isSetAside) await linked(path, staged, disk);
  await disk.rename(backup, path);
  return undefined;
}

async function takeNewBack({ path, staged, after }: PutStep, disk: EditDisk) {
  const [entry, other] = await Promise.all([disk.entry(path), disk.entry(staged)]);
  if (!entry || (other && other.identity !== entry.identity)) return undefined;
  if ((await hashAt(path, disk)) !== after) return 'it was changed by others';
  if (other) await disk.remove(path);
  else await disk.rename(path, staged);
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
  if (!(await disk.entry(backup)) || (await isSame(file, backup, disk))) return undefined;
  try {
    await place(backup, file, disk);
    return undefined;
  } catch (error) {
    if (failureOf(error)?.kind === 'base-changed') return 'it was made again by others';
    throw error;
  }
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
