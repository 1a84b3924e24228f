/** What an edit that was not applied has left: every file it would have touched, compared with what it was before. */
import type { DifferingFile } from '../../../../shared/base/failure.ts';
import { type Base, contentOf, type EditPlan, type PlannedChange } from '../plan/edit-plan.ts';
import type { Step } from '../plan/edit-steps.ts';
import type { DiskReader } from './edit-disk.ts';

interface Expected {
  readonly path: string;
  /** What was there; undefined where nothing was, null where it was not looked into. */
  readonly before: Buffer | undefined | null;
  /** What the edit would have put there. */
  readonly after: Buffer | undefined;
}

/** The files were what the plan says when it was begun to apply it: that is checked before the first one is touched. */
export async function compareFiles(
  plan: EditPlan,
  steps: readonly Step[],
  disk: DiskReader,
): Promise<{ readonly files: number; readonly differing: readonly DifferingFile[] }> {
  const expected = expectedOf(plan.files);
  const differing: DifferingFile[] = [];
  for (const each of expected) {
    const holds = await holdsNow(each, disk).catch(() => 'unknown' as const);
    if (holds !== 'same') differing.push({ path: each.path, holds });
  }
  for (const step of steps) {
    if (step.kind !== 'make-directory' && step.kind !== 'drop-directory') continue;
    const isThere = (await disk.entry(step.path).catch(() => undefined)) !== undefined;
    if (isThere === (step.kind === 'drop-directory')) continue;
    differing.push({ path: step.path, holds: isThere ? 'others' : 'nothing' });
  }
  return { files: expected.length, differing };
}

/** A name that one change frees and another takes was there before. */
function expectedOf(files: readonly PlannedChange[]): readonly Expected[] {
  const expected = new Map<string, Expected>();
  for (const file of files) {
    const before = file.kind === 'create' ? undefined : contentBefore(file.before);
    const bom =
      file.kind === 'create' ? (file.like?.bom ?? false) : file.before.hash !== null && file.before.bom;
    const after = file.kind === 'change' || file.kind === 'create' ? contentOf(file.after, bom) : undefined;
    expected.set(file.path, { path: file.path, before, after });
  }
  for (const file of files) {
    if (file.kind !== 'rename' || expected.has(file.newPath) || isSpelling(file.path, file.newPath)) continue;
    const { newPath: path, after, before } = file;
    const text = after ?? (before.hash === null ? undefined : before.text);
    const bom = before.hash !== null && before.bom;
    expected.set(path, {
      path,
      before: undefined,
      after: text === undefined ? undefined : contentOf(text, bom),
    });
  }
  return [...expected.values()];
}

async function holdsNow(
  { path, before, after }: Expected,
  disk: DiskReader,
): Promise<DifferingFile['holds'] | 'same'> {
  const entry = await disk.entry(path);
  if (!entry) return before === undefined ? 'same' : 'nothing';
  if (before === null) return 'same';
  if (entry.kind !== 'file') return 'others';
  const now = await disk.read(path);
  if (before?.equals(now)) return 'same';
  if (after?.equals(now)) return 'edit';
  return after && isPartOf(after, { now, before }) ? 'both' : 'others';
}

/** By lines: whether something that the edit adds is there, or, where it only removes, something that it removes is not. */
function isPartOf(after: Buffer, { now, before }: { now: Buffer; before: Buffer | undefined }): boolean {
  const [new_, old, found] = [after, before ?? Buffer.of(), now].map((content) => counted(content));
  if (!new_ || !old || !found) return false;
  const of = (lines: ReadonlyMap<string, number>, line: string) => lines.get(line) ?? 0;
  const added = [...new_.keys()].filter((line) => of(new_, line) > of(old, line));
  if (added.length > 0) return added.some((line) => of(found, line) > of(old, line));
  return [...old.keys()].some((line) => of(new_, line) < of(old, line) && of(found, line) < of(old, line));
}

function counted(content: Buffer): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of content.toString('utf8').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function contentBefore(base: Base): Buffer | null {
  return base.hash === null ? null : contentOf(base.text, base.bom);
}

function isSpelling(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
