/** What neither an agent nor a client can make a folder of a session, whatever they may do otherwise. */
import { symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Roots } from '../../../../src/frontend/workspace/roots.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath, realPath } from '../../../../src/shared/base/paths.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const FILES = '//- a/x.ts\n\n//- b/y.ts\n\n//- b/deep/z.ts\n\n//- c/w.ts\n\n';

function whyNot(roots: Roots, folder: string): string | undefined {
  try {
    roots.requireWithinFence(roots.locate(folder));
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    return failure?.kind === 'not-permitted' ? failure.reason : String(error);
  }
}

describe('the fence around the roots', () => {
  it.runIf(process.platform !== 'win32').each([
    { place: '/', what: 'all of a disk' },
    { place: '/etc', what: 'a directory of the system' },
    { place: '/etc/ssl', what: 'a directory of the system' },
    { place: '/proc/self', what: 'a directory of the system' },
    { place: '/proc/self/cwd/../../etc', what: 'a directory of the system' },
    { place: '/sys', what: 'a directory of the system' },
    { place: '/dev', what: 'a directory of the system' },
    { place: '/home', what: 'a directory of the system' },
    { place: '/usr', what: 'a directory of the system' },
    { place: 'file:///etc', what: 'a directory of the system' },
  ])('keeps $place out, also where nothing else is fixed', async ({ place, what }) => {
    await using workspace = createWorkspace(FILES);
    const roots = new Roots({
      given: [],
      cwd: workspace.file('a'),
      alsoAllowed: [],
      homedir: workspace.home,
    });
    expect(whyNot(roots, place)).toContain(`is ${what} and cannot be a workspace folder`);
  });

  it('keeps a home, what is above it and its keys out, and lets projects in it in', async () => {
    await using workspace = createWorkspace(FILES);
    const { home } = workspace;
    const roots = new Roots({ given: [], cwd: workspace.file('a'), alsoAllowed: [], homedir: home });
    expect(whyNot(roots, home)).toContain('is a home directory');
    expect(whyNot(roots, path.dirname(home))).toContain('is above a home directory');
    expect(whyNot(roots, path.join(home, '.ssh', 'keys'))).toContain('is a place for keys');
    expect(whyNot(roots, path.join(home, 'project'))).toBeUndefined();
    expect(whyNot(roots, path.join(os.tmpdir(), 'project'))).toBeUndefined();
  });

  it('follows links before it judges', async () => {
    await using workspace = createWorkspace(FILES);
    for (const [name, to] of [
      ['keys', os.homedir()],
      ['other', workspace.file('b')],
    ] as const)
      symlinkSync(to, workspace.file(`a/${name}`));
    const roots = new Roots({ given: ['a'], cwd: workspace.root, alsoAllowed: [], homedir: os.homedir() });
    expect(whyNot(roots, workspace.file('a/keys'))).toContain('is a home directory');
    expect(whyNot(roots, workspace.file('a/other'))).toContain('outside of the roots');
    expect(whyNot(roots, workspace.file('a/../b'))).toContain('outside of the roots');
  });

  it('is what -r says, and the folders that the user has opened beside', async () => {
    await using workspace = createWorkspace(FILES);
    const options = { cwd: workspace.root, homedir: workspace.home };
    const fixed = new Roots({ ...options, given: ['a'], alsoAllowed: ['b'] });
    expect(whyNot(fixed, workspace.file('a'))).toBeUndefined();
    expect(whyNot(fixed, workspace.file('b/deep'))).toBeUndefined();
    expect(whyNot(fixed, workspace.file('c'))).toBe(
      `${workspace.file('c')} is outside of the roots that this session was started with (-r ${workspace.file('a')})`,
    );
    const free = new Roots({ ...options, cwd: workspace.file('a'), given: [], alsoAllowed: [] });
    expect(whyNot(free, workspace.file('c'))).toBeUndefined();
  });

  it('holds for what clients name as their roots', async () => {
    await using workspace = createWorkspace(FILES);
    const options = { cwd: workspace.file('a'), alsoAllowed: [], homedir: workspace.home };
    const places = ['/etc', '/proc', '/home'].map((place) => realPath(absolutePath(place)));
    const free = new Roots({ ...options, given: [] });
    expect(free.setClientRoots([...places, workspace.file('b')])).toEqual(places);
    expect(free.folders.map((folder) => folder.path)).toEqual([workspace.file('a'), workspace.file('b')]);
    const fixed = new Roots({ ...options, given: [workspace.file('a')] });
    expect(fixed.setClientRoots([workspace.file('b')])).toEqual([workspace.file('b')]);
    expect(fixed.all).toEqual([workspace.file('a')]);
  });
});
