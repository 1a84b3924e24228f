/** The language servers themselves: starting, restarting, what they can do, and which there are. */
import { z } from 'zod';
import { fail } from '../../../shared/base/failure.ts';
import { describeState } from '../../../shared/link/describe-state.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { firstOffered, type ToolContext, type ToolNeeds } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';

const languageId = z.string().min(1).optional();
const rootDir = z.string().min(1).optional().describe('Default: the root');

export const serverTools = [
  defineTool({
    name: 'start_lsp',
    title: 'Start language servers',
    description:
      'Starts or joins servers early. Rarely necessary: every tool starts what it needs. With connect it uses a server that somebody else runs.',
    effect: 'read',
    changesSession: true,
    beyond: { effect: 'expand', when: 'with connect' },
    output: () => z.string(),
    input: () =>
      z.strictObject({
        root_dir: rootDir,
        language_id: languageId.describe('Default: all detected'),
        connect: z.string().min(1).optional().describe('host:port, on this machine if not configured'),
        ready_timeout_seconds: z.number().min(0).optional().describe('Wait for the index'),
      }),
    run: async (input, context) => {
      const root = context.roots.resolve(input.root_dir ?? context.roots.primary);
      const { connect } = input;
      const { started, notStarted } = await context.servers.start({
        root,
        languageId: input.language_id,
        connect:
          connect === undefined
            ? undefined
            : await context.permission.consentTo('expand', () => context.servers.planDial(connect)),
      });
      if (input.ready_timeout_seconds) await waitUntilReady(context, started, input.ready_timeout_seconds);
      if (started.length === 0) return nothingStarted(root, notStarted);
      const lines = await Promise.all(started.map((link) => serverLine(context, link)));
      const sentence =
        connect === undefined
          ? 'LSP server started successfully'
          : `Connected to existing language server at ${connect}`;
      return {
        text: [
          sentence,
          ...lines,
          ...notStarted.map(({ language, why }) => `not started: ${language}: ${why}`),
        ].join('\n'),
        data: sentence,
        hint: 'list_symbols or find_symbol to look around, get_diagnostics for problems',
      };
    },
  }),

  defineTool({
    name: 'restart_lsp_server',
    title: 'Restart language servers',
    description:
      'Restarts running servers, e.g. after installing dependencies. A shared server restarts for all its sessions.',
    effect: 'read',
    changesSession: true,
    isPrivileged: true,
    output: () => z.string(),
    input: () =>
      z.strictObject({
        root_dir: rootDir,
        language_id: languageId.describe('Only this language'),
      }),
    run: async (input, context) => {
      const links = running(context, input);
      const lines = await Promise.all(
        links.map(async (link) => {
          await link.restart(context.during());
          return serverLine(context, link);
        }),
      );
      const data =
        links.length === 0
          ? 'No such LSP server was running in this session; the next tool call starts or joins it'
          : `LSP server restarted successfully (${links.map((link) => link.language).join(', ')})`;
      const restarted = links.map(({ language }) => language);
      return { text: [data, ...lines].join('\n'), data, details: { restarted } };
    },
  }),

  defineTool({
    name: 'get_server_capabilities',
    title: 'Get server capabilities',
    description: 'Name and version of a server, and which tools work with it.',
    effect: 'read',
    output: () =>
      z.strictObject({
        server_name: z.string(),
        server_version: z.string().optional(),
        supported_tools: z.array(z.string()),
        fallback_tools: z.array(z.string()),
        unsupported_tools: z.array(z.string()),
        capabilities: z.looseObject({}),
        roles: z.string().optional(),
      }),
    input: () =>
      z.strictObject({
        language_id: languageId.describe('Default: the last used'),
        file_path: z.string().min(1).optional().describe('The server of this file'),
      }),
    run: async (input, context) => {
      const link = await serverFor(context, input);
      const facts = await context.facts.of(link, context.during());
      const { supported, byFallback, unsupported } = toolSupport(context, facts);
      const others = context.servers.open().filter((other) => other !== link);
      const file = input.file_path === undefined ? undefined : context.roots.resolve(input.file_path);
      const roles = await context.servers.rolesOf(link, file);
      return {
        text: [
          await serverLine(context, link),
          ...(roles === undefined ? [] : [roles]),
          `works: ${supported.filter((name) => !byFallback.includes(name)).join(', ')}`,
          ...(byFallback.length === 0 ? [] : [`works in part, by other means: ${byFallback.join(', ')}`]),
          `does not work: ${unsupported.join(', ') || 'nothing'}`,
          ...(others.length === 0
            ? []
            : [`also running: ${others.map((other) => other.language).join(', ')}`]),
        ].join('\n'),
        data: {
          server_name: facts.serverName,
          ...(facts.serverVersion === undefined ? {} : { server_version: facts.serverVersion }),
          supported_tools: [...supported],
          fallback_tools: [...byFallback],
          unsupported_tools: [...unsupported],
          capabilities: { ...facts.capabilities },
          ...(roles === undefined ? {} : { roles }),
        },
      };
    },
  }),

  defineTool({
    name: 'detect_lsp_servers',
    title: 'Detect languages and servers',
    description:
      'Languages of a directory, the servers for them on this machine, and how to install others. Starts nothing.',
    effect: 'read',
    input: () => z.strictObject({ workspace_dir: rootDir }),
    output: () =>
      z.strictObject({
        workspace_dir: z.string(),
        workspace_languages: z.array(z.string()),
        installed_servers: z.array(
          z.strictObject({
            language: z.string(),
            server: z.string(),
            path: z.string(),
            config_entry: z.string(),
          }),
        ),
        suggested_config: z.array(z.string()),
        not_installed: z.array(z.string()).optional(),
        disabled: z.array(z.string()).optional(),
      }),
    run: async (input, context) => {
      const directory = context.roots.resolve(input.workspace_dir ?? context.roots.primary);
      const { languages, installed, missing, disabled, suggestedConfig } =
        await context.servers.detect(directory);
      return {
        text: [
          `${directory}: ${languages.join(', ') || 'no known language'}`,
          ...installed.map(({ language, server, path }) => `  ${language}: ${server}  ${path}`),
          ...disabled.map((language) => `  ${language}: switched off by configuration`),
          ...missing.map(
            ({ language, server, install }) => `  ${language}: ${server} is missing; install: ${install}`,
          ),
        ].join('\n'),
        data: {
          workspace_dir: directory,
          workspace_languages: [...languages],
          installed_servers: installed.map(({ language, server, path, configEntry }) => ({
            language,
            server,
            path,
            config_entry: configEntry,
          })),
          suggested_config: [...suggestedConfig],
          ...(missing.length === 0
            ? {}
            : { not_installed: missing.map(({ language, server }) => `${language} (${server})`) }),
          ...(disabled.length === 0 ? {} : { disabled: [...disabled] }),
        },
        hint: installed.length > 0 ? firstOffered(context, 'start_lsp starts what is installed') : undefined,
      };
    },
  }),
];

async function waitUntilReady(
  context: ToolContext,
  links: readonly ServerLink[],
  seconds: number,
): Promise<void> {
  const options = context.during();
  const timeoutMs = Math.min(seconds * 1_000, options.timeoutMs ?? 0);
  await Promise.all(links.map((link) => link.whenSettled({ ...options, timeoutMs })));
}

/** `pyright 1.1.414 (python) in /w/project: ready; shared daemon`. */
async function serverLine(context: ToolContext, link: ServerLink): Promise<string> {
  const { serverName, serverVersion } = await context.facts.of(link, context.during());
  const version = serverVersion === undefined ? '' : ` ${serverVersion}`;
  const mode = {
    direct: 'own process',
    daemon: 'shared daemon',
    passive: `somebody else's, at ${link.command}`,
  };
  return `${serverName}${version} (${link.language}) in ${[link.root, ...link.folders].join(' and ')}: ${describeState(link.state)}; ${mode[link.mode]}`;
}

function nothingStarted(root: string, notStarted: readonly { language: string; why: string }[]): never {
  const [first] = notStarted;
  fail({
    kind: 'invalid-input',
    message: first
      ? `no server was started for ${root}: ${first.why}`
      : `no source files of a known language in ${root}`,
    next: first ? 'detect_lsp_servers lists what is installed' : 'Pass language_id, or another root_dir',
  });
}

interface ServerChoice {
  readonly root_dir?: string | undefined;
  readonly language_id?: string | undefined;
  readonly file_path?: string | undefined;
}

/** Running servers that fit, the one used last at the end. */
function running(context: ToolContext, choice: ServerChoice): readonly ServerLink[] {
  const root = choice.root_dir === undefined ? undefined : context.roots.resolve(choice.root_dir);
  const family = choice.language_id === undefined ? undefined : context.servers.familyOf(choice.language_id);
  const fits = (link: ServerLink) =>
    (root === undefined || link.root === root || link.folders.includes(root)) &&
    (family === undefined || link.language === family);
  return context.servers.open().filter(fits);
}

async function serverFor(context: ToolContext, choice: ServerChoice): Promise<ServerLink> {
  if (choice.file_path !== undefined) {
    const { path } = await context.source(choice.file_path);
    return context.servers.linkFor(path, { languageId: choice.language_id });
  }
  const link =
    running(context, choice).at(-1) ?? (await context.servers.workspace(choice.language_id)).links[0];
  return (
    link ?? fail({ kind: 'invalid-input', message: 'there is no server to ask', next: 'Pass file_path' })
  );
}

interface ToolSupport {
  readonly supported: readonly string[];
  /** Among the supported ones: those that answer by other means than the server's own method. */
  readonly byFallback: readonly string[];
  readonly unsupported: readonly string[];
}

function toolSupport(context: ToolContext, { methods }: ServerFacts): ToolSupport {
  const isFull = ({ needs }: ToolNeeds) => needs === undefined || methods.includes(needs);
  const works = (tool: ToolNeeds) =>
    isFull(tool) || (tool.fallback !== undefined && methods.includes(tool.fallback));
  const names = (fits: (tool: ToolNeeds) => boolean) =>
    context.tools
      .filter(fits)
      .map(({ name }) => name)
      .sort();
  return {
    supported: names(works),
    byFallback: names((tool) => works(tool) && !isFull(tool)),
    unsupported: names((tool) => !works(tool)),
  };
}
