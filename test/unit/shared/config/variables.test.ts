/**
 * Every setting by a variable: the list of settings is the schema of configuration files, so that one that is added is
 * tried as well, and has to have a value here that is not its default.
 */
import { expect, test } from 'vitest';
import { type ZodType, z } from 'zod';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { FACADE_VARIABLES } from '../../../../src/shared/config/facade-config.ts';
import { HOOK_VARIABLES } from '../../../../src/shared/config/hook-variables.ts';
import { fileSchema } from '../../../../src/shared/config/schema.ts';
import { madeUpMachine } from '../../../support/made-up-machine.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

/** For each setting a value that is not its default; as a variable has it where that is not the value in JSON. */
const VALUES: Readonly<Record<string, { readonly value: unknown; readonly text?: string }>> = {
  servers: { value: [{ language_id: 'go', command: ['/opt/gopls', '-v'] }] },
  daemon: { value: 'never' },
  idle_timeout_minutes: { value: 7 },
  call_timeout_seconds: { value: 9 },
  patience_seconds: { value: 2 },
  eager: { value: true },
  push_diagnostics: { value: false },
  hints: { value: false },
  log_level: { value: 'debug' },
  log_mode: { value: 'both' },
  log_format: { value: 'json' },
  output: { value: 'json' },
  tools: { value: 'core' },
  typescript: { value: 'own' },
  permission: { value: 'ask' },
  'permissions.allow': { value: ['rename_symbol'] },
  'permissions.ask': { value: ['apply_edit'] },
  'permissions.deny': { value: ['run_build'] },
  audit_log: { value: '/var/log/calls.jsonl' },
  'lsp.enabled': { value: false },
  'lsp.servers': { value: { go: { command: '/opt/gopls', args: ['-v'] } } },
  'lsp.timeout': { value: 1_234 },
  'lsp.tool.enabled': { value: false },
  'lsp.tool.allowMutatingActions': { value: true },
  'lsp.hook.enabled': { value: false },
  'lsp.hook.mode': { value: 'edit_write' },
  'hook.enabled': { value: false },
  'hook.mode': { value: 'disabled' },
  'hook.timeout_seconds': { value: 11 },
  'hook.max_tokens': { value: 300 },
  allowed_paths: { value: ['/srv/one', '/srv/two'], text: '/srv/one:/srv/two' },
  allowed_addresses: { value: ['build.example:99', '10.0.0.1:98'], text: 'build.example:99,10.0.0.1:98' },
  'subagents.allowLspTools': { value: false },
  'subagents.allowedLspActions': { value: ['hover', 'definition'], text: 'hover,definition' },
  'check_types.command': { value: ['/opt/pyright', '--verbose'] },
  'check_types.timeout_seconds': { value: 5 },
  health_check: { value: false },
  metrics: { value: false },
  extensions: { value: ['/opt/tools.mjs'] },
};

/** Those that have a variable of their own inside of a group; the others are given with their group, as JSON. */
const OWN: Readonly<Record<string, string>> = { ...FACADE_VARIABLES, ...HOOK_VARIABLES };

/** The paths of all settings, in the order of the schema. */
function settingsIn(schema: z.ZodObject, above = ''): readonly string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const inner = unwrapped(field as ZodType);
    return inner instanceof z.ZodObject ? settingsIn(inner, `${above}${key}.`) : [`${above}${key}`];
  });
}

function unwrapped(field: ZodType): ZodType {
  return field instanceof z.ZodOptional ? unwrapped(field.unwrap() as ZodType) : field;
}

const SETTINGS = settingsIn(fileSchema);

async function load(workspace: Workspace, env: Readonly<Record<string, string>>, file: object = {}) {
  const configFile = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(file));
  const environment = madeUpMachine(workspace, { env: { AGENT_LSP_STATE_DIR: workspace.stateDir, ...env } });
  const config = await loadConfig({
    environment,
    cwd: workspace.root,
    commandLine: { configFile },
    userConfigDir: workspace.home,
  });
  return withoutOrigins({ ...config, overrides: [...config.overrides] });
}

/** Where something was said differs between a file and a variable, and is for messages. */
function withoutOrigins(config: object): unknown {
  return JSON.parse(
    JSON.stringify(config, (key, value: unknown) => (['origin', 'from'].includes(key) ? undefined : value)),
  );
}

/** The value under its path: `{ a: { b: value } }` for `a.b`. */
function nested(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value) as Record<
    string,
    unknown
  >;
}

test('every setting has a value to be tried with', () => {
  expect(Object.keys(VALUES)).toEqual(SETTINGS);
});

test.each(SETTINGS)('%s is by its variable what it is by a file', async (setting) => {
  await using workspace = createWorkspace();
  const { value, text } = VALUES[setting] ?? { value: undefined };
  const file = nested(setting, value);
  const [group = ''] = setting.split('.');
  const name = OWN[setting] ?? `AGENT_LSP_${group.toUpperCase()}`;
  const written = OWN[setting] === undefined ? file[group] : value;
  const said = text ?? (typeof written === 'string' ? written : JSON.stringify(written));
  const byFile = await load(workspace, {}, file);
  expect(byFile, 'as without it').not.toEqual(await load(workspace, {}));
  expect(await load(workspace, { [name]: said }), name).toEqual(byFile);
});
