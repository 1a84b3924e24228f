/** From the JSON of a client to an event: fields by any of the names that clients give them, and nothing is required. */
import { fieldOf, isObject } from '../../../shared/base/unknown-value.ts';
import type { HookClient } from './clients/hook-client.ts';
import type { FileChangeTold, HookEvent, HookInput } from './hook-event.ts';
import { nameInCommand, nameInPattern } from './searched-name.ts';
import { looksLikeEdit, toldChanges } from './told-changes.ts';

const SESSIONS = ['session_id', 'sessionId', 'conversation_id', 'conversationId'];
const DIRECTORIES = ['cwd', 'workspace_root', 'workspaceRoot'];
const EVENT_NAMES = ['hook_event_name', 'hookEventName'];
const TOOLS = ['tool_name', 'toolName'];
const ARGUMENTS = ['tool_input', 'toolArgs', 'toolInput'];
const RESULTS = ['tool_response', 'tool_result', 'toolResult', 'tool_output'];
/** Only what happens inside of another agent than the main one comes with these. */
const OF_SUBAGENTS = [
  'agent_id',
  'agentId',
  'subagent_id',
  'subagentId',
  'parent_conversation_id',
  'parent_session_id',
];
const SUBAGENT_EVENTS = /^subagent/i;
/** Tools that refuse to write over a file that is there. */
const MAKERS: ReadonlySet<string> = new Set(['create', 'create_file', 'createfile']);
const PATTERNS = ['pattern', 'regex', 'query', 'search_pattern'];
const COMMANDS = ['command', 'cmd', 'script'];

/** A line for the user when what came is no JSON object. */
export type ParsedInput = { readonly input: HookInput } | { readonly problem: string };

export function parseInput(text: string): ParsedInput {
  if (text.trim() === '') return { input: {} };
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? { input: value } : { problem: 'standard input is JSON, but no object' };
  } catch (error) {
    return { problem: `standard input is not JSON (${error instanceof Error ? error.message : error})` };
  }
}

/** `files` are those of the command line. */
export function readEvent(client: HookClient, input: HookInput, files: readonly string[]): HookEvent {
  const tool = (textUnder(input, TOOLS) ?? '').toLowerCase();
  const args = unpacked(valueUnder(input, ARGUMENTS));
  const name = textUnder(input, EVENT_NAMES) ?? '';
  return {
    session: textUnder(input, SESSIONS) ?? '',
    directory: textUnder(input, DIRECTORIES) ?? firstRoot(input.workspace_roots),
    isAhead: /^(?:before|pre)/i.test(name),
    isSubagent: textUnder(input, OF_SUBAGENTS) !== undefined || SUBAGENT_EVENTS.test(name),
    continuations: continuationsIn(input),
    isBrokenOff: /^(?:aborted|error)$/.test(textUnder(input, ['status']) ?? ''),
    changes: [
      ...files.map((path) => ({ path, replacements: [] })),
      ...changesIn(client, input, { tool, args }),
    ],
    searched: searchedIn(client, { tool, args }),
  };
}

interface ToolCall {
  readonly tool: string;
  readonly args: unknown;
}

function changesIn(
  client: HookClient,
  input: HookInput,
  { tool, args }: ToolCall,
): readonly FileChangeTold[] {
  // Events about a file have its path beside the other fields.
  if (tool === '') return toldChanges(input, undefined);
  const isEdit = client.editTools.includes(tool) || looksLikeEdit(args);
  if (!isEdit || client.searchTools.includes(tool)) return [];
  const makesNew = MAKERS.has(tool) || client.makerTools?.includes(tool);
  return toldChanges(args, unpacked(valueUnder(input, RESULTS)), makesNew);
}

function searchedIn(client: HookClient, { tool, args }: ToolCall): string | undefined {
  if (!isObject(args)) return undefined;
  if (client.searchTools.includes(tool)) return nameInPattern(textUnder(args, PATTERNS) ?? '');
  if (!client.shellTools.includes(tool)) return undefined;
  const command = valueUnder(args, COMMANDS);
  // As a list it is a program with its arguments, the last of which may be a whole script.
  const text = Array.isArray(command) ? command.at(-1) : command;
  return typeof text === 'string' ? nameInCommand(text) : undefined;
}

function continuationsIn(input: HookInput): number {
  const count = input.loop_count;
  if (typeof count === 'number') return count;
  return valueUnder(input, ['stop_hook_active', 'stopHookActive']) === true ? 1 : 0;
}

/** Some clients pass arguments and results as JSON in a text. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function firstRoot(roots: unknown): string | undefined {
  const first = fieldOf(roots, 0);
  return typeof first === 'string' ? first : undefined;
}

function valueUnder(value: HookInput, keys: readonly string[]): unknown {
  return keys.map((key) => value[key]).find((found) => found !== undefined && found !== null);
}

function textUnder(value: HookInput, keys: readonly string[]): string | undefined {
  const found = valueUnder(value, keys);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
