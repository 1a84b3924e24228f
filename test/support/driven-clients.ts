/**
 * Real clients of hooks, without a screen and against a scripted model: how each is fetched, set up as the README says,
 * and what its model has to call for a search and an edit. Nothing of theirs leaves the machine.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { fetchedPackage } from './fetched.ts';
import type { ClientForm, Edited } from './hook-inputs.ts';
import { BUILT_PROGRAM } from './mcp-client.ts';
import type { ModelTurn, ScriptedModel } from './scripted-model.ts';
import type { Workspace } from './workspace.ts';

export interface DrivenClient {
  readonly name: Exclude<ClientForm['name'], 'cursor'>;
  readonly version: string;
  /** Of its example in the README. */
  readonly title: string;
  readonly hooksFile: string;
  fetch(context: TestContext): Promise<string>;
  /** How it is run on one prompt, after what it needs in its home was written. */
  start(program: string, at: ClientPlace): ClientStart;
  search(pattern: string): ModelTurn;
  /** What it wants to have read before an edit it reads first. */
  edit(workspace: Workspace, edit: Edited): readonly ModelTurn[];
  /** Has a subagent do these turns, and waits for it. */
  delegate?(turns: readonly ModelTurn[]): readonly ModelTurn[];
}

export interface ClientPlace {
  readonly workspace: Workspace;
  readonly modelUrl: string;
}

export interface ClientStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const PROMPT = 'Change it.';
const PLATFORM = `${process.platform}-${process.arch}`;

const claude: DrivenClient = {
  name: 'claude',
  version: '2.1.328',
  title: 'Claude Code',
  hooksFile: '.claude/settings.json',
  fetch: (context) =>
    fetchedPackage(context, `@anthropic-ai/claude-code-${PLATFORM}`, claude.version, 'claude', 357),
  start: (command, { modelUrl }) => ({
    command,
    args: ['-p', PROMPT, '--dangerously-skip-permissions'],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      // Otherwise it does not run so for root.
      IS_SANDBOX: '1',
    },
  }),
  search: (pattern) => ({
    call: 'Bash',
    args: { command: `grep -rn '${pattern}' src`, description: 'Search' },
  }),
  edit: (_, { file, before, after }) => [
    { call: 'Read', args: { file_path: file } },
    { call: 'Edit', args: { file_path: file, old_string: before, new_string: after } },
  ],
  delegate: (turns) => [
    {
      call: 'Agent',
      args: {
        ...{ description: 'Change', prompt: PROMPT, subagent_type: 'general-purpose' },
        run_in_background: false,
      },
    },
    ...turns,
    { say: 'Changed.' },
  ],
};

/** Known to this version, and has a tool for patches; a model that it does not know gets none. */
const CODEX_MODEL = 'gpt-5.5';

const codex: DrivenClient = {
  name: 'codex',
  version: '0.169.0',
  title: 'Codex',
  hooksFile: '.codex/hooks.json',
  fetch: (context) => fetchedPackage(context, '@openai/codex', codex.version, 'bin/codex.js', 404),
  start: (program, { workspace, modelUrl }) => {
    workspace.write(
      path.join(workspace.home, '.codex/config.toml'),
      `
model = "${CODEX_MODEL}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"

[analytics]
enabled = false

[feedback]
enabled = false

[projects."${workspace.root}"]
trust_level = "trusted"
`,
    );
    const options = ['--skip-git-repo-check', '--dangerously-bypass-hook-trust'];
    return {
      command: process.execPath,
      args: [program, 'exec', ...options, PROMPT],
      env: { CODEX_HOME: path.join(workspace.home, '.codex') },
    };
  },
  search: (pattern) => ({ call: 'exec_command', args: { cmd: `grep -rn '${pattern}' src` } }),
  edit: (workspace, edit) => [{ call: 'apply_patch', args: patchText(workspace, edit) }],
};

/** A patch of one line. */
export function patchText({ root }: Workspace, { file, before, after }: Edited): string {
  const lines = [`*** Update File: ${path.relative(root, file)}`, '@@', `-${before}`, `+${after}`];
  return ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
}

const copilot: DrivenClient = {
  name: 'copilot',
  version: '1.0.102',
  title: 'Copilot CLI',
  hooksFile: '.github/hooks/agent-lsp.json',
  fetch: (context) => fetchedPackage(context, `@github/copilot-${PLATFORM}`, copilot.version, 'copilot', 189),
  start: (command, { modelUrl }) => ({
    command,
    args: ['-p', PROMPT, '--allow-all-tools', '--no-auto-update', '--trust-folder'],
    env: {
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'scripted',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
  search: (pattern) => ({ call: 'grep', args: { pattern, path: 'src' } }),
  edit: (_, { file, before, after }) => [
    { call: 'edit', args: { path: file, old_str: before, new_str: after } },
  ],
  delegate: (turns) => [
    {
      call: 'task',
      args: {
        ...{ name: 'change', description: 'Change', prompt: PROMPT, agent_type: 'general-purpose' },
        mode: 'sync',
      },
    },
    ...turns,
    { say: 'Changed.' },
  ],
};

const gemini: DrivenClient = {
  name: 'gemini',
  version: '0.61.0',
  title: 'Gemini CLI',
  hooksFile: '.gemini/settings.json',
  fetch: (context) => fetchedPackage(context, '@google/gemini-cli', gemini.version, 'bundle/gemini.js', 100),
  start: (program, { workspace, modelUrl }) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    workspace.write(path.join(workspace.home, '.gemini/settings.json'), JSON.stringify(settings));
    return {
      command: process.execPath,
      args: [program, '-p', PROMPT, '--yolo', '-m', 'gemini-2.5-pro'],
      env: {
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_API_KEY: 'scripted',
        GEMINI_CLI_NO_RELAUNCH: 'true',
        // With --skip-trust it passes over the hooks of the project.
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TELEMETRY_ENABLED: 'false',
      },
    };
  },
  search: (pattern) => ({ call: 'grep_search', args: { pattern } }),
  edit: (_, { file, before, after }) => [
    {
      call: 'replace',
      args: { file_path: file, instruction: 'Change it.', old_string: before, new_string: after },
    },
  ],
  delegate: (turns) => [
    { call: 'invoke_agent', args: { agent_name: 'generalist', prompt: PROMPT } },
    ...turns,
    { call: 'complete_task', args: { result: 'Changed.' } },
  ],
};

/** Cursor has no package in any registry. */
export const DRIVEN_CLIENTS: readonly DrivenClient[] = [claude, codex, copilot, gemini];

export function drivenClient(name: DrivenClient['name']): DrivenClient {
  const client = DRIVEN_CLIENTS.find((each) => each.name === name);
  if (!client) throw new Error(`${name} is not driven`);
  return client;
}

/** The hooks that the README has for a client, as they stand there. */
export function hooksOfReadme(title: string): string {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const [, section = ''] = readme.split('\n## Hooks\n');
  const [, example] = section.slice(section.indexOf(`\n${title} (`)).split(/^```(?:json)?\n/m);
  if (example === undefined) throw new Error(`the README has no hooks for ${title}`);
  return example;
}

/** A hook that a client ran: `event` is the word behind `hook`. */
export interface HookRecord {
  readonly event: string;
  readonly input: unknown;
  readonly err: string;
  readonly code: string;
}

export interface DrivenRun {
  readonly code: number | null;
  /** What it printed, for whoever looks into a failure. */
  readonly printed: string;
  readonly hooks: readonly HookRecord[];
}

const LIMIT_MS = 90_000;

/** Runs a client on one prompt, with `agent-lsp` on its PATH. */
export async function drive(
  client: DrivenClient,
  program: string,
  { workspace, model }: { readonly workspace: Workspace; readonly model: ScriptedModel },
  env: Readonly<Record<string, string>> = {},
): Promise<DrivenRun> {
  const records = recordingProgram(workspace);
  const { command, args, env: own } = client.start(program, { workspace, modelUrl: model.url });
  const temporary = path.join(workspace.scratch, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const common = workspace.env({ TMPDIR: temporary, CLAUDE_CODE_TMPDIR: temporary, ...own, ...env });
  const child = spawn(command, args, {
    cwd: workspace.root,
    env: { ...common, PATH: `${path.dirname(records)}${path.delimiter}${common.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, printed, hooks: recordsIn(records) };
  } finally {
    clearTimeout(limit);
  }
}

/** `agent-lsp` as a command that keeps what it is given; returns where that is kept. */
function recordingProgram(workspace: Workspace): string {
  const records = path.join(workspace.scratch, 'bin/records');
  mkdirSync(records, { recursive: true });
  const command = workspace.write(
    path.join(workspace.scratch, 'bin/agent-lsp'),
    `#!/bin/sh
at=$(mktemp -d '${records}/XXXXXXXX')
printf '%s' "$2" > "$at/event"
cat > "$at/in"
'${process.execPath}' '${BUILT_PROGRAM}' "$@" < "$at/in" > "$at/out" 2> "$at/err"
printf '%s' "$?" > "$at/code"
cat "$at/err" >&2
cat "$at/out"
exit "$(cat "$at/code")"
`,
  );
  chmodSync(command, 0o755);
  return records;
}

/** In the order in which they began. */
function recordsIn(records: string): readonly HookRecord[] {
  const began = (name: string) => statSync(path.join(records, name, 'event')).mtimeMs;
  return readdirSync(records)
    .sort((a, b) => began(a) - began(b))
    .map((name) => {
      const text = (part: string) => readFileSync(path.join(records, name, part), 'utf8');
      return { event: text('event'), input: JSON.parse(text('in')), err: text('err'), code: text('code') };
    });
}
