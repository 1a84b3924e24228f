/**
 * The variables that users of `--tools pyright` know, as other names of our own settings. Only this profile reads them;
 * a variable of ours is stronger. One that is misspelt or has a wrong value is refused: it would silently not hold.
 */
import { fail } from '../base/failure.ts';
import { suggestion } from '../base/near-names.ts';
import { type Environment, variable } from '../languages/environment.ts';
import { IDLE_SERVERS_VARIABLE } from '../link/idle-servers.ts';
import { MOST_CHECK_SECONDS } from './check-config.ts';
import { LOG_MODES, type Transport } from './choices.ts';
import { commandFrom } from './command-words.ts';
import { choiceFrom, numberFrom, switchFrom } from './environment-choice.ts';
import type { ServerEntry } from './server-entries.ts';

export interface PyrightVariables {
  /** Values of our own variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly servers: readonly ServerEntry[];
}

interface Alias {
  readonly name: string;
  /** Our variable; undefined where the value is only checked here. */
  readonly ours: string | undefined;
  /** Fails when the value is not one that the variable may have. */
  value(environment: Environment, name: string): string | undefined;
}

const PREFIX = 'PYRIGHT_MCP_';
const LEVELS = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const;
const LEVEL_NAMES = ['debug', 'info', 'warning', 'error'] as const;
const DAY_SECONDS = 86_400;

const ALIASES: readonly Alias[] = [
  { name: 'ALLOWED_PATHS', ours: 'AGENT_LSP_ALLOWED_PATHS', value: variable },
  {
    name: 'CLI_TIMEOUT',
    ours: 'AGENT_LSP_CHECK_TYPES',
    value: number({ least: 1, most: MOST_CHECK_SECONDS }, (timeout_seconds) =>
      JSON.stringify({ timeout_seconds }),
    ),
  },
  {
    name: 'LSP_TIMEOUT',
    ours: 'AGENT_LSP_IDLE_TIMEOUT_MINUTES',
    value: number({ least: 1, most: DAY_SECONDS }, (seconds) => String(seconds / 60)),
  },
  { name: 'LSP_COMMAND', ours: undefined, value: variable },
  {
    name: 'LSP_POOL_SIZE',
    ours: IDLE_SERVERS_VARIABLE,
    value: number({ least: 1, most: 64 }, (size) => String(Math.floor(size))),
  },
  {
    name: 'LOG_MODE',
    ours: 'AGENT_LSP_LOG_MODE',
    value: (environment, name) => choiceFrom(environment, name, LOG_MODES),
  },
  {
    name: 'LOG_LEVEL',
    ours: 'AGENT_LSP_LOG_LEVEL',
    value: (environment, name) => {
      const level = choiceFrom(environment, name, LEVEL_NAMES);
      return level && LEVELS[level];
    },
  },
  { name: 'ENABLE_HEALTH_CHECK', ours: 'AGENT_LSP_HEALTH_CHECK', value: yesNoWord },
  { name: 'METRICS_ENABLED', ours: 'AGENT_LSP_METRICS', value: yesNoWord },
];

const TRANSPORT = `${PREFIX}TRANSPORT`;
const TRANSPORTS = ['stdio', 'http', 'sse'] as const;

export function pyrightVariables(
  environment: Environment,
  cwd: string,
  transport: Transport = 'stdio',
): PyrightVariables {
  refuseUnknown(environment);
  refuseOther(transport, environment);
  const variables: Record<string, string> = {};
  for (const { name, ours, value } of ALIASES) {
    const given = value(environment, `${PREFIX}${name}`);
    const isSaidByUs = ours !== undefined && variable(environment, ours) !== undefined;
    if (given !== undefined && ours !== undefined && !isSaidByUs) variables[ours] = given;
  }
  return { variables, servers: serverOf(environment, cwd) };
}

function refuseUnknown({ env }: Environment): void {
  const known = [...ALIASES.map(({ name }) => `${PREFIX}${name}`), TRANSPORT];
  const unknown = Object.keys(env).find((name) => name.startsWith(PREFIX) && !known.includes(name));
  if (unknown === undefined) return;
  fail({
    kind: 'invalid-input',
    message: `the variable ${unknown} is not known${suggestion(unknown, known)}`,
    next: `Correct its name, or unset it.`,
  });
}

/** Known servers of Python talk on standard input and output only when they are told to. */
function serverOf(environment: Environment, cwd: string): readonly ServerEntry[] {
  const origin = `${PREFIX}LSP_COMMAND`;
  const words = (variable(environment, origin) ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const spoken = words.length === 1 ? [...words, '--stdio'] : words;
  const command = commandFrom(spoken, cwd, environment.homedir);
  return [{ languageId: 'python', extensions: [], command, env: {}, settings: {}, origin }];
}

function number(
  limits: { readonly least: number; readonly most: number },
  written: (given: number) => string,
): Alias['value'] {
  return (environment, name) => {
    const given = numberFrom(environment, name, limits);
    return given === undefined ? undefined : written(given);
  };
}

function yesNoWord(environment: Environment, name: string): string | undefined {
  const choice = switchFrom(environment, name);
  return choice === undefined ? undefined : String(choice);
}

/** How MCP is spoken is said where the program is started; a variable that says otherwise would silently not hold. */
function refuseOther(transport: Transport, environment: Environment): void {
  const wanted = choiceFrom(environment, TRANSPORT, TRANSPORTS);
  if (wanted === undefined || wanted === transport) return;
  const next = {
    stdio: `Start agent-lsp without --http, or unset ${TRANSPORT}.`,
    http: `Start agent-lsp with --http, or unset ${TRANSPORT}.`,
    sse: `Set ${TRANSPORT} to http and start agent-lsp with --http: it has event streams.`,
  }[wanted];
  fail({
    kind: 'invalid-input',
    message: `the variable ${TRANSPORT} is "${wanted}", and this agent-lsp was started to speak MCP over ${transport}`,
    next,
  });
}
