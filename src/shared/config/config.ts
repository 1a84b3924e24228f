/**
 * The configuration in force: defaults, then the user's file, then `--config`, then the environment, then the
 * command line. Files inside a project are never read: opening a repository must not run what it says.
 */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import type { LogLevel } from '../base/log.ts';
import { type Environment, variable, withVariables } from '../languages/environment.ts';
import type { LanguageFamily, ServerOverride } from '../languages/family.ts';
import { TYPESCRIPT_CHOICES, type TypescriptChoice } from '../languages/roles.ts';
import { languageTable } from '../languages/table.ts';
import { type AccessConfig, type AccessOptions, accessConfig } from './access-config.ts';
import { type CheckConfig, checkConfig } from './check-config.ts';
import {
  DAEMON_MODES,
  type DaemonMode,
  LOG_LEVELS,
  type LogFormat,
  type LogMode,
  OUTPUT_FORMATS,
  type OutputFormat,
  TOOL_PROFILES,
  type ToolProfile,
  type Transport,
} from './choices.ts';
import { commandFrom } from './command-words.ts';
import { configFiles, writtenSections } from './config-files.ts';
import { choiceFrom, numberFrom } from './environment-choice.ts';
import { environmentSection } from './environment-section.ts';
import { type ExtensionConfig, extensionConfig } from './extension-config.ts';
import { type FacadeConfig, facadeConfig } from './facade-config.ts';
import { usualLogFormat } from './first-profile.ts';
import { type HookConfig, hookConfig } from './hook-config.ts';
import type { PyrightVariables } from './pyright-variables.ts';
import type { FileSection, ServerSection } from './schema.ts';
import { parseServerArgs } from './server-args.ts';
import { applyServerEntries, type ServerEntry } from './server-entries.ts';
import { stateDirectory } from './state-dir.ts';

export interface Config extends AccessConfig, CheckConfig, FacadeConfig, HookConfig, ExtensionConfig {
  /** The language table with the user's languages in it. */
  readonly languages: readonly LanguageFamily[];
  /** What the user says of single servers, by family id. */
  readonly overrides: ReadonlyMap<string, ServerOverride>;
  /** Families the user has named, in order; empty means: whatever is detected. */
  readonly configuredLanguages: readonly string[];
  readonly daemon: DaemonMode;
  readonly idleTimeoutMs: number;
  /** How long a call may take unless its tool says otherwise. */
  readonly callTimeoutMs: number;
  /** How long a call waits for a server that has answered before, until it says that the server goes on. */
  readonly patienceMs: number;
  /** Servers of the languages that the root is written in are started with the session. */
  readonly isEager: boolean;
  /** Whether clients are sent messages about diagnostics that they did not ask for. */
  readonly pushesDiagnostics: boolean;
  /** Whether answers end with the next step. */
  readonly hasHints: boolean;
  readonly logLevel: LogLevel;
  readonly logMode: LogMode;
  /** How its lines look, by where they go. */
  readonly logFormats: { readonly stderr: LogFormat; readonly file: LogFormat };
  readonly output: OutputFormat;
  readonly transport: Transport;
  readonly tools: ToolProfile;
  /** Which TypeScript serves projects that have an older one. */
  readonly typescript: TypescriptChoice;
  readonly stateDir: AbsPath;
  /** The files that were read, weakest first. */
  readonly files: readonly AbsPath[];
  /** Variables of ours that were given under other names; they hold for what the session starts as well. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What the command line may say; everything is optional. */
export interface CommandLineConfig extends AccessOptions {
  readonly configFile?: string | undefined;
  /** The positional arguments; see server-args.ts. */
  readonly servers?: readonly string[] | undefined;
  readonly daemon?: DaemonMode | undefined;
  /** Where neither this nor a file says whether servers are shared. */
  readonly daemonDefault?: DaemonMode | undefined;
  readonly idleTimeoutMinutes?: number | undefined;
  readonly eager?: boolean | undefined;
  readonly hints?: boolean | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly output?: OutputFormat | undefined;
  readonly tools?: ToolProfile | undefined;
  readonly typescript?: TypescriptChoice | undefined;
  /** How MCP is spoken; standard input and output if not said. */
  readonly transport?: Transport | undefined;
}

export interface ConfigSources {
  readonly environment: Environment;
  readonly cwd: string;
  readonly commandLine?: CommandLineConfig;
  /** From `-r`; the working directory if there are none. */
  readonly roots?: readonly string[];
  /** Where config.json, config.jsonc or config.toml of the user is; by default the platform's place. */
  readonly userConfigDir?: string;
}

const DEFAULT_IDLE_MINUTES = 30;
/** Below the minute after which most clients give up. */
const DEFAULT_CALL_SECONDS = 50;
/** With what comes after the server's answer a call ends within five seconds. */
const DEFAULT_PATIENCE_SECONDS = 3.5;
const MILLISECONDS = { least: 1, most: 3_600_000 };

export async function loadConfig(given: ConfigSources): Promise<Config> {
  const { cwd, commandLine = {} } = given;
  const files = configFiles({ ...given, configFile: commandLine.configFile });
  const written = await writtenSections(files);
  const tools =
    commandLine.tools ??
    choiceFrom(given.environment, 'AGENT_LSP_TOOLS', TOOL_PROFILES) ??
    written.findLast((section) => section.tools !== undefined)?.tools ??
    'auto';
  const aliases = await aliasesOf(tools, given);
  const environment = withVariables(given.environment, aliases.variables);
  const sources = { ...given, environment };
  const sections = [...written, await environmentSection(environment)];
  const strongest = <Key extends keyof FileSection>(key: Key): FileSection[Key] =>
    sections.findLast((section) => section[key] !== undefined)?.[key];

  const origins = [...files, path.join(cwd, 'AGENT_LSP_SERVERS')];
  const entries = sections.map((section, index) => entriesOf(section, origins[index] ?? '', environment));
  const context = { table: languageTable, cwd, homedir: environment.homedir };
  const fromArgs = parseServerArgs(commandLine.servers ?? [], context);
  const servers = applyServerEntries([...entries, aliases.servers, fromArgs], languageTable);
  const checks = checkConfig(sections, origins, environment);
  const forced = commandLine.daemon ?? choiceFrom(environment, 'AGENT_LSP_DAEMON', DAEMON_MODES);

  return {
    languages: servers.languages,
    overrides: forced ? withoutDaemonModes(servers.overrides) : servers.overrides,
    configuredLanguages: servers.configured,
    daemon: forced ?? strongest('daemon') ?? commandLine.daemonDefault ?? 'auto',
    idleTimeoutMs:
      (commandLine.idleTimeoutMinutes ?? strongest('idle_timeout_minutes') ?? DEFAULT_IDLE_MINUTES) * 60_000,
    callTimeoutMs:
      numberFrom(environment, 'AGENT_LSP_CALL_TIMEOUT_MS', MILLISECONDS) ??
      (strongest('call_timeout_seconds') ?? DEFAULT_CALL_SECONDS) * 1_000,
    patienceMs:
      numberFrom(environment, 'AGENT_LSP_PATIENCE_MS', MILLISECONDS) ??
      (strongest('patience_seconds') ?? DEFAULT_PATIENCE_SECONDS) * 1_000,
    isEager: commandLine.eager ?? strongest('eager') ?? false,
    pushesDiagnostics: strongest('push_diagnostics') ?? true,
    hasHints: commandLine.hints ?? strongest('hints') ?? true,
    logLevel: commandLine.logLevel ?? logLevelFrom(environment) ?? strongest('log_level') ?? 'info',
    logMode: strongest('log_mode') ?? 'stderr',
    logFormats: {
      stderr: strongest('log_format') ?? usualLogFormat(tools),
      file: strongest('log_format') ?? 'text',
    },
    output:
      commandLine.output ??
      choiceFrom(environment, 'AGENT_LSP_OUTPUT_FORMAT', OUTPUT_FORMATS) ??
      strongest('output') ??
      'text',
    transport: commandLine.transport ?? 'stdio',
    tools,
    typescript:
      commandLine.typescript ??
      choiceFrom(environment, 'AGENT_LSP_TYPESCRIPT', TYPESCRIPT_CHOICES) ??
      strongest('typescript') ??
      'auto',
    ...accessConfig(sources, sections, files, checks.hasHealthCheck ? [] : ['health_check']),
    ...checks,
    ...facadeConfig(sections, environment),
    ...hookConfig(sections, environment),
    ...extensionConfig(
      given,
      sections,
      files,
      given.commandLine?.configFile === undefined ? files : files.slice(0, -1),
    ),
    stateDir: stateDirectory(environment),
    files,
    variables: aliases.variables,
  };
}

/** The variables of another product count where its names do. */
async function aliasesOf(
  tools: ToolProfile,
  { environment, cwd, commandLine }: ConfigSources,
): Promise<PyrightVariables> {
  if (tools !== 'pyright') return { variables: {}, servers: [] };
  const { pyrightVariables } = await import('./pyright-variables.ts');
  return pyrightVariables(environment, cwd, commandLine?.transport);
}

/** Whether a family's server is shared through a broker. */
export function usesDaemon(config: Pick<Config, 'daemon' | 'overrides'>, family: LanguageFamily): boolean {
  const own = config.overrides.get(family.id)?.daemon;
  const mode = own ?? config.daemon;
  return mode === 'auto' ? family.daemonPolicy === 'auto-daemon' : mode === 'always';
}

function entriesOf(section: FileSection, file: string, environment: Environment): readonly ServerEntry[] {
  const named = Object.entries(section.lsp?.servers ?? {}).map(([language_id, server]) => {
    const { command, args = [], initializationOptions: initialization_options } = server;
    const meant = { language_id, command: [command, ...args], initialization_options };
    return entryOf(meant, `${file}: lsp.servers.${language_id}`, file, environment);
  });
  const listed = (section.servers ?? []).map((server, index) =>
    entryOf(server, `${file}: servers[${index}]`, file, environment),
  );
  return [...listed, ...named];
}

function entryOf(server: ServerSection, origin: string, file: string, environment: Environment): ServerEntry {
  return {
    languageId: server.language_id,
    extensions: (server.extensions ?? []).map((extension) => extension.replace(/^\./, '')),
    command: server.command && commandFrom(server.command, path.dirname(file), environment.homedir),
    env: server.env ?? {},
    settings: server.settings ?? {},
    initializationOptions: server.initialization_options,
    rootMarkers: server.root_markers,
    daemon: server.daemon,
    disabled: server.disabled,
    origin,
  };
}

/** The environment and the command line speak for all languages, and are stronger than a file's word on one. */
function withoutDaemonModes(
  overrides: ReadonlyMap<string, ServerOverride>,
): ReadonlyMap<string, ServerOverride> {
  return new Map([...overrides].map(([id, override]) => [id, { ...override, daemon: undefined }]));
}

/** LOG_LEVEL belongs to everybody: what we do not understand there is not meant for us. */
function logLevelFrom(environment: Environment): LogLevel | undefined {
  const own = choiceFrom(environment, 'AGENT_LSP_LOG_LEVEL', LOG_LEVELS);
  const general = variable(environment, 'LOG_LEVEL')?.toLowerCase();
  return own ?? LOG_LEVELS.find((level) => level === general || `${level}ing` === general);
}
