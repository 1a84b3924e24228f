/**
 * A plan put on disk, all of it or nothing. New contents are staged beside their files, the steps written down, then
 * the files renamed into place; whatever fails on the way, all files are what they were before. What a killed process
 * leaves is dealt with in recover-edits.ts.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { FailureError, fail, failureOf, messageOf } from '../../shared/base/failure.ts';
import { type ProcessTable, systemProcessTable } from '../../shared/process-identity.ts';
import { type EditDisk, naming, reasonOf, systemDisk } from './edit-disk.ts';
import { type EditPlan, isEmpty, pathsOf } from './edit-plan.ts';
import { directoriesOf, type EditWork, type Step, stepsFor } from './edit-steps.ts';
import { editsDirectory, Journal, journalsIn, newEditId } from './journal.ts';
import { isInUse, type Recovery, recoverEdits, settle } from './recover-edits.ts';
import { stage, takeStep, verifyBackups } from './take-steps.ts';
import type { WriteBoundary } from './write-boundary.ts';

export interface ApplyOptions {
  readonly boundary: WriteBoundary;
  readonly stateDir: AbsPath;
  /** Heeded until the first file is changed. */
  readonly signal?: AbortSignal;
  readonly disk?: EditDisk;
  readonly table?: ProcessTable;
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
}

export async function applyPlan(plan: EditPlan, options: ApplyOptions): Promise<AppliedEdit> {
  const { boundary, stateDir, signal, disk = systemDisk, table = systemProcessTable() } = options;
  const recovered = await naming(editsDirectory(stateDir), () => recoverEdits(stateDir, { disk, table }));
  if (isEmpty(plan)) return { plan, ...outcomeOf(plan), unlinked: [], recovered };
  for (const path of pathsOf(plan)) boundary.verify(path);
  const id = newEditId();
  const work = await stepsFor(plan, id, disk);
  const journal = await beginJournal(stateDir, id, work.steps, disk);
  try {
    await refuseWhenShared(journal, work.steps, stateDir, disk, table);
    await run(work, journal, disk, signal);
  } catch (error) {
    await backOut(error, journal, work.steps, stateDir, disk);
  }
  // From here on it is applied; what cannot be tidied up is, at the next start.
  await settle(journal, work.steps, stateDir, disk).catch(() => journal.disown(work.steps).catch(() => {}));
  return { plan, ...outcomeOf(plan), unlinked: work.unlinked, recovered };
}

async function run(
  { steps, contents, unlinked }: EditWork,
  journal: Journal,
  disk: EditDisk,
  signal: AbortSignal | undefined,
): Promise<void> {
  await stage({ steps, contents, unlinked }, disk);
  await syncAll(steps, disk);
  if (signal?.aborted) fail({ kind: 'cancelled' });
  await journal.advance('applying');
  for (const step of steps)
    await naming(step.kind === 'move' ? step.to : step.path, () => takeStep(step, disk));
  await verifyBackups(steps, disk);
  await syncAll(steps, disk);
  await journal.advance('done');
}

/** Everything is taken back before the failure is told; if that fails as well, it stays written down what is left to do. */
async function backOut(
  error: unknown,
  journal: Journal,
  steps: readonly Step[],
  stateDir: AbsPath,
  disk: EditDisk,
): Promise<never> {
  const failure = failureOf(error) ?? notApplied(steps[0]?.path ?? '', error);
  const path = 'path' in failure ? failure.path : '';
  const reason = failure.kind === 'edit-not-applied' ? failure.reason : failure.kind.replaceAll('-', ' ');
  const foreign = await settle(journal, steps, stateDir, disk).catch(() => undefined);
  if (foreign === undefined) {
    await journal.disown(steps).catch(() => {});
    throw new FailureError({ kind: 'edit-not-applied', path, reason, restored: false }, { cause: error });
  }
  if (foreign.length === 0) throw new FailureError(failure, { cause: error });
  const left = foreign.map(
    (each) =>
      `${each.path}: ${each.what}${each.kept === undefined ? '' : `, its old content is in ${each.kept}`}`,
  );
  const whole = `${reason}; left as it is: ${left.join('; ')}`;
  throw new FailureError({ kind: 'edit-not-applied', path, reason: whole, restored: true }, { cause: error });
}

async function beginJournal(
  stateDir: AbsPath,
  id: string,
  steps: readonly Step[],
  disk: EditDisk,
): Promise<Journal> {
  try {
    return await Journal.begin(stateDir, id, steps, disk);
  } catch (error) {
    const reason = failureOf(error)?.kind === 'broker-unavailable' ? messageOf(error) : reasonOf(error);
    fail(
      { kind: 'edit-not-applied', path: editsDirectory(stateDir), reason, restored: true },
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
      restored: true,
    });
  }
}

function namesOf(step: Step): readonly string[] {
  return step.kind === 'move' ? [step.path, step.to] : [step.path];
}

async function syncAll(steps: readonly Step[], disk: EditDisk): Promise<void> {
  for (const directory of directoriesOf(steps)) await naming(directory, () => disk.sync(directory));
}

function notApplied(path: string, error: unknown) {
  return { kind: 'edit-not-applied', path, reason: reasonOf(error), restored: true } as const;
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
