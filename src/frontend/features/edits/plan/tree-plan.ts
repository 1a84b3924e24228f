/** The plan that leads from the files on disk to the files of an edit tree, by as few changes as possible. */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import type { EditPlan, PlannedChange } from './edit-plan.ts';
import type { EditTree, FileNode } from './edit-tree.ts';

/** A file that keeps its content and finds its new name free is renamed; otherwise texts are written and names removed. */
export async function planFromTree(tree: EditTree): Promise<Pick<EditPlan, 'files' | 'directories'>> {
  const files: PlannedChange[] = [];
  const made: AbsPath[] = [];
  const dropped: AbsPath[] = [];
  const moved = new Set<AbsPath>();
  const touched = [...tree.touched].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, node] of touched) {
    const before = await beforeAt(tree, path, node);
    if (node.kind === 'directory') {
      if (before !== 'directory') made.push(path);
      continue;
    }
    if (before === 'directory') dropped.push(path);
    if (node.kind === 'absent') continue;
    const change = before === 'file' ? await changed(tree, path, node) : await appeared(tree, path, node);
    if (change?.kind === 'rename') moved.add(change.path);
    if (change) files.push(change);
  }
  for (const [path, node] of touched) {
    if (node.kind === 'file' || moved.has(path) || (await tree.onDisk(path)).kind !== 'file') continue;
    files.push({ kind: 'delete', path, before: await tree.baseOrOpaque(path), places: 0 });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, directories: { made, dropped: dropped.reverse() } };
}

/** A new spelling of a name is no file that was there before. */
async function beforeAt(
  tree: EditTree,
  path: AbsPath,
  node: { kind: string; from?: AbsPath | undefined },
): Promise<'file' | 'directory' | 'absent'> {
  if (node.from !== undefined && node.from !== path && (await tree.isSameEntry(node.from, path)))
    return 'absent';
  return (await tree.onDisk(path)).kind;
}

async function changed(tree: EditTree, path: AbsPath, node: FileNode): Promise<PlannedChange | undefined> {
  if (node.from === path && node.text === undefined) return undefined;
  const before = await tree.base(path);
  const after = node.text ?? (node.from === undefined ? '' : (await tree.base(node.from)).text);
  if (after === before.text) return undefined;
  return { kind: 'change', path, before, after, places: Math.max(node.places, 1) };
}

async function appeared(tree: EditTree, path: AbsPath, node: FileNode): Promise<PlannedChange> {
  const { from, text, places } = node;
  if (from === undefined) return { kind: 'create', path, after: text ?? '', places };
  const source = (await tree.at(from)).kind;
  if (source !== 'absent') {
    // Something else has taken its old name meanwhile.
    const base = await tree.base(from);
    return {
      kind: 'create',
      path,
      after: text ?? base.text,
      like: { bom: base.bom, mode: base.mode },
      places,
    };
  }
  if (text !== undefined) {
    const before = await tree.base(from);
    const after = text === before.text ? null : text;
    return { kind: 'rename', path: from, newPath: path, before, after, places };
  }
  const before = node.inFolder ? ({ hash: null } as const) : await tree.baseOrOpaque(from);
  return { kind: 'rename', path: from, newPath: path, before, after: null, places };
}
