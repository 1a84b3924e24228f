import { chmodSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { type DetectRequest, detectServers } from '../../../../src/shared/languages/detect.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { languageTable } from '../../../../src/shared/languages/table.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function machine(workspace: Workspace): Environment {
  return madeUpMachine(workspace, { env: { PATH: path.join(workspace.scratch, 'bin') } });
}

function program(workspace: Workspace, name: string): string {
  const file = workspace.write(path.join(workspace.scratch, 'bin', name), '');
  chmodSync(file, 0o755);
  return file;
}

function detect(workspace: Workspace, over: Partial<DetectRequest> = {}) {
  return detectServers({
    directory: workspace.root,
    families: languageTable,
    overrides: new Map(),
    environment: machine(workspace),
    ...over,
  });
}

test('project files weigh 50, source files 1, and the highest score comes first', async () => {
  await using workspace = createWorkspace(`
  //- go.mod
  module x
  //- a.go
  package a
  //- b/b.go
  package b
  //- tool.py
  x = 1
  //- c.rs
  `);
  const { languages, cut, entriesSeen } = await detect(workspace);
  expect(languages.map(({ family, score }) => [family.id, score])).toEqual([
    ['go', 53],
    ['python', 1],
    ['rust', 1],
  ]);
  expect([cut, entriesSeen]).toEqual([false, 6]);
});

test('a package.json alone means TypeScript, not every framework that uses one', async () => {
  await using workspace = createWorkspace('//- package.json\n{}\n//- src/x.ts\n\n');
  const ids = (await detect(workspace)).languages.map(({ family }) => family.id);
  expect(ids).toEqual(['typescript', 'json']);
  workspace.write('src/App.vue', '');
  expect((await detect(workspace)).languages.map(({ family }) => family.id)).toContain('vue');
});

test('what others wrote and what was generated does not count', async () => {
  await using workspace = createWorkspace('//- a.go\n\n');
  for (const name of [
    'node_modules',
    'target',
    'build',
    'dist',
    'vendor',
    '__pycache__',
    'venv',
    '.tox',
    '.hidden',
  ]) {
    workspace.write(`${name}/deep/x.py`, '');
  }
  symlinkSync(workspace.root, workspace.file('loop'));
  expect((await detect(workspace)).languages.map(({ family }) => family.id)).toEqual(['go']);
});

test('servers are reported with an entry for the command line, missing ones with their installation', async () => {
  await using workspace = createWorkspace('//- a.go\n\n//- a.lua\n\n//- a.php\n\n//- a.cpp\n\n//- x.sql\n\n');
  const gopls = program(workspace, 'gopls');
  const clangd = program(workspace, 'clangd-19');
  const detection = await detect(workspace);
  expect(detection.installed).toEqual([
    {
      language: 'cpp',
      server: 'clangd',
      path: clangd,
      place: 'versioned',
      configEntry: `cpp:${clangd},--limit-references=0,--limit-results=0,--rename-file-limit=0,--completion-parse=always,--use-dirty-headers`,
    },
    { language: 'go', server: 'gopls', path: gopls, place: 'path', configEntry: 'go:gopls' },
  ]);
  expect(detection.suggestedConfig).toEqual(detection.installed.map((server) => server.configEntry));
  expect(detection.notInstalled).toContainEqual({
    language: 'php',
    server: 'intelephense',
    install: 'npm install --global intelephense',
  });
});

test('a configured server is the one that is looked for', async () => {
  await using workspace = createWorkspace('//- a.go\n\n');
  const overrides = new Map([['go', { command: ['my-gopls'] as const, env: {}, settings: {}, origin: 'x' }]]);
  expect((await detect(workspace, { overrides })).notInstalled).toMatchObject([{ server: 'my-gopls' }]);
  const mine = program(workspace, 'my-gopls');
  expect((await detect(workspace, { overrides })).installed).toMatchObject([
    { path: mine, place: 'configured' },
  ]);
});

test('a walk that hits its limit says so, and has seen the upper levels first', async () => {
  await using workspace = createWorkspace('//- a/deep/x.py\n\n//- a/deep/y.py\n\n//- b.go\n\n');
  const detection = await detect(workspace, { entryLimit: 2 });
  expect(detection.cut).toBe(true);
  expect(detection.languages.map(({ family }) => family.id)).toEqual(['go']);
});

test('a directory that is not there is a failure, not an empty answer', async () => {
  await using workspace = createWorkspace('//- file.go\n\n');
  const failureFor = (name: string) =>
    detect(workspace, { directory: workspace.file(name) }).catch((error: unknown) => failureOf(error)?.kind);
  expect(await failureFor('nowhere')).toBe('no-such-file');
  expect(await failureFor('file.go')).toBe('invalid-input');
});

test('a detection can be cancelled', async () => {
  await using workspace = createWorkspace('//- file.go\n\n');
  const outcome = detect(workspace, { signal: AbortSignal.abort() });
  expect(failureOf(await outcome.catch((error: unknown) => error))).toEqual({ kind: 'cancelled' });
});

test('a file that only tells where a project begins does not mean its language without a source', async () => {
  await using workspace = createWorkspace(
    '//- Makefile\nall:\n//- tox.ini\n\n//- go.mod\nmodule x\n//- a.go\n\n',
  );
  const ids = async () => (await detect(workspace)).languages.map(({ family }) => family.id);
  expect(await ids()).toEqual(['go']);
  workspace.write('native/a.c', '');
  expect((await ids()).toSorted()).toEqual(['cpp', 'go']);
});
