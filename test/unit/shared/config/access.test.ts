import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { type CommandLineConfig, loadConfig } from '../../../../src/shared/config/config.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function load(workspace: Workspace, commandLine: CommandLineConfig = {}, env: Environment['env'] = {}) {
  const environment: Environment = madeUpMachine(workspace, {
    env: { AGENT_LSP_STATE_DIR: workspace.stateDir, ...env },
  });
  return loadConfig({ environment, cwd: workspace.root, commandLine, userConfigDir: workspace.home });
}

async function complaint(loading: Promise<unknown>): Promise<string> {
  const failure = failureOf(await loading.catch((error: unknown) => error));
  if (failure?.kind !== 'invalid-input') throw new Error(`not refused: ${JSON.stringify(failure)}`);
  return failure.message;
}

test('a connection may write unless something says otherwise, the command line loudest', async () => {
  await using workspace = createWorkspace();
  expect(await load(workspace)).toMatchObject({
    permission: 'write',
    isSubagent: false,
    permissionRules: { allow: [], ask: [], deny: [] },
  });
  workspace.write(`${workspace.home}/config.json`, '{"permission": "read"}');
  expect(await load(workspace)).toMatchObject({ permission: 'read' });
  const env = { AGENT_LSP_PERMISSION: 'ask' };
  expect(await load(workspace, {}, env)).toMatchObject({ permission: 'ask' });
  expect(await load(workspace, { permission: 'write' }, env)).toMatchObject({ permission: 'write' });
});

test('the rules of all files hold together', async () => {
  await using workspace = createWorkspace();
  workspace.write(`${workspace.home}/config.toml`, '[permissions]\ndeny = ["execute_command"]\n');
  workspace.write('more.json', '{"permissions": {"deny": ["rename_*"], "allow": ["*"]}}');
  expect(await load(workspace, { configFile: 'more.json' })).toMatchObject({
    permissionRules: { allow: ['*'], ask: [], deny: ['execute_command', 'rename_*'] },
  });
});

test('one word makes a subagent, and no other takes it back', async () => {
  await using workspace = createWorkspace();
  for (const value of ['1', 'true', 'YES', 'on'])
    expect(await load(workspace, {}, { AGENT_LSP_SUBAGENT: value })).toMatchObject({ isSubagent: true });
  for (const value of ['0', 'false', '', 'no'])
    expect(await load(workspace, {}, { AGENT_LSP_SUBAGENT: value })).toMatchObject({ isSubagent: false });
  const env = { AGENT_LSP_SUBAGENT: '1' };
  expect(await load(workspace, { subagent: false }, env)).toMatchObject({ isSubagent: true });
  expect(await load(workspace, { subagent: true }, { AGENT_LSP_SUBAGENT: '0' })).toMatchObject({
    isSubagent: true,
  });
  expect(await complaint(load(workspace, {}, { AGENT_LSP_SUBAGENT: 'maybe' }))).toContain(
    'the variable AGENT_LSP_SUBAGENT is "maybe"; allowed: 1, true',
  );
});

test('calls are recorded in the state directory, elsewhere on request, or not at all', async () => {
  await using workspace = createWorkspace();
  const auditLog = async (...sources: [CommandLineConfig?, Environment['env']?]) =>
    (await load(workspace, ...sources)).auditLog;
  expect(await auditLog()).toBe(path.join(workspace.stateDir, 'audit.jsonl'));
  workspace.write(`${workspace.home}/config.json`, '{"audit_log": "logs/own.jsonl"}');
  expect(await auditLog()).toBe(path.join(workspace.home, 'logs/own.jsonl'));
  const env = { AGENT_LSP_AUDIT_LOG: '~/env.jsonl' };
  expect(await auditLog({}, env)).toBe(path.join(workspace.home, 'env.jsonl'));
  expect(await auditLog({ auditLog: 'given.jsonl' }, env)).toBe(workspace.file('given.jsonl'));
  expect(await auditLog({ auditLog: 'off' }, env)).toBeUndefined();
  expect(await auditLog({}, { AGENT_LSP_AUDIT_LOG: 'OFF' })).toBeUndefined();
});

test('what is wrong about permissions is said where it is', async () => {
  await using workspace = createWorkspace();
  const wrong = async (text: string) => {
    const file = workspace.write('c.json', text);
    return (await complaint(load(workspace, { configFile: 'c.json' }))).replace(file, 'c.json');
  };
  expect(await wrong('{"permission": "wirte"}')).toBe(
    'c.json: permission: "wirte" is not allowed; allowed: read, ask, write',
  );
  expect(await wrong('{"permissions": {"denny": []}}')).toBe(
    'c.json: permissions: unknown key "denny"; did you mean "deny"? Allowed: allow, ask, deny',
  );
  for (const pattern of ['', 'Rename', '*_symbol', 'a b'])
    expect(await wrong(JSON.stringify({ permissions: { deny: ['*', pattern] } }))).toBe(
      'c.json: permissions.deny[1]: must be the name of a tool, or its beginning and a *',
    );
  expect(await complaint(load(workspace, {}, { AGENT_LSP_PERMISSION: 'all' }))).toContain(
    'the variable AGENT_LSP_PERMISSION is "all"',
  );
});
