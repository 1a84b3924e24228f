import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { findServer } from '../../../../src/shared/languages/find-server.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function machine(workspace: Workspace, over: Partial<Environment> = {}): Environment {
  const packageRoot = path.join(workspace.scratch, 'agent-lsp');
  workspace.write(
    `${packageRoot}/node_modules/pyright/package.json`,
    JSON.stringify({ version: '1.1.414', bin: { 'pyright-langserver': 'langserver.index.js' } }),
  );
  workspace.write(`${packageRoot}/node_modules/pyright/langserver.index.js`, '');
  const env = { PATH: workspace.file('bin') };
  return madeUpMachine(workspace, { env, packageRoot, ...over });
}

function program(workspace: Workspace, name: string, text = '#!/bin/sh\n'): string {
  const file = workspace.write(name, text);
  chmodSync(file, 0o755);
  return file;
}

function virtualEnvironment(workspace: Workspace, directory: string): string {
  workspace.write(`${directory}/pyvenv.cfg`, 'home = /usr/bin\n');
  return program(workspace, `${directory}/bin/python`);
}

function find(workspace: Workspace, environment = machine(workspace), root = workspace.root) {
  const family = languageById('py')?.family;
  if (!family) throw new Error('no family');
  return findServer(family, { root, environment });
}

const pythonPath = (...args: Parameters<typeof find>) => find(...args)?.settings.python;

test('pyright and basedpyright of the project, then of PATH, then the embedded pyright', async () => {
  await using workspace = createWorkspace();
  const chosen = () => {
    const found = find(workspace);
    return `${found?.place} ${found?.serverId}`;
  };
  expect(chosen()).toBe('embedded pyright');
  program(workspace, 'bin/basedpyright-langserver');
  expect(chosen()).toBe('path basedpyright');
  program(workspace, 'bin/pyright-langserver');
  expect(chosen()).toBe('path pyright');
  program(workspace, 'node_modules/.bin/basedpyright-langserver');
  expect(chosen()).toBe('project basedpyright');
  program(workspace, 'node_modules/.bin/pyright-langserver');
  expect(chosen()).toBe('project pyright');
});

test('the wrapper from the Python package index, which would download pyright, is passed over', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'bin/pyright-langserver', '#!/usr/bin/python3.11\nimport pyright\n');
  const found = find(workspace);
  expect(found?.place).toBe('embedded');
  expect(found?.launch).toMatchObject({
    executable: '/opt/node',
    args: [expect.stringMatching(/langserver\.index\.js$/)],
  });
});

test('only open files are checked unless the user says otherwise', async () => {
  await using workspace = createWorkspace();
  expect(find(workspace)?.settings).toMatchObject({
    python: { analysis: { diagnosticMode: 'openFilesOnly' } },
  });
});

test.each(['.venv', 'venv', 'env'])('the environment in %s is passed on', async (name) => {
  await using workspace = createWorkspace();
  const python = virtualEnvironment(workspace, name);
  expect(pythonPath(workspace)).toMatchObject({ pythonPath: python });
});

test('a directory called env that is no environment is ignored', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'env/bin/python');
  expect(pythonPath(workspace)).not.toHaveProperty('pythonPath');
});

test('an environment of the project comes before an activated one, which comes before conda', async () => {
  await using workspace = createWorkspace();
  const conda = program(workspace, `${workspace.scratch}/conda/bin/python`);
  workspace.write(`${workspace.scratch}/conda/conda-meta/history`, '');
  const CONDA_PREFIX = path.join(workspace.scratch, 'conda');
  expect(pythonPath(workspace, machine(workspace, { env: { CONDA_PREFIX } }))).toMatchObject({
    pythonPath: conda,
  });

  const VIRTUAL_ENV = path.join(workspace.scratch, 'active');
  const active = virtualEnvironment(workspace, VIRTUAL_ENV);
  const env = { CONDA_PREFIX, VIRTUAL_ENV };
  expect(pythonPath(workspace, machine(workspace, { env }))).toMatchObject({ pythonPath: active });

  const own = virtualEnvironment(workspace, '.venv');
  expect(pythonPath(workspace, machine(workspace, { env }))).toMatchObject({ pythonPath: own });
});

test('a member of a workspace uses the environment above it', async () => {
  await using workspace = createWorkspace('//- .git/HEAD\n\n//- packages/a/pyproject.toml\n\n');
  const python = virtualEnvironment(workspace, '.venv');
  expect(pythonPath(workspace, machine(workspace), workspace.file('packages/a'))).toMatchObject({
    pythonPath: python,
  });
});

test('on Windows the interpreter is in Scripts', async () => {
  await using workspace = createWorkspace();
  workspace.write('.venv/pyvenv.cfg', '');
  const python = workspace.write('.venv/Scripts/python.exe', '');
  expect(pythonPath(workspace, machine(workspace, { platform: 'win32' }))).toMatchObject({
    pythonPath: python,
  });
});
