import { describe, expect, it } from 'vitest';
import { sourcesBelow } from '../../../../src/frontend/workspace/sources-below.ts';
import { isForbidden, listDirectory } from '../../../../src/shared/base/list-directory.ts';
import { createWorkspace } from '../../../support/workspace.ts';

function refusing(code: string, only?: string) {
  return async (directory: string) => {
    if (only !== undefined && directory !== only) return (await listDirectory(directory)).entries;
    throw Object.assign(new Error(code), { code });
  };
}

describe('a directory', () => {
  it.each([
    { code: 'EACCES', expected: true },
    { code: 'EPERM', expected: true },
    { code: 'ENOENT', expected: false },
    { code: 'ENOTDIR', expected: false },
  ])('that answers $code is forbidden: $expected', async ({ code, expected }) => {
    expect(await listDirectory('/w', refusing(code))).toEqual({ entries: [], isForbidden: expected });
  });

  it('is not forbidden by what is no error of the system', () => {
    expect([isForbidden(new Error('EACCES')), isForbidden('EACCES')]).toEqual([false, false]);
  });

  it('that may not be read is named, and the files beside it are found', async () => {
    await using workspace = createWorkspace('//- a.ts\n1\n//- secret/b.ts\n2\n//- open/c.ts\n3\n');
    const below = await sourcesBelow(
      workspace.root,
      () => true,
      new AbortController().signal,
      refusing('EACCES', workspace.file('secret')),
    );
    expect(below).toEqual({
      files: [workspace.file('a.ts'), workspace.file('open/c.ts')],
      isWhole: false,
      forbidden: [workspace.file('secret')],
    });
  });
});
