/** Paths and URIs, and what lies inside what. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import {
  absolutePath,
  displayPath,
  isInside,
  pathToUri,
  realPath,
  uriToPath,
} from '../../../../src/shared/base/paths.ts';
import { createWorkspace } from '../../../support/workspace.ts';

describe('paths', () => {
  it('makes URIs with every odd character escaped, and back', () => {
    const file = absolutePath('/tmp/with space/ünï#1?%20.ts');
    expect(pathToUri(file)).toBe('file:///tmp/with%20space/%C3%BCn%C3%AF%231%3F%2520.ts');
    expect(uriToPath(pathToUri(file))).toBe(file);
  });

  it('understands spellings of other programs and leaves other schemes alone', () => {
    expect(uriToPath('file:///tmp/a%2Bb.ts')).toBe('/tmp/a+b.ts');
    expect(uriToPath('jdt://contents/x.class')).toBeUndefined();
    expect(uriToPath('file:///bad%E0%A4%A.ts')).toBeUndefined();
  });

  it('keeps Windows drives, however a server spells them', () => {
    const file = 'C:\\code\\with space\\a.ts' as AbsPath;
    expect(pathToUri(file, true)).toBe('file:///C:/code/with%20space/a.ts');
    for (const uri of [
      'file:///C:/code/with%20space/a.ts',
      'file:///c:/code/with%20space/a.ts',
      'file:///c%3A/code/with%20space/a.ts',
    ])
      expect(uriToPath(uri, true), uri).toBe(file);
    expect(uriToPath('file://server/share/a.ts', true)).toBe('\\\\server\\share\\a.ts');
  });

  it('does not take a common prefix for a common directory', () => {
    expect(isInside('/root/a', '/root')).toBe(true);
    expect(isInside('/root', '/root')).toBe(true);
    expect(isInside('/root-other/a', '/root')).toBe(false);
    expect(isInside('/root/../etc', '/root')).toBe(false);
    expect(isInside('/root/..hidden', '/root')).toBe(true);
  });

  it('resolves links also for a file that does not exist yet', async () => {
    await using workspace = createWorkspace();
    mkdirSync(workspace.file('real'));
    symlinkSync('real', workspace.file('link'));
    writeFileSync(workspace.file('real/there.txt'), '');
    expect(realPath(workspace.file('link/there.txt'))).toBe(workspace.file('real/there.txt'));
    expect(realPath(workspace.file('link/new/deep.txt'))).toBe(workspace.file('real/new/deep.txt'));
  });

  it('shows paths relative to the root and absolute outside it', () => {
    const root = absolutePath('/root');
    expect(displayPath(absolutePath('/root/src/a.ts'), root)).toBe('src/a.ts');
    expect(displayPath(absolutePath('/else/a.ts'), root)).toBe('/else/a.ts');
  });
});
