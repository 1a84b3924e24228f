/** What an edit would do or has done, as a few lines: counts first, then the files. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import type { HeldEdit } from './apply/held-edits.ts';
import type { EditPlan, PlannedChange } from './plan/edit-plan.ts';
import { placeCount } from './plan/edit-plan.ts';
import { unifiedDiff } from './plan/unified-diff.ts';

export interface EditView {
  display(path: AbsPath): string;
  /** Files named one by one; more are only counted. */
  readonly mostFiles?: number;
}

const MOST_FILES = 20;

/** `would change 31 places in 12 files; edit_id e7`, then a line per kind and folder. */
export function previewLines({ id, plan }: Pick<HeldEdit, 'id' | 'plan'>, view: EditView): string[] {
  return [
    `would ${countsOf(plan, 'would')}; edit_id ${id}`,
    ...circumstances(plan, view),
    ...fileLines(plan, view),
  ];
}

/** `changed 31 places in 12 files`. */
export function appliedLines(plan: EditPlan, view: EditView): string[] {
  return [countsOf(plan, 'done'), ...omitted(plan, view), ...fileLines(plan, view)];
}

/** The diff, and how much of it was left out. */
export function diffLines(plan: EditPlan, view: EditView, maxChars?: number): string[] {
  const diff = unifiedDiff(plan, { display: view.display, ...(maxChars === undefined ? {} : { maxChars }) });
  const lines = diff.text === '' ? [] : [diff.text.slice(0, -1)];
  if (diff.cutLines > 0)
    lines.push(
      `… ${counted(diff.cutLines, 'more line')} of the diff in ${counted(diff.cutFiles, 'file')} not shown`,
    );
  return lines;
}

/** One line per file with its count, folders said once where several files are in them. */
function fileLines(plan: EditPlan, { display, mostFiles = MOST_FILES }: EditView): string[] {
  const shown = plan.files.slice(0, mostFiles);
  const folders = new Map<string, string[]>();
  const lines: string[] = [];
  for (const file of shown) {
    if (file.kind !== 'change') {
      lines.push(`  ${describe(file, display)}`);
      continue;
    }
    const name = display(file.path);
    const slash = name.lastIndexOf('/') + 1;
    const folder = name.slice(0, slash);
    const entry = `${name.slice(slash)} (${file.places})`;
    folders.set(folder, [...(folders.get(folder) ?? []), entry]);
  }
  for (const [folder, entries] of folders)
    lines.push(
      entries.length === 1 ? `  ${folder}${entries[0]}` : `  ${folder || './'}: ${entries.join(', ')}`,
    );
  const more = plan.files.length - shown.length;
  if (more > 0) lines.push(`  and ${counted(more, 'more file')}`);
  return lines;
}

function circumstances(plan: EditPlan, view: EditView): string[] {
  const asked = plan.confirmations.map(
    ({ label, description, places }) =>
      `the server asks to confirm: ${label}${description === undefined ? '' : ` (${description})`}, ${counted(places, 'place')}`,
  );
  return [...asked, ...omitted(plan, view)];
}

function omitted({ leftOut }: EditPlan, { display, mostFiles = MOST_FILES }: EditView): string[] {
  if (leftOut.length === 0) return [];
  const named = leftOut.slice(0, mostFiles).map(({ path, places }) => `${display(path)} (${places})`);
  const more = leftOut.length - named.length;
  return [`left out: ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'file')} more` : ''}`];
}

function countsOf(plan: EditPlan, tense: 'would' | 'done'): string {
  const of = (kind: PlannedChange['kind']) => plan.files.filter((file) => file.kind === kind);
  const changes = of('change');
  const say = (verb: string, past: string) => (tense === 'would' ? verb : past);
  const parts: string[] = [];
  if (changes.length > 0) {
    const places = placeCount({ ...plan, files: changes });
    parts.push(
      `${say('change', 'changed')} ${counted(places, 'place')} in ${counted(changes.length, 'file')}`,
    );
  }
  for (const [kind, verb, past] of [
    ['create', 'create', 'created'],
    ['rename', 'rename', 'renamed'],
    ['delete', 'delete', 'deleted'],
  ] as const) {
    const found = of(kind).length;
    if (found > 0) parts.push(`${say(verb, past)} ${counted(found, 'file')}`);
  }
  const { made, dropped } = plan.directories;
  if (made.length > 0) parts.push(`${say('make', 'made')} ${counted(made.length, 'folder')}`);
  if (dropped.length > 0) parts.push(`${say('remove', 'removed')} ${counted(dropped.length, 'folder')}`);
  return parts.length === 0 ? say('change nothing', 'changed nothing') : parts.join(', ');
}

function describe(file: PlannedChange, display: (path: AbsPath) => string): string {
  switch (file.kind) {
    case 'rename': {
      const edits = file.after === null ? '' : `, ${counted(Math.max(file.places, 1), 'place')} changed`;
      return `rename ${display(file.path)} to ${display(file.newPath)}${edits}`;
    }
    case 'create':
      return `create ${display(file.path)}`;
    case 'delete':
      return `delete ${display(file.path)}`;
    case 'change':
      return `${display(file.path)} (${file.places})`;
  }
}
