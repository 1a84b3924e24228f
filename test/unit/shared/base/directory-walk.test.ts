import { describe, expect, it } from 'vitest';
import { DirectoryWalk, type WalkRules } from '../../../../src/shared/base/directory-walk.ts';
import { readSorted } from '../../../../src/shared/base/list-directory.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const TREE = `
//- a/deep/deeper/x.txt
1
//- b/y.txt
2
//- skipped/z.txt
3
//- top.txt
4
`;

async function walked(rules: Partial<WalkRules> = {}) {
  await using workspace = createWorkspace(TREE);
  const walk = new DirectoryWalk(workspace.root, {
    enters: (name) => name !== 'skipped',
    read: readSorted,
    ...rules,
  });
  const files: string[] = [];
  for await (const { inside, entries } of walk)
    for (const entry of entries)
      if (entry.isFile()) files.push(`${inside}${entry.name}`.slice(workspace.root.length + 1));
  return { files, isCut: walk.isCut };
}

describe('a walk through directories', () => {
  it('takes what is near before what is deep, and enters what it is told to', async () => {
    expect(await walked()).toEqual({ files: ['top.txt', 'b/y.txt', 'a/deep/deeper/x.txt'], isCut: false });
  });

  it('says that it was cut, by its bound or by its time', async () => {
    expect(await walked({ mostEntries: 3 })).toEqual({ files: ['top.txt'], isCut: true });
    expect(await walked({ isOver: () => true })).toEqual({ files: [], isCut: true });
  });

  it('names what may not be read', async () => {
    await using workspace = createWorkspace(TREE);
    const refused = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    const walk = new DirectoryWalk(workspace.root, {
      enters: () => true,
      read: (directory) =>
        directory === workspace.file('b') ? Promise.reject(refused) : readSorted(directory),
    });
    for await (const _ of walk);
    expect(walk.forbidden).toEqual([workspace.file('b')]);
  });
});
