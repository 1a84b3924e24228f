import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { systemClock } from '../../../../../src/shared/base/lifetime.ts';
import { temporaryName } from '../../../../../src/shared/base/temporary-names.ts';
import type { DiskChange } from '../../../../../src/shared/host/disk/disk-change.ts';
import { isBelowSkipped, watchPatterns } from '../../../../../src/shared/host/disk/watch-patterns.ts';
import { type TableDeps, WorkspaceFiles } from '../../../../../src/shared/host/disk/workspace-files.ts';
import { withOptions } from '../../../../../src/shared/host/protocol/with-options.ts';
import { HiddenDirectories } from '../../../../../src/shared/projects/hidden-directories.ts';
import { createWorkspace, type Workspace } from '../../../../support/workspace.ts';

const TEXT = `
//- a.src
a
//- lib/b.src
b
//- lib/deep/c.src
c
//- notes.txt
nobody's business
//- node_modules/dep/d.src
d
//- .hidden/e.src
e
`;

function tableOf(workspace: Workspace, deps: Partial<TableDeps> = {}): WorkspaceFiles {
  const table = new WorkspaceFiles(workspace.root, {
    clock: systemClock,
    most: 1000,
    interest: (file) => (file.endsWith('.src') ? 'text' : file.endsWith('.bin') ? 'name' : undefined),
    ...deps,
  });
  table.fill(Number.POSITIVE_INFINITY);
  table.serverReadsSince(Number.POSITIVE_INFINITY);
  return table;
}

function said(workspace: Workspace, changes: readonly DiskChange[]): readonly string[] {
  return changes
    .map(({ path: file, type }) => `${type} ${path.relative(workspace.root, file).split(path.sep).join('/')}`)
    .sort();
}

describe('the table of files', () => {
  it('finds what was created, changed and deleted, each once, below the root and outside skipped directories', async () => {
    await using workspace = createWorkspace(TEXT);
    const table = tableOf(workspace);
    expect(table.sweep()).toEqual([]);
    workspace.write('a.src', 'other');
    workspace.write('lib/new.src', 'new');
    workspace.remove('lib/deep/c.src');
    workspace.write('notes.txt', 'other');
    workspace.write('node_modules/dep/d.src', 'other');
    workspace.write('.hidden/e.src', 'other');
    expect(said(workspace, table.sweep())).toEqual([
      'change a.src',
      'create lib/new.src',
      'delete lib/deep/c.src',
    ]);
    expect(table.sweep()).toEqual([]);
  });

  it('finds directories that came, went and were renamed, with all that is in them', async () => {
    await using workspace = createWorkspace(TEXT);
    const table = tableOf(workspace);
    renameSync(workspace.file('lib'), workspace.file('library'));
    workspace.write('x/y/z.src', 'z');
    expect(said(workspace, table.sweep())).toEqual([
      'create library/b.src',
      'create library/deep/c.src',
      'create x/y/z.src',
      'delete lib/b.src',
      'delete lib/deep/c.src',
    ]);
    workspace.write('x/y/z2.src', 'z');
    workspace.remove('library');
    expect(said(workspace, table.sweep())).toEqual([
      'create x/y/z2.src',
      'delete library/b.src',
      'delete library/deep/c.src',
    ]);
    expect(table.sweep()).toEqual([]);
  });

  it('tells a text from another of the same size, time and name that was written in the same tick', async () => {
    await using workspace = createWorkspace('');
    const table = tableOf(workspace);
    const file = workspace.write('a.src', 'a0');
    table.sweep();
    for (let round = 1; round < 200; round++) {
      writeFileSync(file, `a${round % 2}`);
      expect(said(workspace, table.sweep())).toEqual(['change a.src']);
      expect(table.sweep()).toEqual([]);
    }
  });

  it('finds files that were created in the same tick as the last look at their directory', async () => {
    await using workspace = createWorkspace('');
    const table = tableOf(workspace);
    for (let round = 0; round < 200; round++) {
      workspace.write(`${round}.src`, '');
      expect(said(workspace, table.sweep())).toEqual([`create ${round}.src`]);
    }
  });

  it('notices a file whose time was set back, and one that another was moved over', async () => {
    await using workspace = createWorkspace(TEXT);
    const table = tableOf(workspace);
    workspace.write('a.src', 'b');
    utimesSync(workspace.file('a.src'), 1, 1);
    workspace.write('moved.tmp', 'b');
    renameSync(workspace.file('moved.tmp'), workspace.file('lib/b.src'));
    expect(said(workspace, table.sweep())).toEqual(['change a.src', 'change lib/b.src']);
  });

  it('knows a file that became a directory and a directory that became a file', async () => {
    await using workspace = createWorkspace('//- a.src\na\n//- b.src/in.src\nb\n');
    const table = tableOf(workspace);
    rmSync(workspace.file('a.src'));
    rmSync(workspace.file('b.src'), { recursive: true });
    workspace.write('a.src/in.src', 'a');
    workspace.write('b.src', 'b');
    expect(said(workspace, table.sweep())).toEqual([
      'create a.src/in.src',
      'create b.src',
      'delete a.src',
      'delete b.src/in.src',
    ]);
    expect(table.sweep()).toEqual([]);
  });

  it('follows links to files and never links to directories', async () => {
    await using workspace = createWorkspace(TEXT);
    writeFileSync(path.join(workspace.scratch, 'outside.src'), 'one');
    symlinkSync(path.join(workspace.scratch, 'outside.src'), workspace.file('link.src'));
    symlinkSync(workspace.root, workspace.file('loop'));
    symlinkSync(path.join(workspace.scratch, 'nowhere.src'), workspace.file('dangling.src'));
    const table = tableOf(workspace);
    writeFileSync(path.join(workspace.scratch, 'outside.src'), 'two');
    expect(said(workspace, table.sweep())).toEqual(['change link.src']);
  });

  it('looks only where it is told, and says the same as a comparison of everything', async () => {
    await using workspace = createWorkspace(TEXT);
    const table = tableOf(workspace);
    const made = workspace.write('new/deep/n.src', 'n');
    workspace.write('a.src', 'other');
    workspace.remove('lib/b.src');
    expect(said(workspace, table.look([made, workspace.file('lib/b.src')]))).toEqual([
      'create new/deep/n.src',
      'delete lib/b.src',
    ]);
    expect(table.look([made, workspace.file('lib/b.src')])).toEqual([]);
    expect(said(workspace, table.sweep())).toEqual(['change a.src']);
    workspace.remove('new');
    expect(said(workspace, table.look([workspace.file('new')]))).toEqual(['delete new/deep/n.src']);
  });

  it('knows of some files only that they are there, and believes a hint that they changed', async () => {
    await using workspace = createWorkspace('//- old.bin\n1\n');
    const table = tableOf(workspace);
    const old = workspace.write('old.bin', '2');
    const made = workspace.write('new.bin', '1');
    expect(said(workspace, table.sweep())).toEqual(['create new.bin']);
    expect(said(workspace, table.look([old]))).toEqual(['change old.bin']);
    workspace.remove('new.bin');
    expect(said(workspace, table.look([made]))).toEqual(['delete new.bin']);
  });

  it('reports of files first seen after the server began to read those that were written after', async () => {
    await using workspace = createWorkspace(TEXT);
    const old = new Date(Date.now() - 60_000);
    utimesSync(workspace.file('a.src'), old, old);
    const table = new WorkspaceFiles(workspace.root, {
      clock: systemClock,
      most: 1000,
      interest: () => 'text',
    });
    table.serverReadsSince(Date.now() + 60_000);
    expect(table.fill(Number.POSITIVE_INFINITY)).toEqual([]);
    table.serverReadsSince(Date.now());
    workspace.write('lib/late.src', 'late');
    table.interestChanged();
    expect(said(workspace, table.fill(Number.POSITIVE_INFINITY))).toEqual(['create lib/late.src']);
  });

  it('takes on files that begin to matter without reporting them, and what changed meanwhile', async () => {
    await using workspace = createWorkspace(TEXT);
    let extension = '.src';
    const table = tableOf(workspace, {
      interest: (file) => (file.endsWith('.src') || file.endsWith(extension) ? 'text' : undefined),
    });
    extension = '.txt';
    workspace.write('a.src', 'changed before the table is filled again');
    table.interestChanged();
    expect(table.filled).toBe(false);
    expect(said(workspace, table.sweep())).toEqual(['change a.src']);
    workspace.write('notes.txt', 'changed');
    expect(said(workspace, table.sweep())).toEqual(['change notes.txt']);
  });

  it('finds 2,000 files of another branch at once', async () => {
    await using workspace = createWorkspace('');
    const put = (count: number, text: string) => {
      for (let n = 0; n < count; n++) workspace.write(`d${n % 40}/f${n}.src`, text);
    };
    put(1500, 'one');
    const table = tableOf(workspace, { most: 5000 });
    put(2000, 'another');
    for (let n = 0; n < 100; n++) workspace.remove(`d${n % 40}/f${n}.src`);
    const changes = table.sweep();
    const count = (type: string) => changes.filter((change) => change.type === type).length;
    expect([count('create'), count('change'), count('delete')]).toEqual([500, 1400, 100]);
    expect(new Set(changes.map((change) => change.path)).size).toBe(2000);
    expect(table.sweep()).toEqual([]);
  });

  it('says when there is more than it may keep', async () => {
    await using workspace = createWorkspace(TEXT);
    expect(tableOf(workspace, { most: 100 }).tooLarge).toBe(false);
    expect(tableOf(workspace, { most: 3 }).tooLarge).toBe(true);
  });

  it('names each directory before it reads it, and when it is gone', async () => {
    await using workspace = createWorkspace(TEXT);
    const watched = new Set<string>();
    const table = tableOf(workspace, {
      directoryAdded: (directory) => watched.add(path.relative(workspace.root, directory)),
      directoryRemoved: (directory) => watched.delete(path.relative(workspace.root, directory)),
    });
    expect([...watched].sort()).toEqual(['', 'lib', 'lib/deep']);
    workspace.remove('lib');
    mkdirSync(workspace.file('empty'));
    table.sweep();
    expect([...watched].sort()).toEqual(['', 'empty']);
  });
});

describe('what matters to a server', () => {
  const root = '/work [1]/app' as AbsPath;
  const languageIds = { src: 'src', Srcfile: 'src' };
  const plan = { root, language: 'typescript', languageIds };
  const registered = (...watchers: readonly unknown[]) =>
    watchPatterns(plan, [
      { id: '1', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } },
    ]);

  it('is its language, for a server that registers nothing', () => {
    const patterns = watchPatterns(plan, []);
    expect(patterns.interest(`${root}/lib/a.src`)).toBe('text');
    expect(patterns.interest(`${root}/Srcfile`)).toBe('text');
    expect(patterns.interest(`${root}/a.txt`)).toBeUndefined();
    // It may use what the language declares, so it counts that it is there; the server is told nothing.
    expect(patterns.interest(`${root}/App.vue`)).toBe('name');
    expect(patterns.wants(`${root}/App.vue`, 'create')).toBe(false);
    expect(patterns.wants(`${root}/lib/a.src`, 'delete')).toBe(true);
    expect(patterns.wants(`${root}/a.txt`, 'delete')).toBe(false);
  });

  it('is what the server registered, with the kinds it named', () => {
    const patterns = registered(
      { globPattern: '**/*.lock', kind: 1 },
      { globPattern: { baseUri: 'file:///work%20%5B1%5D/app/conf', pattern: '*.{json,toml}' } },
    );
    expect(patterns.interest(`${root}/x/y.lock`)).toBe('text');
    expect(patterns.wants(`${root}/x/y.lock`, 'create')).toBe(true);
    expect(patterns.wants(`${root}/x/y.lock`, 'change')).toBe(false);
    expect(patterns.wants(`${root}/conf/a.toml`, 'change')).toBe(true);
    expect(patterns.wants(`${root}/conf/deep/a.toml`, 'change')).toBe(false);
    expect(patterns.interest(`${root}/lib/a.src`)).toBe('text');
    expect(patterns.wants(`${root}/lib/a.src`, 'change')).toBe(false);
  });

  it('is never a file that only stands beside another while that is written', () => {
    const patterns = registered({ globPattern: '**/*' });
    const file = `${root}/lib/${temporaryName('0123456789ab', 7)}`;
    expect(patterns.interest(file)).toBeUndefined();
    expect(patterns.wants(file, 'create')).toBe(false);
  });

  it('is the text of sources and settings and the presence of the rest, for a server that wants everything', () => {
    for (const globPattern of [
      '**',
      '**/*',
      `${root}/**/*`,
      { baseUri: 'file:///work%20%5B1%5D', pattern: '**' },
    ]) {
      const patterns = registered({ globPattern });
      expect(patterns.interest(`${root}/lib/a.src`)).toBe('text');
      expect(patterns.interest(`${root}/package.json`)).toBe('text');
      expect(patterns.interest(`${root}/photo.png`)).toBe('name');
      expect(patterns.wants(`${root}/photo.png`, 'create')).toBe(true);
    }
  });

  it('is not in directories of dependencies, output and tools', () => {
    expect(isBelowSkipped(`${root}/node_modules/x/a.src`, root)).toBe(true);
    expect(isBelowSkipped(`${root}/.git/a.src`, root)).toBe(true);
    expect(isBelowSkipped(`${root}/.env`, root)).toBe(false);
    expect(isBelowSkipped(`${root}/lib/a.src`, root)).toBe(false);
  });

  it('is in hidden directories of the workspace, and not in those of tools', () => {
    const hidden = new HiddenDirectories(root, systemClock);
    const isSkipped = (file: string) => isBelowSkipped(`${root}/${file}`, root, hidden);
    expect(isSkipped('.storybook/a.src')).toBe(false);
    expect(isSkipped('.storybook/node_modules/a.src')).toBe(true);
    expect(isSkipped('.git/hooks/a.src')).toBe(true);
    expect(isSkipped('lib/.cache/x/a.src')).toBe(true);
  });
});

describe('options of ours for a server', () => {
  it('lie under what was chosen, at every depth', () => {
    const ours = { tsserver: { useClientFileWatcher: true } };
    expect(withOptions(null, ours)).toEqual(ours);
    expect(withOptions({ tsserver: { path: 'x' }, a: 1 }, ours)).toEqual({
      tsserver: { path: 'x', useClientFileWatcher: true },
      a: 1,
    });
    expect(withOptions({ tsserver: { useClientFileWatcher: false } }, ours)).toEqual({
      tsserver: { useClientFileWatcher: false },
    });
    expect(withOptions(null, {})).toBeNull();
  });
});
