import { chmodSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import type { ServerOverride } from '../../../../src/shared/languages/family.ts';
import { canonicalJson, mergeJson, nestSections } from '../../../../src/shared/languages/json.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { makeConnectPlan, makePlan, planKey } from '../../../../src/shared/languages/plan.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const keyForm = /^[0-9a-f]{20}$/;

function machine(workspace: Workspace, env: Environment['env'] = {}): Environment {
  return madeUpMachine(workspace, { env: { PATH: path.join(workspace.scratch, 'bin'), ...env } });
}

function program(workspace: Workspace, name: string, text = ''): string {
  const file = workspace.write(path.join(workspace.scratch, 'bin', name), text);
  chmodSync(file, 0o755);
  return file;
}

function familyOf(id: string) {
  const family = languageById(id)?.family;
  if (!family) throw new Error(`no family ${id}`);
  return family;
}

function plan(
  workspace: Workspace,
  id: string,
  override: Partial<ServerOverride> = {},
  env: Environment['env'] = {},
) {
  const family = familyOf(id);
  const overrides = new Map([[family.id, { env: {}, settings: {}, origin: 'a test', ...override }]]);
  const config = { overrides, stateDir: workspace.stateDir };
  return makePlan({ family, root: workspace.root, config, environment: machine(workspace, env) });
}

test('a plan names the executable, its identity, and everything the server is told', async () => {
  await using workspace = createWorkspace();
  const gopls = program(workspace, 'gopls', 'binary');
  const made = await plan(workspace, 'go');
  expect(made).toMatchObject({
    root: workspace.root,
    language: 'go',
    serverId: 'gopls',
    server: { kind: 'spawn', executable: gopls, args: [], env: {}, binary: { path: gopls, size: 6 } },
    languageIds: { go: 'go', 'go.mod': 'go.mod' },
    settings: { gopls: { symbolScope: 'workspace' } },
    initializationOptions: { symbolScope: 'workspace' },
  });
  expect(JSON.parse(JSON.stringify(made))).toEqual(made);
});

test('configuration overrides command, arguments, environment, settings and options', async () => {
  await using workspace = createWorkspace();
  const mine = program(workspace, 'mine');
  const made = await plan(workspace, 'go', {
    command: ['mine', '-rpc.trace'],
    env: { GOFLAGS: '-tags=x' },
    settings: { 'gopls.hints.parameterNames': false, gopls: { buildFlags: ['-tags=x'] } },
    initializationOptions: { extra: 1 },
  });
  expect(made.server).toMatchObject({ executable: mine, args: ['-rpc.trace'], env: { GOFLAGS: '-tags=x' } });
  expect(made.settings).toEqual({ gopls: { hints: { parameterNames: false }, buildFlags: ['-tags=x'] } });
  expect(made.initializationOptions).toEqual({ extra: 1 });
});

test('equal plans have equal keys, whatever the order of their keys', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'gopls');
  const made = await plan(workspace, 'go');
  const reversed = Object.fromEntries(Object.entries(made).toReversed());
  expect(planKey(made)).toMatch(keyForm);
  expect(planKey({ ...made, ...reversed })).toBe(planKey(made));
  expect(planKey(await plan(workspace, 'go'))).toBe(planKey(made));
});

test('settings, arguments, root, binary and the variables that matter all change the key', async () => {
  await using workspace = createWorkspace();
  const gopls = program(workspace, 'gopls');
  const original = await plan(workspace, 'go');
  const keys = [
    planKey(original),
    planKey(await plan(workspace, 'go', { settings: { gopls: { staticcheck: true } } })),
    planKey(await plan(workspace, 'go', { command: ['gopls', '-v'] })),
    planKey(await plan(workspace, 'go', { env: { A: '1' } })),
    planKey(await plan(workspace, 'go', {}, { GOFLAGS: '-mod=mod' })),
    planKey({ ...original, root: workspace.scratch }),
  ];
  utimesSync(gopls, 1_000_000, 1_000_000);
  keys.push(planKey(await plan(workspace, 'go')));
  program(workspace, 'gopls', 'upgraded');
  keys.push(planKey(await plan(workspace, 'go')));
  expect(new Set(keys).size).toBe(keys.length);
});

test('variables of other languages do not keep two front ends apart', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'gopls');
  const key = planKey(await plan(workspace, 'go'));
  const other = { VIRTUAL_ENV: '/x', JAVA_HOME: '/y', NODE_OPTIONS: '--inspect', TERM: 'dumb' };
  expect(planKey(await plan(workspace, 'go', {}, other))).toBe(key);
});

test('NODE_OPTIONS matters to servers that run in Node', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'bash-language-server', '#!/usr/bin/env node\n');
  const made = await plan(workspace, 'bash', {}, { NODE_OPTIONS: '--max-old-space-size=64' });
  expect(made.server).toMatchObject({ env: { NODE_OPTIONS: '--max-old-space-size=64' } });
});

test('the Java server gets a data directory of its root, outside the project', async () => {
  await using workspace = createWorkspace();
  program(workspace, 'jdtls');
  const { server } = await plan(workspace, 'java');
  const [option, directory = ''] = server.kind === 'spawn' ? server.args : [];
  expect(option).toBe('-data');
  expect(path.dirname(directory)).toBe(path.join(workspace.stateDir, 'servers/jdtls'));
});

test('without any server the plan fails and says how to get one', async () => {
  await using workspace = createWorkspace();
  const failure = failureOf(await plan(workspace, 'rust').catch((error: unknown) => error));
  expect(failure).toEqual({
    kind: 'server-missing',
    language: 'rust',
    command: 'rust-analyzer',
    install: 'rustup component add rust-analyzer',
  });
});

test('a server that somebody else runs has a plan and a key like any other', async () => {
  await using workspace = createWorkspace();
  const config = { overrides: new Map(), stateDir: workspace.stateDir };
  const server = { kind: 'connect', host: 'localhost', port: 9999, addresses: ['127.0.0.1'] } as const;
  const made = makeConnectPlan({ family: familyOf('go'), root: workspace.root, config, server });
  expect(made).toMatchObject({ serverId: 'gopls', server });
  expect(planKey(made)).toMatch(keyForm);
});

test('merging goes into objects and replaces everything else', () => {
  expect(mergeJson({ a: { b: 1, c: [1] }, d: 1 }, { a: { c: [2] }, d: { e: null } })).toEqual({
    a: { b: 1, c: [2] },
    d: { e: null },
  });
});

test('dots separate sections at the top only', () => {
  expect(nestSections({ 'a.b': { 'c.d': 1 }, a: { e: 2 } })).toEqual({ a: { b: { 'c.d': 1 }, e: 2 } });
});

test('canonical text depends on content alone', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":null,"d":1}]}');
});
