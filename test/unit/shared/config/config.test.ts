import path from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { type CommandLineConfig, loadConfig, usesDaemon } from '../../../../src/shared/config/config.ts';
import { fileSchema } from '../../../../src/shared/config/schema.ts';
import type { Environment } from '../../../../src/shared/languages/environment.ts';
import { languageById } from '../../../../src/shared/languages/lookup.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

function load(workspace: Workspace, commandLine: CommandLineConfig = {}, env: Environment['env'] = {}) {
  const environment: Environment = madeUpMachine(workspace, {
    env: { AGENT_LSP_STATE_DIR: workspace.stateDir, ...env },
  });
  return loadConfig({ environment, cwd: workspace.root, commandLine, userConfigDir: workspace.home });
}

/** The complaint about a file of that name and text, with the file's directory left out. */
async function complaint(workspace: Workspace, name: string, text: string): Promise<string> {
  workspace.write(name, text);
  const failure = failureOf(await load(workspace, { configFile: name }).catch((error: unknown) => error));
  if (failure?.kind !== 'invalid-input') throw new Error(`not refused: ${JSON.stringify(failure)}`);
  expect(failure.message).not.toContain('\n');
  return failure.message.replaceAll(`${workspace.root}${path.sep}`, '');
}

test('without any configuration the defaults hold', async () => {
  await using workspace = createWorkspace();
  expect(await load(workspace)).toMatchObject({
    configuredLanguages: [],
    daemon: 'auto',
    idleTimeoutMs: 30 * 60_000,
    logLevel: 'info',
    output: 'text',
    allowedPaths: [],
    stateDir: workspace.stateDir,
    files: [],
  });
});

test('the user file is weaker than --config, that than the environment, that than the command line', async () => {
  await using workspace = createWorkspace('//- given.json\n{"output": "text", "log_level": "debug"}\n');
  workspace.write(
    `${workspace.home}/config.toml`,
    'output = "json"\nlog_level = "error"\nidle_timeout_minutes = 5\n',
  );
  const given = { configFile: 'given.json' };
  expect(await load(workspace)).toMatchObject({ output: 'json', logLevel: 'error', idleTimeoutMs: 300_000 });
  expect(await load(workspace, given)).toMatchObject({
    output: 'text',
    logLevel: 'debug',
    idleTimeoutMs: 300_000,
  });
  const env = { AGENT_LSP_OUTPUT_FORMAT: 'json', AGENT_LSP_LOG_LEVEL: 'warn' };
  expect(await load(workspace, given, env)).toMatchObject({ output: 'json', logLevel: 'warn' });
  expect(await load(workspace, { ...given, output: 'text', idleTimeoutMinutes: 1 }, env)).toMatchObject({
    output: 'text',
    logLevel: 'warn',
    idleTimeoutMs: 60_000,
    files: [path.join(workspace.home, 'config.toml'), workspace.file('given.json')],
  });
});

test('how long a call may take is set by file, and by the environment for one session', async () => {
  await using workspace = createWorkspace();
  workspace.write('c.json', '{"call_timeout_seconds": 20}');
  expect((await load(workspace)).callTimeoutMs).toBe(50_000);
  expect((await load(workspace, { configFile: 'c.json' })).callTimeoutMs).toBe(20_000);
  const env = { AGENT_LSP_CALL_TIMEOUT_MS: '1500' };
  expect((await load(workspace, { configFile: 'c.json' }, env)).callTimeoutMs).toBe(1_500);
  expect(await complaint(workspace, 'c.json', '{"call_timeout_seconds": 0}')).toContain(
    'call_timeout_seconds',
  );
});

test.each(['AGENT_LSP_CALL_TIMEOUT_MS', 'AGENT_LSP_PATIENCE_MS', 'AGENT_LSP_LSP_TIMEOUT'])(
  '%s that is no number is refused by its name',
  async (name) => {
    await using workspace = createWorkspace();
    for (const value of ['soon', '0', '-1', '1e9']) {
      const refused = await load(workspace, {}, { [name]: value }).catch((error: unknown) => error);
      expect(failureOf(refused)).toMatchObject({
        kind: 'invalid-input',
        message: `the variable ${name} is "${value}", which is not a number from 1 to 3600000`,
      });
    }
  },
);

test('lsp.servers names the server of a language that is known, in fewer words', async () => {
  await using workspace = createWorkspace();
  const initializationOptions = { preferences: { includeInlayParameterNameHints: 'none' } };
  const typescript = { command: '/usr/local/bin/wrapper', args: ['--stdio'], initializationOptions };
  const text = (servers: object) => JSON.stringify({ lsp: { servers } });
  workspace.write('c.json', text({ typescript }));
  expect((await load(workspace, { configFile: 'c.json' })).overrides.get('typescript')).toMatchObject({
    command: ['/usr/local/bin/wrapper', '--stdio'],
    initializationOptions,
  });
  expect(await complaint(workspace, 'c.json', text({ typescript: { ...typescript, arg: [] } }))).toBe(
    'c.json: lsp.servers.typescript: unknown key "arg"; did you mean "args"? Allowed: command, args, initializationOptions',
  );
  expect(await complaint(workspace, 'c.json', text({ unheard: typescript }))).toBe(
    'c.json: lsp.servers.unheard: unheard is a new language and needs "extensions"',
  );
});

test('JSON may have comments, trailing commas and a byte order mark', async () => {
  await using workspace = createWorkspace();
  workspace.write('c.json', '\uFEFF{ // for people\n "output": "json", /* yes */ }');
  expect((await load(workspace, { configFile: 'c.json' })).output).toBe('json');
});

test('a file in the project is not read by itself', async () => {
  await using workspace = createWorkspace(
    '//- agent-lsp/config.json\n{"output": "json"}\n//- config.json\n{"output": "json"}\n',
  );
  expect((await load(workspace)).output).toBe('text');
});

test('two user files in one place are refused', async () => {
  await using workspace = createWorkspace();
  workspace.write(`${workspace.home}/config.json`, '{}');
  workspace.write(`${workspace.home}/config.toml`, '');
  await expect(load(workspace)).rejects.toThrow(/two configuration files/);
});

test('a missing --config file is a failure', async () => {
  await using workspace = createWorkspace();
  const failure = failureOf(
    await load(workspace, { configFile: 'no.json' }).catch((error: unknown) => error),
  );
  expect(failure).toEqual({ kind: 'no-such-file', path: workspace.file('no.json') });
});

test('an unknown key is named with the nearest and all allowed ones', async () => {
  await using workspace = createWorkspace();
  expect(await complaint(workspace, 'c.json', '{"server": []}')).toBe(
    `c.json: unknown key "server"; did you mean "servers"? Allowed: ${Object.keys(fileSchema.shape).join(', ')}`,
  );
  expect(
    await complaint(workspace, 'c.json', '{"servers": [{"extensions": ["x"], "initializationOptions": {}}]}'),
  ).toBe(
    'c.json: servers[0]: unknown key "initializationOptions"; did you mean "initialization_options"? ' +
      'Allowed: extensions, command, language_id, settings, initialization_options, env, root_markers, daemon, disabled',
  );
  expect(await complaint(workspace, 'c.toml', 'colour = "red"\n')).toMatch(
    /^c\.toml: unknown key "colour"; allowed: servers/,
  );
});

test('every key of a file can be given by a variable, which is stronger than files', async () => {
  await using workspace = createWorkspace();
  workspace.write('c.json', '{"idle_timeout_minutes": 5, "eager": false}');
  const servers = [{ language_id: 'go', command: ['./gopls'] }];
  const config = await load(
    workspace,
    { configFile: 'c.json' },
    {
      AGENT_LSP_IDLE_TIMEOUT_MINUTES: '7',
      AGENT_LSP_EAGER: 'yes',
      AGENT_LSP_PUSH_DIAGNOSTICS: 'off',
      AGENT_LSP_HINTS: 'off',
      AGENT_LSP_CALL_TIMEOUT_SECONDS: '1',
      AGENT_LSP_PERMISSIONS: '{"deny": ["rename_symbol"]}',
      AGENT_LSP_SERVERS: JSON.stringify(servers),
    },
  );
  expect(config).toMatchObject({
    idleTimeoutMs: 7 * 60_000,
    isEager: true,
    hasHints: false,
    pushesDiagnostics: false,
    callTimeoutMs: 1_000,
    permissionRules: { deny: ['rename_symbol'] },
    configuredLanguages: ['go'],
  });
  expect(config.overrides.get('go')?.command?.[0]).toBe(workspace.file('gopls'));
});

test('a variable that a setting cannot have is refused by its name', async () => {
  await using workspace = createWorkspace();
  const env = { AGENT_LSP_IDLE_TIMEOUT_MINUTES: 'soon' };
  const failure = failureOf(await load(workspace, {}, env).catch((error: unknown) => error));
  expect(failure).toMatchObject({
    kind: 'invalid-input',
    message: expect.stringMatching(/^the variable AGENT_LSP_IDLE_TIMEOUT_MINUTES is "soon": /),
  });
});

test('a wrong value is named with its place and the allowed ones', async () => {
  await using workspace = createWorkspace();
  expect(await complaint(workspace, 'c.json', '{"daemon": "sometimes"}')).toBe(
    'c.json: daemon: "sometimes" is not allowed; allowed: auto, always, never',
  );
  expect(
    await complaint(workspace, 'c.json', '{"servers": [{"extensions": ["go"], "command": "gopls"}]}'),
  ).toMatch(/^c\.json: servers\[0\]\.command: .*expected array, received string/);
  expect(await complaint(workspace, 'c.json', '[]')).toMatch(/^c\.json: .*expected object/);
  expect(await complaint(workspace, 'c.json', '{"idle_timeout_minutes": 0}')).toMatch(
    /^c\.json: idle_timeout_minutes: /,
  );
});

test('a syntax error names line and column', async () => {
  await using workspace = createWorkspace();
  expect(await complaint(workspace, 'c.json', '{\n  "output": json\n}')).toMatch(
    /^c\.json:2:13: not valid JSON: /,
  );
  expect(await complaint(workspace, 'c.toml', 'output = "json"\ndaemon = \n')).toMatch(
    /^c\.toml:2:\d+: not valid TOML: /,
  );
});

test('a variable with a value that means nothing is refused; LOG_LEVEL, which is not ours alone, is not', async () => {
  await using workspace = createWorkspace();
  const failure = await load(workspace, {}, { AGENT_LSP_DAEMON: 'allways' }).catch((error: unknown) =>
    failureOf(error),
  );
  expect(failure).toMatchObject({ message: expect.stringContaining('did you mean "always"?') });
  expect((await load(workspace, {}, { LOG_LEVEL: 'TRACE' })).logLevel).toBe('info');
  expect((await load(workspace, {}, { LOG_LEVEL: 'warning' })).logLevel).toBe('warn');
  expect((await load(workspace, {}, { LOG_LEVEL: 'error', AGENT_LSP_LOG_LEVEL: 'debug' })).logLevel).toBe(
    'debug',
  );
});

test('allowed paths come from the variable and the command line, relative ones from the working directory', async () => {
  await using workspace = createWorkspace();
  const { allowedPaths } = await load(
    workspace,
    { allowedPaths: ['b', '/a'] },
    { AGENT_LSP_ALLOWED_PATHS: '/a: ~/x :' },
  );
  expect(allowedPaths).toEqual(['/a', path.join(workspace.home, 'x'), workspace.file('b')]);
});

test('folders and addresses of files count as well, relative folders from where the file is', async () => {
  await using workspace = createWorkspace(
    '//- conf/c.json\n{"allowed_paths": ["../lib", "~/y"], "allowed_addresses": ["Build.example:9999"]}\n',
  );
  const env = { AGENT_LSP_ALLOWED_PATHS: '/a', AGENT_LSP_ALLOWED_ADDRESSES: '[::1]:1, 10.0.0.1:2,' };
  const config = await load(workspace, { configFile: 'conf/c.json' }, env);
  expect(config.allowedPaths).toEqual([workspace.file('lib'), path.join(workspace.home, 'y'), '/a']);
  expect(config.allowedAddresses).toEqual([
    { host: 'build.example', port: 9999 },
    { host: '::1', port: 1 },
    { host: '10.0.0.1', port: 2 },
  ]);
  expect(await complaint(workspace, 'd.json', '{"allowed_addresses": ["nowhere"]}')).toBe(
    'd.json: allowed_addresses: "nowhere" is not an address of a language server',
  );
});

test('the state directory has a place of its own when nobody names one', async () => {
  await using workspace = createWorkspace();
  const { stateDir } = await load(workspace, {}, { AGENT_LSP_STATE_DIR: undefined });
  expect(stateDir).toBe(absolutePath(stateDir));
  expect(path.dirname(stateDir)).not.toContain('nodejs');
  expect(stateDir).toContain('agent-lsp');
});

test('the daemon is for slow servers by default, and can be had for all, for none or for one', async () => {
  await using workspace = createWorkspace();
  workspace.write('c.json', '{"daemon": "never", "servers": [{"language_id": "go", "daemon": "always"}]}');
  const used = async (commandLine: CommandLineConfig, env: Environment['env'] = {}) => {
    const config = await load(workspace, commandLine, env);
    return ['go', 'typescript', 'python', 'rust', 'java'].filter((name) => {
      const family = languageById(name, config.languages)?.family;
      return family && usesDaemon(config, family);
    });
  };
  expect(await used({})).toEqual(['typescript', 'python', 'java']);
  expect(await used({ configFile: 'c.json' })).toEqual(['go']);
  expect(await used({ configFile: 'c.json' }, { AGENT_LSP_DAEMON: 'auto' })).toEqual([
    'typescript',
    'python',
    'java',
  ]);
  expect(await used({ configFile: 'c.json', daemon: 'never' })).toEqual([]);
  expect(await used({ daemon: 'always' }, { AGENT_LSP_DAEMON: 'never' })).toHaveLength(5);
});
