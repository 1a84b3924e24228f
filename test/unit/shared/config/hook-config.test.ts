import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { isHookOn, loadHookSettings } from '../../../../src/shared/config/hook-config.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const machine = (env: Environment['env']): Environment => ({
  env,
  platform: 'linux',
  arch: 'x64',
  homedir: '/home/somebody',
  execPath: process.execPath,
  packageRoot: '/opt/agent-lsp',
});

/** By the short way and as a part of the whole configuration, which must be the same. */
async function settings(file: object, env: Environment['env'] = {}) {
  await using workspace = createWorkspace();
  const userConfigDir = workspace.scratch;
  writeFileSync(path.join(userConfigDir, 'config.json'), JSON.stringify(file));
  const environment = machine({ AGENT_LSP_STATE_DIR: workspace.stateDir, ...env });
  const places = { environment, cwd: workspace.root, userConfigDir };
  const short = await loadHookSettings(places);
  expect((await loadConfig(places)).hook).toEqual(short);
  return short;
}

describe('settings of hooks', () => {
  it('are on at the end of a turn, with 600 tokens, if nothing is said', async () => {
    const expected = { isEnabled: true, mode: 'agent_end', timeoutMs: undefined, maxTokens: 600 };
    expect(await settings({})).toEqual(expected);
  });

  it('are read from a file, under either name; their own is stronger', async () => {
    const own = { enabled: true, mode: 'edit_write', timeout_seconds: 7, max_tokens: 100 };
    expect(await settings({ hook: own })).toEqual({
      isEnabled: true,
      mode: 'edit_write',
      timeoutMs: 7_000,
      maxTokens: 100,
    });
    const facade = { hook: { enabled: false, mode: 'disabled' } };
    expect(await settings({ lsp: facade })).toMatchObject({ isEnabled: false, mode: 'disabled' });
    expect(await settings({ lsp: facade, hook: own })).toMatchObject({ isEnabled: true, mode: 'edit_write' });
  });

  it('are read from variables, which are stronger than files', async () => {
    const env = {
      AGENT_LSP_HOOK_MODE: 'edit_write',
      AGENT_LSP_HOOK_ENABLED: 'off',
      AGENT_LSP_HOOK_MAX_TOKENS: '90',
    };
    expect(await settings({ hook: { enabled: true, mode: 'disabled' } }, env)).toMatchObject({
      isEnabled: false,
      mode: 'edit_write',
      maxTokens: 90,
    });
    expect(await settings({}, { AGENT_LSP_LSP_HOOK_MODE: 'disabled' })).toMatchObject({ mode: 'disabled' });
  });

  it('are off with the module that they belong to', async () => {
    expect(isHookOn(await settings({ lsp: { enabled: false } }))).toBe(false);
    expect(isHookOn(await settings({ hook: { mode: 'disabled' } }))).toBe(false);
    expect(isHookOn(await settings({}))).toBe(true);
  });

  it.each([
    { file: {}, env: { AGENT_LSP_HOOK_MODE: 'always' }, problem: /AGENT_LSP_HOOK_MODE.*always/ },
    { file: {}, env: { AGENT_LSP_HOOK_TIMEOUT_SECONDS: '0' }, problem: /AGENT_LSP_HOOK_TIMEOUT_SECONDS/ },
    { file: { hook: { mode: 'never' } }, env: {}, problem: /hook\.mode.*never/ },
    { file: { hook: { token: 3 } }, env: {}, problem: /unknown key.*token/ },
  ])('that cannot be understood are refused: $file $env', async ({ file, env, problem }) => {
    await expect(settings(file, env)).rejects.toThrow(problem);
  });
});
