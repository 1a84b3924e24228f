/**
 * What clients send to hooks and understand as an answer: the tests of hooks run the program as these clients do. Taken
 * from what Claude Code 2.1.328, Codex 0.169.0, Copilot CLI 1.0.102 and Gemini CLI 0.61.0 sent, which
 * test/clients/hooks.test.ts holds; of Cursor, which no registry has, from its documentation.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HookClientName } from '../../src/frontend/features/hooks/clients/hook-client.ts';
import type { HookEventName } from '../../src/frontend/features/hooks/hook-event.ts';
import { BUILT_PROGRAM } from './mcp-client.ts';
import type { Workspace } from './workspace.ts';

export interface Edited {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The JSON of one client for each of our events. */
export interface ClientForm {
  readonly name: Exclude<HookClientName, 'plain'>;
  edited(at: Place, edit: Edited): object;
  /** A file that was not there. */
  created(at: Place, file: string, text: string): object;
  searched(at: Place, pattern: string): object;
  turnEnded(at: Place, again?: boolean): object;
  /** The same edit by an agent that the main agent has started. */
  editedBySubagent?(at: Place, edit: Edited): object;
  /** What of an answer reaches the agent; undefined when nothing does. */
  told(event: HookEventName, answer: unknown): unknown;
}

export interface Place {
  readonly root: string;
  readonly session: string;
}

const claudeBase = ({ root, session }: Place, hook_event_name: string) => ({
  session_id: session,
  transcript_path: `${root}/../transcript.jsonl`,
  cwd: root,
  permission_mode: 'acceptEdits',
  hook_event_name,
});

/** The whole texts, as far as there is such a file, in which the edit is made. */
function textsOf({ file, before, after }: Edited): { readonly former?: string; readonly now?: string } {
  if (!existsSync(file)) return {};
  const now = readFileSync(file, 'utf8');
  return { former: now.replace(after, () => before), now };
}

const nested = (answer: unknown) =>
  (answer as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput?.additionalContext;
const field = (answer: unknown, key: string) => (answer as Record<string, unknown>)[key];

const claude: ClientForm = {
  name: 'claude',
  edited: (at, edit) => ({
    ...claudeBase(at, 'PostToolUse'),
    tool_name: 'Edit',
    tool_input: {
      ...{ file_path: edit.file, old_string: edit.before, new_string: edit.after },
      replace_all: false,
    },
    tool_response: {
      ...{ filePath: edit.file, oldString: edit.before, newString: edit.after },
      originalFile: textsOf(edit).former,
      ...{ userModified: false, replaceAll: false },
    },
    tool_use_id: 'toolu_01',
    duration_ms: 12,
  }),
  created: (at, file, content) => ({
    ...claudeBase(at, 'PostToolUse'),
    tool_name: 'Write',
    tool_input: { file_path: file, content },
    tool_response: {
      ...{ type: 'create', filePath: file, content, structuredPatch: [] },
      ...{ originalFile: null, userModified: false },
    },
    tool_use_id: 'toolu_02',
  }),
  searched: (at, pattern) => ({
    ...claudeBase(at, 'PreToolUse'),
    tool_name: 'Bash',
    tool_input: { command: `grep -rn '${pattern}' src`, description: 'Search' },
    tool_use_id: 'toolu_03',
  }),
  turnEnded: (at, again = false) => ({
    ...claudeBase(at, 'Stop'),
    stop_hook_active: again,
    last_assistant_message: 'Done.',
  }),
  editedBySubagent: (at, edit) => ({
    ...claude.edited(at, edit),
    agent_id: 'agent-7',
    agent_type: 'Explore',
  }),
  told: (event, answer) => (event === 'turn-end' ? blockedWith(answer, 'block') : nested(answer)),
};

const codexBase = (at: Place, hook_event_name: string) => ({
  ...claudeBase(at, hook_event_name),
  turn_id: 'turn-1',
  model: 'some-model',
});

const PATCHED = 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n';

const codex: ClientForm = {
  name: 'codex',
  edited: (at, edit) => ({
    ...codexBase(at, 'PostToolUse'),
    tool_name: 'apply_patch',
    tool_input: { command: patchOf(at, edit) },
    tool_response: `${PATCHED}M ${inRoot(at, edit.file)}\n`,
    tool_use_id: 'call_1',
  }),
  created: (at, file, text) => ({
    ...codexBase(at, 'PostToolUse'),
    tool_name: 'apply_patch',
    tool_input: {
      command: `*** Begin Patch\n*** Add File: ${inRoot(at, file)}\n${marked('+', text)}*** End Patch`,
    },
    tool_response: `${PATCHED}A ${inRoot(at, file)}\n`,
    tool_use_id: 'call_2',
  }),
  searched: (at, pattern) => ({
    ...codexBase(at, 'PreToolUse'),
    tool_name: 'Bash',
    tool_input: { command: `rg -n '${pattern}' src | head` },
    tool_use_id: 'call_3',
  }),
  turnEnded: (at, again = false) => ({
    ...codexBase(at, 'Stop'),
    stop_hook_active: again,
    last_assistant_message: 'done',
  }),
  editedBySubagent: (at, edit) => ({ ...codex.edited(at, edit), agent_id: 'thread-2', agent_type: 'worker' }),
  told: claude.told,
};

const cursorBase = ({ root, session }: Place, hook_event_name: string) => ({
  conversation_id: session,
  generation_id: 'generation-1',
  model: 'some-model',
  hook_event_name,
  cursor_version: '2026.09.18-9a7762b',
  workspace_roots: [root],
  user_email: null,
  transcript_path: null,
});

const cursor: ClientForm = {
  name: 'cursor',
  edited: (at, { file, before, after }) => ({
    ...cursorBase(at, 'afterFileEdit'),
    file_path: file,
    edits: [{ old_string: before, new_string: after }],
  }),
  created: (at, file, text) => ({
    ...cursorBase(at, 'afterFileEdit'),
    file_path: file,
    edits: [{ old_string: '', new_string: text }],
  }),
  searched: (at, pattern) => ({
    ...cursorBase(at, 'postToolUse'),
    tool_name: 'Grep',
    tool_input: { pattern },
    tool_output: '{"output":""}',
    tool_use_id: 'call_3',
    cwd: at.root,
    duration: 12,
  }),
  turnEnded: (at, again = false) => ({
    ...cursorBase(at, 'stop'),
    status: 'completed',
    loop_count: again ? 1 : 0,
  }),
  told: (event, answer) => field(answer, event === 'turn-end' ? 'followup_message' : 'additional_context'),
};

const copilotBase = ({ root, session }: Place) => ({
  sessionId: session,
  timestamp: 1_704_614_400_000,
  cwd: root,
});
const SUCCESS = { resultType: 'success', textResultForLlm: 'ok' };
const bySubagent = { agentId: 'agent-7', agentType: 'general-purpose' };

const copilot: ClientForm = {
  name: 'copilot',
  edited: (at, { file, before, after }) => ({
    ...copilotBase(at),
    toolName: 'edit',
    toolArgs: { path: file, old_str: before, new_str: after },
    toolResult: SUCCESS,
  }),
  created: (at, file, text) => ({
    ...copilotBase(at),
    toolName: 'create',
    toolArgs: { path: file, file_text: text },
    toolResult: SUCCESS,
  }),
  searched: (at, pattern) => ({
    ...copilotBase(at),
    toolName: 'grep',
    toolArgs: { pattern, path: at.root },
    toolResult: SUCCESS,
  }),
  turnEnded: (at, again = false) => ({
    ...copilotBase(at),
    transcriptPath: `${at.root}/../events.jsonl`,
    stopReason: 'end_turn',
    stop_hook_active: again,
  }),
  // It has a session of its own, whose turn ends as well.
  editedBySubagent: (at, edit) => ({
    ...copilot.edited({ ...at, session: bySubagent.agentId }, edit),
    ...bySubagent,
    parentAgentId: at.session,
  }),
  told: (event, answer) =>
    event === 'turn-end' ? blockedWith(answer, 'block') : field(answer, 'additionalContext'),
};

const copilotClaudeBase = ({ root, session }: Place, hook_event_name: string) => ({
  hook_event_name,
  session_id: session,
  timestamp: '2026-01-01T10:00:00.000Z',
  cwd: root,
});
const SUCCESS_IN_CLAUDE = { result_type: 'success', text_result_for_llm: 'ok' };

/** Copilot CLI as it runs hooks that are written for Claude Code. */
export const copilotAsClaude: ClientForm = {
  name: 'copilot',
  edited: (at, { file, before, after }) => ({
    ...copilotClaudeBase(at, 'PostToolUse'),
    tool_name: 'Edit',
    tool_input: { path: file, old_str: before, new_str: after },
    tool_result: SUCCESS_IN_CLAUDE,
  }),
  created: (at, file, text) => ({
    ...copilotClaudeBase(at, 'PostToolUse'),
    tool_name: 'Write',
    tool_input: { path: file, file_text: text },
    tool_result: SUCCESS_IN_CLAUDE,
  }),
  searched: (at, pattern) => ({
    ...copilotClaudeBase(at, 'PreToolUse'),
    tool_name: 'Grep',
    tool_input: { pattern, path: at.root },
  }),
  turnEnded: (at, again = false) => ({
    ...copilotClaudeBase(at, 'Stop'),
    transcript_path: `${at.root}/../events.jsonl`,
    stop_reason: 'end_turn',
    stop_hook_active: again,
  }),
  editedBySubagent: (at, edit) => ({
    ...copilotAsClaude.edited({ ...at, session: bySubagent.agentId }, edit),
    agent_id: bySubagent.agentId,
    agent_type: bySubagent.agentType,
    parent_agent_id: at.session,
  }),
  told: copilot.told,
};

const geminiBase = ({ root, session }: Place, hook_event_name: string) => ({
  session_id: session,
  transcript_path: `${root}/../chat.json`,
  cwd: root,
  hook_event_name,
  timestamp: '2026-01-01T10:00:00.000Z',
});

const gemini: ClientForm = {
  name: 'gemini',
  edited: (at, edit) => ({
    ...geminiBase(at, 'AfterTool'),
    tool_name: 'replace',
    tool_input: {
      ...{ file_path: edit.file, instruction: 'change it' },
      ...{ old_string: edit.before, new_string: edit.after },
    },
    tool_response: {
      llmContent: 'ok',
      returnDisplay: {
        ...{ fileName: path.basename(edit.file), filePath: edit.file, isNewFile: false },
        ...{ originalContent: textsOf(edit).former, newContent: textsOf(edit).now },
      },
    },
  }),
  created: (at, file, content) => ({
    ...geminiBase(at, 'AfterTool'),
    tool_name: 'write_file',
    tool_input: { file_path: file, content },
    tool_response: {
      llmContent: 'ok',
      returnDisplay: {
        ...{ fileName: path.basename(file), filePath: file, isNewFile: true },
        ...{ originalContent: '', newContent: content },
      },
    },
  }),
  searched: (at, pattern) => ({
    ...geminiBase(at, 'AfterTool'),
    tool_name: 'grep_search',
    tool_input: { pattern },
    tool_response: { llmContent: 'No matches', returnDisplay: { summary: 'No matches found' } },
  }),
  turnEnded: (at, again = false) => ({
    ...geminiBase(at, 'AfterAgent'),
    prompt: 'do it',
    prompt_response: 'done',
    stop_hook_active: again,
  }),
  told: (event, answer) => (event === 'turn-end' ? blockedWith(answer, 'deny') : nested(answer)),
};

export const CLIENT_FORMS: readonly ClientForm[] = [claude, codex, cursor, copilot, gemini];

export function clientForm(name: ClientForm['name']): ClientForm {
  const form = CLIENT_FORMS.find((each) => each.name === name);
  if (!form) throw new Error(`no forms of ${name}`);
  return form;
}

function blockedWith(answer: unknown, decision: string): unknown {
  return field(answer, 'decision') === decision ? field(answer, 'reason') : undefined;
}

function patchOf(at: Place, { file, before, after }: Edited): string {
  const hunk = `@@\n${marked('-', before)}${marked('+', after)}`;
  return `*** Begin Patch\n*** Update File: ${inRoot(at, file)}\n${hunk}*** End Patch\n`;
}

function marked(mark: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? '' : lines.map((line) => `${mark}${line}\n`).join('');
}

function inRoot({ root }: Place, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

export interface HookRunResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `agent-lsp hook` as a client does: JSON on standard input, its directory anywhere. */
export function runHookCommand(
  workspace: Workspace,
  args: readonly string[],
  input: object | string = '',
  env: Readonly<Record<string, string>> = {},
): Promise<HookRunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BUILT_PROGRAM, 'hook', ...args], {
      cwd: workspace.scratch,
      env: workspace.env(env),
      stdio: 'pipe',
    });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.err += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
    child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  });
}
