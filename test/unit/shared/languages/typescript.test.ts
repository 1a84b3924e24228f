import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { findServer } from '../../../../src/shared/languages/find-server.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

/** A machine whose agent-lsp brings TypeScript 7 and typescript-language-server, all made of empty files. */
function machine(workspace: Workspace, over: Partial<Environment> = {}): Environment {
  const packageRoot = path.join(workspace.scratch, 'agent-lsp');
  plantTypescript7(workspace, packageRoot);
  plant(workspace, `${packageRoot}/node_modules/typescript-language-server/package.json`, {
    name: 'typescript-language-server',
    version: '5.3.0',
    bin: { 'typescript-language-server': 'lib/cli.mjs' },
  });
  workspace.write(`${packageRoot}/node_modules/typescript-language-server/lib/cli.mjs`, '');
  return madeUpMachine(workspace, { env: {}, packageRoot, ...over });
}

function plant(workspace: Workspace, file: string, content: unknown): void {
  workspace.write(file, JSON.stringify(content));
}

function plantTypescript7(workspace: Workspace, project: string): string {
  const directory = `${project}/node_modules`;
  plant(workspace, `${directory}/typescript/package.json`, {
    name: 'typescript',
    version: '7.0.2',
    bin: { tsc: 'bin/tsc' },
  });
  workspace.write(`${directory}/typescript/bin/tsc`, '#!/usr/bin/env node\n');
  plant(workspace, `${directory}/@typescript/typescript-linux-x64/package.json`, { version: '7.0.2' });
  const binary = workspace.write(`${directory}/@typescript/typescript-linux-x64/lib/tsc`, 'native');
  chmodSync(binary, 0o755);
  return binary;
}

function plantTypescript(workspace: Workspace, project: string, version: string): string {
  const directory = `${project}/node_modules/typescript`;
  plant(workspace, `${directory}/package.json`, { name: 'typescript', version });
  workspace.write(`${directory}/lib/typescript.js`, `// ${version}`);
  return workspace.write(`${directory}/lib/tsserver.js`, '');
}

function find(workspace: Workspace, environment: Environment, root = workspace.root) {
  const family = languageById('javascript')?.family;
  if (!family) throw new Error('no family');
  return findServer(family, { root, environment });
}

test('without a TypeScript of its own a project gets the embedded native one, with no Node in between', async () => {
  await using workspace = createWorkspace();
  const environment = machine(workspace);
  expect(find(workspace, environment)).toMatchObject({
    serverId: 'typescript-7',
    place: 'embedded',
    args: ['--lsp', '--stdio'],
    launch: {
      executable: `${environment.packageRoot}/node_modules/@typescript/typescript-linux-x64/lib/tsc`,
      args: [],
    },
  });
});

test("a project's own TypeScript 7 is preferred to the embedded one", async () => {
  await using workspace = createWorkspace();
  const own = plantTypescript7(workspace, workspace.root);
  expect(find(workspace, machine(workspace))).toMatchObject({
    place: 'project',
    launch: { executable: own },
  });
});

test('without the platform package the script of TypeScript 7 runs in our Node', async () => {
  await using workspace = createWorkspace();
  plantTypescript7(workspace, workspace.root);
  expect(find(workspace, machine(workspace, { arch: 'riscv64' }))?.launch).toMatchObject({
    executable: '/opt/node',
    args: [workspace.file('node_modules/typescript/bin/tsc')],
  });
});

test.each(['5.9.3', '6.0.1'])(
  "TypeScript %s is served by typescript-language-server with the project's tsserver",
  async (version) => {
    await using workspace = createWorkspace();
    const tsserver = plantTypescript(workspace, workspace.root, version);
    const found = find(workspace, machine(workspace));
    expect(found).toMatchObject({
      serverId: 'typescript-language-server',
      place: 'embedded',
      args: ['--stdio'],
    });
    expect(found?.launch.executable).toBe('/opt/node');
    expect(found?.initializationOptions).toMatchObject({
      tsserver: { path: tsserver, useSyntaxServer: 'never' },
    });
  },
);

test("an upgrade of the project's TypeScript changes the identity of its server", async () => {
  await using workspace = createWorkspace();
  plantTypescript(workspace, workspace.root, '5.9.3');
  const before = find(workspace, machine(workspace))?.launch.binary;
  plantTypescript(workspace, workspace.root, '5.10.11');
  expect(find(workspace, machine(workspace))?.launch.binary).not.toEqual(before);
});

test('a package of a monorepo uses the TypeScript that is installed above it', async () => {
  await using workspace = createWorkspace('//- .git/HEAD\n\n//- packages/a/package.json\n{}\n');
  const tsserver = plantTypescript(workspace, workspace.root, '5.9.3');
  const found = find(workspace, machine(workspace), workspace.file('packages/a'));
  expect(found?.initializationOptions).toMatchObject({ tsserver: { path: tsserver } });
});

test("Yarn's SDK directory counts as the project's TypeScript", async () => {
  await using workspace = createWorkspace();
  plant(workspace, '.yarn/sdks/typescript/package.json', { name: 'typescript', version: '5.8.2-sdk' });
  const tsserver = workspace.write('.yarn/sdks/typescript/lib/tsserver.js', '');
  expect(find(workspace, machine(workspace))?.initializationOptions).toMatchObject({
    tsserver: { path: tsserver },
  });
});

test('half an installation of TypeScript is none', async () => {
  await using workspace = createWorkspace('//- node_modules/typescript/package.json\n{"version": \n');
  expect(find(workspace, machine(workspace))?.place).toBe('embedded');
});

test('a Deno project is served by deno or not at all', async () => {
  await using workspace = createWorkspace('//- deno.json\n{}\n');
  expect(find(workspace, machine(workspace))).toBeUndefined();
  const deno = workspace.write(`${workspace.home}/.deno/bin/deno`, '');
  chmodSync(deno, 0o755);
  expect(find(workspace, machine(workspace))).toMatchObject({
    serverId: 'deno',
    args: ['lsp'],
    launch: { executable: deno },
    initializationOptions: { enable: true },
  });
  workspace.write('package.json', '{}');
  expect(find(workspace, machine(workspace))?.serverId).toBe('typescript-7');
});

test('the Vue server is told where the TypeScript library of the project is', async () => {
  await using workspace = createWorkspace();
  plantTypescript(workspace, workspace.root, '5.9.3');
  chmodSync(workspace.write('node_modules/.bin/vue-language-server', ''), 0o755);
  const family = languageById('vue')?.family;
  const found = family && findServer(family, { root: workspace.root, environment: machine(workspace) });
  expect(found?.initializationOptions).toMatchObject({
    typescript: { tsdk: workspace.file('node_modules/typescript/lib') },
  });
});
