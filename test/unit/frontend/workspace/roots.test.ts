import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { createWorkspace } from '../../../support/workspace.ts';

function failureIn(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('did not fail');
}

describe('the roots of a session', () => {
  it('are the working directory, or what was given instead of it', async () => {
    await using workspace = createWorkspace('//- a/x.ts\n\n//- b/y.ts\n\n');
    const cwd = workspace.root;
    expect(new Roots({ given: [], cwd, alsoAllowed: [] }).all).toEqual([cwd]);
    const given = new Roots({ given: ['a'], cwd, alsoAllowed: ['b'] });
    expect(given.all).toEqual([workspace.file('a'), workspace.file('b')]);
    expect(given.primary).toBe(workspace.file('a'));
  });

  it('take absolute paths, paths relative to any root, and file URIs', async () => {
    await using workspace = createWorkspace('//- a/x.ts\n\n//- b/y.ts\n\n');
    const roots = new Roots({ given: ['a', 'b'], cwd: workspace.root, alsoAllowed: [] });
    for (const path of ['x.ts', workspace.file('a/x.ts'), `file://${workspace.file('a/x.ts')}`])
      expect(roots.resolve(path)).toBe(workspace.file('a/x.ts'));
    expect(roots.resolve(`FILE://${workspace.file('a/x.ts')}`)).toBe(workspace.file('a/x.ts'));
    for (const address of ['file://elsewhere.example/x.ts', 'file:///a%2Fx.ts', 'FILE:///bad%E0%A4%A.ts'])
      expect(
        failureIn(() => roots.resolve(address)),
        address,
      ).toMatchObject({
        kind: 'invalid-input',
        message: expect.stringContaining('is the address of no file on this machine'),
      });
    expect(roots.resolve('y.ts')).toBe(workspace.file('b/y.ts'));
    expect(roots.resolve('missing.ts')).toBe(workspace.file('a/missing.ts'));
  });

  it('refuse what lies outside, also behind symlinks and for files that do not exist yet', async () => {
    await using workspace = createWorkspace('//- a/x.ts\n\n//- secret/y.ts\n\n');
    const roots = new Roots({ given: ['a'], cwd: workspace.root, alsoAllowed: [] });
    symlinkSync(workspace.file('secret'), workspace.file('a/way-out'));
    for (const path of [
      '../secret/y.ts',
      'way-out/y.ts',
      'way-out/new.ts',
      '/etc/passwd',
      `${workspace.file('a')}-2/z.ts`,
    ])
      expect(failureIn(() => roots.resolve(path))).toMatchObject({ kind: 'outside-roots', path });
    for (const path of ['', '  ', 'x\0.ts'])
      expect(failureIn(() => roots.resolve(path))).toMatchObject({ kind: 'invalid-input' });
  });

  it('see a symlinked root and its files by their real paths', async () => {
    await using workspace = createWorkspace('//- real/x.ts\n\n');
    symlinkSync(workspace.file('real'), workspace.file('alias'));
    const roots = new Roots({ given: ['alias'], cwd: workspace.root, alsoAllowed: [] });
    expect(roots.primary).toBe(workspace.file('real'));
    expect(roots.resolve(workspace.file('alias/x.ts'))).toBe(workspace.file('real/x.ts'));
  });

  it('know the innermost root around a file', async () => {
    await using workspace = createWorkspace('//- a/b/x.ts\n\n');
    mkdirSync(workspace.file('a/b'), { recursive: true });
    const roots = new Roots({ given: ['a', 'a/b'], cwd: workspace.root, alsoAllowed: [] });
    expect(roots.around(workspace.file('a/b/x.ts'))).toBe(workspace.file('a/b'));
    expect(roots.around(workspace.file('a/y.ts'))).toBe(workspace.file('a'));
  });
});
