/** On this machine, from this checkout: what a user gets who has installed nothing but agent-lsp. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { currentEnvironment, packageRootOf } from '../../../../src/shared/languages/environment.ts';
import { findServer } from '../../../../src/shared/languages/find-server.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const packageRoot = packageRootOf(import.meta.filename);
const environment = { ...currentEnvironment(packageRoot), env: {} };

function findFor(language: string, root: ReturnType<typeof createWorkspace>['root']) {
  const family = languageById(language)?.family;
  if (!family) throw new Error(`no family ${language}`);
  return findServer(family, { root, environment });
}

test('our package is found from its sources and from its bundle', () => {
  expect(packageRoot).toBe(realpathSync(path.resolve(import.meta.dirname, '../../../..')));
  expect(packageRootOf(path.join(packageRoot, 'dist/agent-lsp.cjs'))).toBe(packageRoot);
  expect(() => packageRootOf('/agent-lsp.cjs')).toThrow(/agent-lsp/);
});

test('TypeScript 7 is there as a native executable', async () => {
  await using workspace = createWorkspace();
  const found = findFor('typescript', workspace.root);
  expect(found).toMatchObject({ serverId: 'typescript-7', place: 'embedded', args: ['--lsp', '--stdio'] });
  expect(found?.launch.executable).not.toBe(process.execPath);
  expect(found?.launch.args).toEqual([]);
  expect(statSync(found?.launch.executable ?? '').size).toBe(found?.launch.binary.size);
});

test('pyright is there as a script for Node', async () => {
  await using workspace = createWorkspace();
  const found = findFor('python', workspace.root);
  expect(found).toMatchObject({ serverId: 'pyright', place: 'embedded', args: ['--stdio'] });
  expect(found?.launch.executable).toBe(process.execPath);
  expect(existsSync(found?.launch.args[0] ?? '')).toBe(true);
});

test('typescript-language-server is there for a project with an older TypeScript', async () => {
  await using workspace = createWorkspace();
  workspace.write('node_modules/typescript/package.json', '{"name": "typescript", "version": "5.9.3"}');
  // Without a server in it there is nothing to put typescript-language-server in front of.
  expect(findFor('typescript', workspace.root)).toMatchObject({ serverId: 'typescript-7' });
  workspace.write('node_modules/typescript/lib/tsserver.js', '');
  const found = findFor('typescript', workspace.root);
  expect(found).toMatchObject({ serverId: 'typescript-language-server', place: 'embedded' });
  expect(existsSync(found?.launch.args[0] ?? '')).toBe(true);
});
