import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import type { LanguageFamily, ServerOverride } from '../../../../src/shared/languages/family.ts';
import { type FoundServer, findServer, requireServer } from '../../../../src/shared/languages/find-server.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function machine(workspace: Workspace, over: Partial<Environment> = {}): Environment {
  const packageRoot = path.join(workspace.scratch, 'package');
  mkdirSync(packageRoot, { recursive: true });
  return madeUpMachine(workspace, { env: { PATH: workspace.file('bin') }, packageRoot, ...over });
}

function program(file: string, text = '#!/bin/sh\n'): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

function family(id: string): LanguageFamily {
  const found = languageById(id)?.family;
  if (!found) throw new Error(`no family ${id}`);
  return found;
}

function find(
  id: string,
  workspace: Workspace,
  environment = machine(workspace),
  override?: Partial<ServerOverride>,
) {
  const full = override && { env: {}, settings: {}, origin: 'a test', ...override };
  return findServer(family(id), { root: workspace.root, environment }, full);
}

const where = (found: FoundServer | undefined) => found && `${found.place} ${found.launch.executable}`;

test('a server on PATH is found, and what cannot be executed is not', async () => {
  await using workspace = createWorkspace();
  writeFileSync(program(workspace.file('bin/gopls')), '');
  expect(where(find('go', workspace))).toBe(`path ${workspace.file('bin/gopls')}`);
  chmodSync(workspace.file('bin/gopls'), 0o644);
  expect(find('go', workspace)).toBeUndefined();
});

test('relative entries of PATH are not searched', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/gopls'));
  const environment = machine(workspace, {
    env: { PATH: `.:bin::${path.relative(process.cwd(), workspace.file('bin'))}` },
  });
  expect(find('go', workspace, environment)).toBeUndefined();
});

test("Go's own directories are searched after PATH, without running go", async () => {
  await using workspace = createWorkspace();
  const inHome = program(path.join(workspace.home, 'go/bin/gopls'));
  expect(where(find('go', workspace))).toBe(`known-directory ${inHome}`);
  const inGopath = program(path.join(workspace.scratch, 'second/bin/gopls'));
  const gopath = [path.join(workspace.scratch, 'first'), path.join(workspace.scratch, 'second')].join(':');
  expect(where(find('go', workspace, machine(workspace, { env: { GOPATH: gopath } })))).toBe(
    `known-directory ${inGopath}`,
  );
});

test("the project's own server comes before PATH, also from a directory above the root", async () => {
  await using workspace = createWorkspace('//- .git/HEAD\nref\n//- packages/a/package.json\n{}\n');
  const onPath = program(workspace.file('bin/bash-language-server'));
  const own = program(workspace.file('node_modules/.bin/bash-language-server'));
  const root = workspace.file('packages/a');
  const search = { root, environment: machine(workspace) };
  expect(findServer(family('bash'), search)?.launch.executable).toBe(own);
  const bounded = findServer(family('bash'), { ...search, boundary: root });
  expect(bounded?.launch.executable).toBe(onPath);
});

test('scripts for Node run in our Node, by their real path', async () => {
  await using workspace = createWorkspace();
  const script = program(workspace.file('lib/cli.js'), '#!/usr/bin/env node\n');
  mkdirSync(workspace.file('bin'));
  symlinkSync(script, workspace.file('bin/bash-language-server'));
  const found = find('bash', workspace);
  expect(found?.launch).toMatchObject({ executable: '/opt/node', args: [script], binary: { path: script } });
  expect(found?.args).toEqual(['start']);
});

test('the highest clangd-NN is used when there is no clangd', async () => {
  await using workspace = createWorkspace();
  for (const version of [9, 14, 22]) program(workspace.file(`bin/clangd-${version}`));
  program(workspace.file('bin/clangd-format-99'));
  expect(where(find('cpp', workspace))).toBe(`versioned ${workspace.file('bin/clangd-22')}`);
  program(workspace.file('bin/clangd'));
  expect(where(find('c', workspace))).toBe(`path ${workspace.file('bin/clangd')}`);
});

test('a rustup proxy counts only when its toolchain has the component', async () => {
  await using workspace = createWorkspace();
  const cargo = path.join(workspace.home, '.cargo/bin');
  program(path.join(cargo, 'rustup'), 'rustup itself');
  symlinkSync('rustup', path.join(cargo, 'rust-analyzer'));
  const toolchains = path.join(workspace.home, '.rustup/toolchains');
  program(path.join(toolchains, 'nightly-x86_64-unknown-linux-gnu/bin/rust-analyzer'));
  const environment = machine(workspace, { env: { PATH: cargo } });
  writeFileSync(
    path.join(workspace.home, '.rustup/settings.toml'),
    'default_toolchain = "stable-x86_64-unknown-linux-gnu"\n',
  );
  expect(find('rust', workspace, environment)).toBeUndefined();

  const stable = program(path.join(toolchains, 'stable-x86_64-unknown-linux-gnu/bin/rust-analyzer'));
  expect(find('rust', workspace, environment)?.launch.executable).toBe(stable);
  expect(find('rust', workspace, machine(workspace, { env: {} }))?.launch.executable).toBe(stable);

  workspace.write('rust-toolchain.toml', '[toolchain]\nchannel = "nightly"\n');
  expect(find('rust', workspace, environment)?.launch.executable).toContain('nightly-');
});

test('a copied rustup proxy is recognised, and a real rust-analyzer beside it is not mistaken for one', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/rustup'), 'rustup itself');
  program(workspace.file('bin/rust-analyzer'), 'rustup itself');
  expect(find('rust', workspace)).toBeUndefined();
  program(workspace.file('bin/rust-analyzer'), 'a program of its own');
  expect(find('rust', workspace)?.launch.executable).toBe(workspace.file('bin/rust-analyzer'));
});

test('the dart of a Flutter SDK is taken from its cache, past the wrapper that would update itself', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('flutter/bin/dart'));
  const real = program(workspace.file('flutter/bin/cache/dart-sdk/bin/dart'));
  const environment = machine(workspace, { env: { PATH: workspace.file('flutter/bin') } });
  expect(find('dart', workspace, environment)?.launch.executable).toBe(real);
});

test('a variable names the Kotlin server; without it the preferred server comes first', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/kotlin-language-server'));
  expect(find('kotlin', workspace)?.serverId).toBe('kotlin-language-server');
  program(workspace.file('bin/kotlin-lsp'));
  expect(find('kotlin', workspace)).toMatchObject({ serverId: 'kotlin-lsp', args: ['--stdio'] });
  const named = program(workspace.file('elsewhere/kls'));
  const env = { PATH: workspace.file('bin'), PI_LSP_KOTLIN_LSP_PATH: named };
  expect(where(find('kotlin', workspace, machine(workspace, { env })))).toBe(`variable ${named}`);
});

test('xcrun stands in for sourcekit-lsp on macOS only', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/xcrun'));
  expect(find('swift', workspace)).toBeUndefined();
  expect(find('swift', workspace, machine(workspace, { platform: 'darwin' }))?.args).toEqual([
    'sourcekit-lsp',
  ]);
});

test('a configuration file of the root adds arguments only where it exists', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/sqls'));
  expect(find('sql', workspace)?.args).toEqual([]);
  const file = workspace.write('.sqls.yml', '');
  expect(find('sql', workspace)?.args).toEqual(['--config', file]);
});

test('on Windows PATHEXT decides, variables ignore case, and npm shims are seen through', async () => {
  await using workspace = createWorkspace();
  const environment = (PATHEXT?: string) =>
    machine(workspace, {
      platform: 'win32',
      env: {
        Path: `${workspace.file('bin')};${workspace.file('more')}`,
        ComSpec: '/windows/cmd.exe',
        ...(PATHEXT && { PATHEXT }),
      },
    });
  workspace.write('bin/gopls', 'no extension, not executable');
  workspace.write('more/gopls.exe', 'MZ');
  expect(where(find('go', workspace, environment()))).toBe(`path ${workspace.file('more/gopls.exe')}`);
  expect(find('go', workspace, environment('.BAT'))).toBeUndefined();

  const script = workspace.write('node_modules/bash-language-server/out/cli.js', '');
  workspace.write(
    'node_modules/.bin/bash-language-server.cmd',
    '@ECHO off\r\n"%_prog%"  "%dp0%\\..\\bash-language-server\\out\\cli.js" %*\r\n',
  );
  expect(find('bash', workspace, environment())?.launch).toMatchObject({
    executable: '/opt/node',
    args: [script],
  });

  const batch = workspace.write('bin/zls.bat', '@echo off\r\n');
  expect(find('zig', workspace, environment())?.launch).toMatchObject({
    executable: '/windows/cmd.exe',
    args: ['/d', '/c', batch],
  });
});

test('settings that a server wants at its start are sent both ways', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/gopls'));
  const found = find('go', workspace, machine(workspace), { settings: { 'gopls.staticcheck': true } });
  expect(found?.settings).toMatchObject({ gopls: { staticcheck: true, symbolScope: 'workspace' } });
  expect(found?.initializationOptions).toEqual(found?.settings.gopls);
});

test('a configured command replaces the server and keeps what is known about it', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/gopls'));
  const mine = program(workspace.file('mine/gopls'));
  const found = find('go', workspace, machine(workspace), {
    command: [mine, '-v'],
    initializationOptions: { env: {} },
  });
  expect(found).toMatchObject({ serverId: 'gopls', place: 'configured', args: ['-v'] });
  expect(found?.launch.executable).toBe(mine);
  expect(found?.initializationOptions).toMatchObject({ env: {}, symbolScope: 'workspace' });
});

test('an unknown configured server gets no settings of another one', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/pylsp'));
  const found = find('python', workspace, machine(workspace), { command: ['pylsp'] });
  expect(found).toMatchObject({ serverId: 'pylsp', settings: {}, initializationOptions: {} });
});

test('a known server is recognised behind a runner', async () => {
  await using workspace = createWorkspace();
  program(workspace.file('bin/npx'));
  const found = find('python', workspace, machine(workspace), {
    command: ['npx', 'pyright-langserver', '--stdio'],
  });
  expect(found).toMatchObject({ serverId: 'pyright', args: ['pyright-langserver', '--stdio'] });
  expect(found?.launch.executable).toBe(workspace.file('bin/npx'));
});

test('a missing server is reported with the command that installs it', async () => {
  await using workspace = createWorkspace();
  const search = { root: absolutePath(workspace.root), environment: machine(workspace) };
  const failureFrom = (override?: ServerOverride) => {
    try {
      return requireServer(family('go'), search, override);
    } catch (error) {
      return failureOf(error);
    }
  };
  expect(failureFrom()).toEqual({
    kind: 'server-missing',
    language: 'go',
    command: 'gopls',
    install: 'go install golang.org/x/tools/gopls@latest',
  });
  expect(
    failureFrom({ command: ['/no/gopls'], env: {}, settings: {}, origin: 'the command line' }),
  ).toMatchObject({
    kind: 'server-missing',
    command: '/no/gopls',
    install: expect.stringContaining('the command line'),
  });
});
