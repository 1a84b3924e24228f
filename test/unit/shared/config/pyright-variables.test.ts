import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function load(
  workspace: Workspace,
  env: Readonly<Record<string, string>>,
  tools: 'pyright' | 'full' = 'pyright',
  transport: 'stdio' | 'http' = 'stdio',
) {
  const environment = madeUpMachine(workspace, { env: { AGENT_LSP_STATE_DIR: workspace.stateDir, ...env } });
  return loadConfig({
    environment,
    cwd: workspace.root,
    commandLine: { tools, transport },
    userConfigDir: workspace.home,
  });
}

const ALL = {
  PYRIGHT_MCP_ALLOWED_PATHS: '/srv/one:/srv/two',
  PYRIGHT_MCP_CLI_TIMEOUT: '12.5',
  PYRIGHT_MCP_LSP_TIMEOUT: '300',
  PYRIGHT_MCP_LSP_COMMAND: 'basedpyright-langserver',
  PYRIGHT_MCP_LSP_POOL_SIZE: '5',
  PYRIGHT_MCP_LOG_MODE: 'BOTH',
  PYRIGHT_MCP_LOG_LEVEL: 'WARNING',
  PYRIGHT_MCP_ENABLE_HEALTH_CHECK: 'false',
  PYRIGHT_MCP_METRICS_ENABLED: 'false',
  PYRIGHT_MCP_TRANSPORT: 'stdio',
};

test('every variable of the pyright profile is a setting of ours', async () => {
  await using workspace = createWorkspace();
  const config = await load(workspace, ALL);
  expect(config).toMatchObject({
    allowedPaths: ['/srv/one', '/srv/two'],
    checkTypes: { timeoutMs: 12_500 },
    idleTimeoutMs: 300_000,
    logMode: 'both',
    logLevel: 'warn',
    hasMetrics: false,
    permissionRules: { deny: ['health_check'] },
    variables: { AGENT_LSP_MAX_IDLE_PER_LANGUAGE: '5' },
  });
  expect(config.overrides.get('python')?.command).toEqual(['basedpyright-langserver', '--stdio']);
});

test('a command with arguments is taken as it is', async () => {
  await using workspace = createWorkspace();
  const config = await load(workspace, { PYRIGHT_MCP_LSP_COMMAND: 'pyright-langserver --stdio --verbose' });
  expect(config.overrides.get('python')?.command).toEqual(['pyright-langserver', '--stdio', '--verbose']);
});

test('a variable of ours is stronger than its other name', async () => {
  await using workspace = createWorkspace();
  const env = { ...ALL, AGENT_LSP_CHECK_TYPES: '{"timeout_seconds":7}', AGENT_LSP_LOG_LEVEL: 'debug' };
  expect(await load(workspace, env)).toMatchObject({ checkTypes: { timeoutMs: 7_000 }, logLevel: 'debug' });
});

test('other profiles do not read them', async () => {
  await using workspace = createWorkspace();
  expect(await load(workspace, ALL, 'full')).toMatchObject({
    allowedPaths: [],
    checkTypes: { timeoutMs: 30_000 },
    logMode: 'stderr',
    hasHealthCheck: true,
    variables: {},
  });
});

test('the transport is that which the program was started with, or refused', async () => {
  await using workspace = createWorkspace();
  const wanted = (value: string) => ({ PYRIGHT_MCP_TRANSPORT: value });
  expect(await load(workspace, wanted('http'), 'pyright', 'http')).toMatchObject({ transport: 'http' });
  const refused = await load(workspace, wanted('stdio'), 'pyright', 'http').catch((error: unknown) => error);
  expect(failureOf(refused)).toMatchObject({
    message:
      'the variable PYRIGHT_MCP_TRANSPORT is "stdio", and this agent-lsp was started to speak MCP over http',
  });
});

test('the log is for programs on standard error and for people in its file, unless a setting says otherwise', async () => {
  await using workspace = createWorkspace();
  const formats = async (env: Readonly<Record<string, string>>, tools: 'pyright' | 'full') =>
    (await load(workspace, env, tools)).logFormats;
  expect(await formats({}, 'pyright')).toEqual({ stderr: 'json', file: 'text' });
  expect(await formats({}, 'full')).toEqual({ stderr: 'text', file: 'text' });
  for (const format of ['text', 'json'])
    expect(await formats({ AGENT_LSP_LOG_FORMAT: format }, 'pyright')).toEqual({
      stderr: format,
      file: format,
    });
});
