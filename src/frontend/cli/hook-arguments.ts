/**
 * The command line of `agent-lsp hook`, read without what other commands are read with: a hook runs after every edit, and
 * most of its time is starting.
 */
import { parseArgs } from 'node:util';
import { didYouMean } from '../../shared/base/near-names.ts';
import { DAEMON_MODES, type DaemonMode } from '../../shared/config/choices.ts';
import { HOOK_MODES, type HookMode } from '../../shared/config/lsp-actions.ts';
import { HOOK_CLIENTS, type HookClientName } from '../features/hooks/clients/hook-client.ts';
import { HOOK_EVENTS, type HookEventName } from '../features/hooks/hook-event.ts';

export interface HookArguments {
  readonly event: HookEventName;
  readonly files: readonly string[];
  readonly client: HookClientName | undefined;
  readonly mode: HookMode | undefined;
  readonly timeoutMs: number | undefined;
  readonly configFile: string | undefined;
  readonly roots: readonly string[];
  readonly daemon: DaemonMode | undefined;
  readonly isSubagent: boolean;
}

/** A line for the user when the command line is not understood. */
export type ParsedArguments = { readonly hook: HookArguments } | { readonly problem: string };

/** `args` are those behind the word `hook`. */
export function hookArguments(args: readonly string[]): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        client: { type: 'string' },
        mode: { type: 'string' },
        timeout: { type: 'string' },
        config: { type: 'string' },
        root: { type: 'string', short: 'r', multiple: true },
        daemon: { type: 'string' },
        subagent: { type: 'boolean' },
      },
    });
    const [event = '', ...files] = positionals;
    return {
      hook: {
        event: oneOf(HOOK_EVENTS, event, 'event'),
        files,
        client: values.client === undefined ? undefined : oneOf(HOOK_CLIENTS, values.client, 'client'),
        mode: values.mode === undefined ? undefined : oneOf(HOOK_MODES, values.mode, 'mode'),
        timeoutMs: values.timeout === undefined ? undefined : milliseconds(values.timeout),
        configFile: values.config,
        roots: values.root ?? [],
        daemon: values.daemon === undefined ? undefined : oneOf(DAEMON_MODES, values.daemon, 'daemon mode'),
        isSubagent: values.subagent === true,
      },
    };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
  }
}

function oneOf<Choice extends string>(choices: readonly Choice[], word: string, what: string): Choice {
  const choice = choices.find((each) => each === word);
  if (choice !== undefined) return choice;
  const meant = didYouMean(word, choices) || `; one of ${choices.join(', ')}`;
  throw new Error(`there is no ${what} ${JSON.stringify(word)}${meant}`);
}

function milliseconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 600) return seconds * 1_000;
  throw new Error(`--timeout is ${JSON.stringify(text)}, which is no number of seconds up to 600`);
}
