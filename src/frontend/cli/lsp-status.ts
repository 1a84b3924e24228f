/** What the configuration makes of the tool `lsp` and of the diagnostics hook, and which servers are installed. Starts nothing. */
import { absolutePath, realPath } from '../../shared/base/paths.ts';
import { type Config, loadConfig } from '../../shared/config/config.ts';
import { FACADE_VARIABLES, isSwitchedOff, whyNotAllowed } from '../../shared/config/facade-config.ts';
import { LSP_ACTIONS, type LspAction, PRIVILEGED_ACTIONS } from '../../shared/config/lsp-actions.ts';
import { adaptersOf } from '../../shared/languages/adapters.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import { findServer } from '../../shared/languages/find-server.ts';
import { environmentOf } from './brokers.ts';
import { type Command, print, serveOptions } from './command.ts';

export const lspStatusCommand: Command = {
  usage: 'lsp-status',
  describe:
    'show the settings of --tools lsp: what is on, which actions are allowed, which servers are there',
  options: (parser) => parser.option('json', { type: 'boolean', describe: 'as JSON' }),
  run: async (argv, program) => {
    const environment = environmentOf(program);
    const { roots = [], ...commandLine } = serveOptions(argv);
    const cwd = process.cwd();
    const config = await loadConfig({ environment, cwd, commandLine });
    const status = statusOf(config, environment, realPath(absolutePath(roots[0] ?? '.', cwd)));
    await print(argv.json === true ? JSON.stringify(status, null, 2) : asText(status));
    return 0;
  },
};

function statusOf(config: Config, environment: Environment, root: ReturnType<typeof realPath>) {
  const { lsp, hook, subagents, overrides, languages, files } = config;
  const allowed = (isSubagent: boolean): readonly LspAction[] =>
    LSP_ACTIONS.filter((action) => whyNotAllowed(action, { ...config, isSubagent }) === undefined);
  return {
    profile: config.tools,
    enabled: lsp.isEnabled,
    tool: {
      enabled: lsp.tool.isEnabled,
      /** Whether a session with this configuration and `--tools lsp` lists it. */
      listed: !isSwitchedOff({ ...config, tools: 'lsp' }),
      allowMutatingActions: lsp.tool.allowsMutatingActions,
      timeoutMs: lsp.timeoutMs ?? config.callTimeoutMs,
    },
    hook: { enabled: hook.isEnabled, mode: hook.mode },
    subagent: config.isSubagent,
    actions: { all: LSP_ACTIONS, privileged: PRIVILEGED_ACTIONS, allowed: allowed(config.isSubagent) },
    subagents: { allowLspTools: subagents.allowsLspTools, allowedLspActions: allowed(true) },
    root,
    servers: adaptersOf(languages).map(({ id, family }) => {
      const override = overrides.get(family.id);
      const found = override?.disabled ? undefined : findServer(family, { root, environment }, override);
      return {
        id,
        language: family.id,
        installed: found !== undefined,
        disabled: override?.disabled === true,
        command: found?.command,
        place: found?.place,
        install: found ? undefined : family.install,
      };
    }),
    configurationFiles: files,
    variables: FACADE_VARIABLES,
  };
}

function asText(status: ReturnType<typeof statusOf>): string {
  const { tool, hook, actions, subagents, servers } = status;
  const installed = servers.filter((server) => server.installed);
  const others = servers.filter((server) => !server.installed);
  return [
    `profile: ${status.profile}${status.profile === 'lsp' ? '' : ' (the tool lsp is listed with --tools lsp)'}`,
    `lsp.enabled: ${status.enabled}`,
    `lsp.tool.enabled: ${tool.enabled}; ${tool.listed ? 'listed' : 'not listed'} with --tools lsp; ${tool.timeoutMs} ms for a call`,
    `lsp.tool.allowMutatingActions: ${tool.allowMutatingActions}`,
    `lsp.hook.enabled: ${hook.enabled}; lsp.hook.mode: ${hook.mode} (what agent-lsp hook does)`,
    `actions allowed${status.subagent ? ' for this subagent' : ''}: ${words(actions.allowed)}`,
    `privileged actions: ${words(actions.privileged)}`,
    `subagents.allowLspTools: ${subagents.allowLspTools}; actions for subagents: ${words(subagents.allowedLspActions)}`,
    `servers installed for ${status.root}:`,
    ...installed.map(({ id, command, place }) => `  ${id}: ${command} (${place})`),
    `not installed: ${others.map(({ id, disabled }) => (disabled ? `${id} (switched off)` : id)).join(', ') || 'none'}`,
    `configuration files: ${words(status.configurationFiles)}`,
  ].join('\n');
}

function words(list: readonly string[]): string {
  return list.join(', ') || 'none';
}
