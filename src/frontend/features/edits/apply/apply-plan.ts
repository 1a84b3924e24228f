/**
 * A plan put on disk, all of it or nothing. New contents are staged beside their files, the steps written down, then
 * the files renamed into place; whatever fails on the way, all files are what they were before. What a killed process
 * leaves is dealt with in recover-edits.ts.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import {
  type Failure,
  FailureError,
  type FilesLeft,
  fail,
  failureOf,
  type KeptText,
  messageOf,
} from '../../../../shared/base/failure.ts';
import {
  ownIdentity,
  type ProcessTable,
  systemProcessTable,
} from '../../../../shared/process/process-identity.ts';
import { type EditPlan, isEmpty, pathsOf } from '../plan/edit-plan.ts';
import { directoriesOf, type EditWork, type Step, stepsFor } from '../plan/edit-steps.ts';
import type { WriteBoundary } from '../plan/write-boundary.ts';
import { closeAll, type DisplacedFile } from './displaced-files.ts';
import { type EditDisk, naming, reasonOf, systemDisk } from './edit-disk.ts';
import { compareFiles } from './files-left.ts';
import { editsDirectory, Journal, journalsIn, newEditId } from './journal.ts';
import { isInUse, type Recovery, recoverEdits, type Settled, settle } from './recover-edits.ts';
import { stage, takeStep, verifyBackups } from './take-steps.ts';

export interface ApplyOptions {
  readonly boundary: WriteBoundary;
  readonly stateDir: AbsPath;
  /** What the edit is, for the record. */
  readonly about?: string;
  /** Heeded until the first file is changed. */
  readonly signal?: AbortSignal;
  readonly disk?: EditDisk;
  readonly table?: ProcessTable;
  /** Gets the files that were replaced, still open, also when the edit fails; without it they are closed. */
  readonly onDisplaced?: (files: readonly DisplacedFile[]) => void;
}

export interface AppliedEdit {
  readonly plan: EditPlan;
  readonly created: readonly AbsPath[];
  readonly changed: readonly AbsPath[];
  readonly deleted: readonly AbsPath[];
  readonly renamed: readonly { readonly from: AbsPath; readonly to: AbsPath }[];
  /** Had further names (hard links), which keep the old text. */
  readonly unlinked: readonly AbsPath[];
  /** What was found half done from earlier and was dealt with first. */
  readonly recovered: readonly Recovery[];
  /** What others wrote to a file in the moment in which it was replaced. */
  readonly kept: readonly KeptText[];
}

/** What is being applied, and the means for it. */
interface Applying {
  readonly plan: EditPlan;
  readonly work: EditWork;
  readonly journal: Journal;
  readonly disk: EditDisk;
  settle(): Promise<Settled>;
  /** Leaves to others what cannot be settled now. */
  disown(): Promise<void>;
}

export async function applyPlan(plan: EditPlan, options: ApplyOptions): Promise<AppliedEdit> {
  const { boundary, stateDir, about = '', signal, disk = systemDisk, table = systemProcessTable() } = options;
  const recovered = await naming(editsDirectory(stateDir), () => recoverEdits(stateDir, { disk, table }));
  if (isEmpty(plan)) return { plan, ...outcomeOf(plan), unlinked: [], recovered, kept: [] };
  for (const path of pathsOf(plan)) boundary.verify(path);
  const id = newEditId();
  const work = await stepsFor(plan, id, disk);
  const journal = await beginJournal(stateDir, { id, about }, work.steps, disk);
  const applying: Applying = {
    plan,
    work,
    journal,
    disk,
    async settle() {
      const settled = await settle(
        journal,
        { about, owner: ownIdentity(), steps: work.steps },
        stateDir,
        disk,
      );
      (options.onDisplaced ?? closeAll)(settled.displaced);
      return settled;
    },
    disown: () => journal.disown(about, work.steps).catch(() => {}),
  };
  try {
    await refuseWhenShared(journal, work.steps, stateDir, disk, table);
    await run(applying, signal);
  } catch (error) {
    await backOut(error, applying);
  }
  // From here on it is applied; what cannot be tidied up is, at the next start.
  const settled = await applying.settle().catch(() => applying.disown());
  return { plan, ...outcomeOf(plan), unlinked: work.unlinked, recovered, kept: settled?.kept ?? [] };
}

async function run({ work, journal, disk }: Applying, signal: AbortSignal | undefined): Promise<void> {
  const { steps } = work;
  await stage(work, disk);
  await syncAll(steps, disk);
  if (signal?.aborted) fail({ kind: 'cancelled' });
  await journal.advance('applying');
  for (const step of steps)
    await naming(step.kind === 'move' ? step.to : step.path, () => takeStep(step, disk));
  await syncAll(steps, disk);
  // As late as it can be: who had a file open when it was replaced has written to it by now.
  await verifyBackups(steps, disk);
  await journal.advance('done');
}

/** Everything is taken back before the failure is told; if that fails as well, it stays written down what is left to do. */
async function backOut(error: unknown, applying: Applying): Promise<never> {
  const { work, journal } = applying;
  const failure = failureOf(error) ?? notApplied(work.steps[0]?.path ?? '', error);
  const isUntouched = journal.phase === 'staging';
  const settled = await applying.settle().catch(() => applying.disown());
  if (isUntouched) throw new FailureError(failure, { cause: error });
  const { files, differing } = await compareFiles(applying.plan, work.steps, applying.disk);
  const kept = settled?.kept ?? [];
  const left: FilesLeft = { state: 'compared', files, differing, kept, isUnfinished: settled === undefined };
  throw new FailureError(withLeft(failure, left), { cause: error });
}

function withLeft(failure: Failure, left: FilesLeft): Failure {
  if (failure.kind === 'base-changed' || failure.kind === 'edit-not-applied') return { ...failure, left };
  const path = 'path' in failure && failure.path !== undefined ? failure.path : '';
  return { kind: 'edit-not-applied', path, reason: failure.kind.replaceAll('-', ' '), left };
}

async function beginJournal(
  stateDir: AbsPath,
  edit: { readonly id: string; readonly about: string },
  steps: readonly Step[],
  disk: EditDisk,
): Promise<Journal> {
  try {
    return await Journal.begin(stateDir, edit, steps, disk);
  } catch (error) {
    const reason = failureOf(error)?.kind === 'broker-unavailable' ? messageOf(error) : reasonOf(error);
    fail(
      { kind: 'edit-not-applied', path: editsDirectory(stateDir), reason, left: { state: 'untouched' } },
      { cause: error },
    );
  }
}

/** Two edits at once could each find the files as expected. Both have written themselves down, so at least one sees the other. */
async function refuseWhenShared(
  own: Journal,
  steps: readonly Step[],
  stateDir: AbsPath,
  disk: EditDisk,
  table: ProcessTable,
): Promise<void> {
  const paths = new Set(steps.flatMap(namesOf));
  for (const name of await journalsIn(stateDir, disk)) {
    if (name.id === own.id || name.phase === 'done') continue;
    const record = await new Journal(editsDirectory(stateDir), name, disk).read();
    if (record === undefined || record === 'unreadable' || record.owner === undefined) continue;
    const shared = record.steps.flatMap(namesOf).find((path) => paths.has(path));
    if (shared === undefined || !isInUse(record.owner, 0, table)) continue;
    fail({
      kind: 'edit-not-applied',
      path: shared,
      reason: 'another session is just changing it',
      left: { state: 'untouched' },
    });
  }
}

function namesOf(step: Step): readonly string[] {
  return step.kind === 'move' ? [step.path, step.to] : [step.path];
}

async function syncAll(steps: readonly Step[], disk: EditDisk): Promise<void> {
  for (const directory of directoriesOf(steps)) await naming(directory, () => disk.sync(directory));
}

function notApplied(path: string, error: unknown): Failure {
  return { kind: 'edit-not-applied', path, reason: reasonOf(error), left: { state: 'untouched' } };
}

function outcomeOf({ files }: EditPlan): Pick<AppliedEdit, 'created' | 'changed' | 'deleted' | 'renamed'> {
  const of = (kind: 'create' | 'change' | 'delete') =>
    files.flatMap((file) => (file.kind === kind ? [file.path] : []));
  return {
    created: of('create'),
    changed: of('change'),
    deleted: of('delete'),
    renamed: files.flatMap((file) => (file.kind === 'rename' ? [{ from: file.path, to: file.newPath }] : [])),
  };
}
