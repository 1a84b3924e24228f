/**
 * One answer of every tool, word for word, as text and as JSON, in test/golden. `npx vitest run test/tools/golden.test.ts --update`
 * writes them anew; what changed is then to be read as an agent would read it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILLS_WITH_PHASES } from '../../src/frontend/features/phases/skills.ts';
import { tools } from '../../src/frontend/features/registry.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const FILES = `
//- src/client.fake
import Base
/** Talks to a server. */
export class Client extends Base {
  /** Ends the talk. */
  stop() {
    this.log();
  }
  log() {
  }
}
export interface Stoppable
export class Server implements Stoppable
export const shared: Client = new Client();
//- src/use.fake
const client = new Client();
function again() {
  client.stop();
  client.log();
}
//- src/calls.fake
function add(first, second) {
}
add(1, 2);
//- src/bad.fake
const one = ERROR 1;
//- test/client.test.fake
function testStop() {
  client.stop();
}
//- make/Makefile
all:
	@echo "main.c:3:5: error: something is missing" >&2; exit 1
//- checks/package.json
{ "name": "checks", "type": "module", "scripts": { "test": "node --test" } }
//- checks/sum.test.js
import { test } from 'node:test';
test('adds', () => {});
//- scripts/wrong.py
count: int = "many"
//- other/more.fake
function more() {
  client.stop();
}
`;

const STOP = { file_path: 'src/client.fake', symbol: 'Client.stop' };

/** A tool with its arguments; SESSION stands for the id of the simulation that the session has begun. */
type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>];
type Steps = readonly [Step, ...Step[]];

const STARTED: Step = ['start_lsp', { language_id: 'fake', ready_timeout_seconds: 20 }];
const SIMULATION: Step = ['create_simulation_session', { language: 'fake' }];
const BROKEN: Step = [
  'simulate_edit',
  { session_id: 'SESSION', file_path: 'test/client.test.fake', start_line: 1, new_text: 'ERROR' },
];
const RENAMED: Step = [
  'simulate_chain',
  {
    session_id: 'SESSION',
    edits: [{ file_path: 'test/client.test.fake', old_text: 'ERROR', new_text: 'function testHalt() {' }],
  },
];

/** They leave nothing in a session, so they share one, in any order. */
const SHARING: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  explore_symbol: STOP,
  explore: { file_path: 'src/client.fake', symbol: 'Server' },
  get_editing_context: { file_path: 'src/client.fake' },
  list_symbols: { file_path: 'src/client.fake' },
  find_symbol: { query: 'stop', language_id: 'fake' },
  go_to_symbol: { symbol_path: 'Client.stop', language: 'fake' },
  get_symbol_source: { file_path: 'src/client.fake', symbols: ['Client.stop', 'missing'] },
  get_symbol_documentation: STOP,
  go_to_definition: { file_path: 'src/use.fake', position_pattern: 'new @@Client' },
  go_to_type_definition: { file_path: 'src/client.fake', symbol: 'shared' },
  go_to_implementation: { file_path: 'src/client.fake', symbol: 'Stoppable' },
  go_to_declaration: { file_path: 'src/use.fake', position_pattern: 'new @@Client' },
  find_references: STOP,
  get_document_highlights: { file_path: 'src/use.fake', line: 1, column: 7 },
  find_callers: STOP,
  callers: STOP,
  type_hierarchy: { file_path: 'src/client.fake', symbol: 'Stoppable' },
  inspect_symbol: STOP,
  blast_radius: { changed_files: ['src/client.fake'] },
  detect_changes: {},
  get_cross_repo_references: {
    symbol_file: 'src/client.fake',
    symbol: 'Client.stop',
    consumer_roots: ['other'],
  },
  get_diagnostics: { files: ['src/bad.fake', 'src/use.fake'] },
  suggest_fixes: { file_path: 'src/bad.fake', start_line: 1 },
  get_completions: { file_path: 'src/use.fake', line: 3, column: 10 },
  get_signature_help: { file_path: 'src/calls.fake', line: 3, column: 8 },
  get_inlay_hints: { file_path: 'src/use.fake' },
  get_semantic_tokens: { file_path: 'src/use.fake', start_line: 1, end_line: 1 },
  apply_edit: { file_path: 'src/bad.fake', old_text: 'ERROR 1', new_text: '2', dry_run: true },
  move_file: { file_path: 'src/client.fake', new_path: 'src/net/talker.fake', dry_run: true },
  replace_symbol_body: {
    file_path: 'src/client.fake',
    symbol_path: 'Client.stop',
    new_body: 'this.log();\nthis.log();',
    dry_run: true,
  },
  insert_after_symbol: {
    file_path: 'src/client.fake',
    symbol_path: 'Client.log',
    code: 'close() {\n  this.stop();\n}',
    dry_run: true,
  },
  insert_before_symbol: {
    file_path: 'src/client.fake',
    symbol_path: 'Client.stop',
    code: 'open() {\n}',
    dry_run: true,
  },
  safe_delete_symbol: { file_path: 'src/use.fake', symbol_path: 'again', dry_run: true },
  preview_edit: {
    file_path: 'test/client.test.fake',
    old_text: 'client.stop()',
    new_text: 'ERROR',
    scope: 'file',
  },
  safe_apply_edit: { file_path: 'src/bad.fake', old_text: 'ERROR 1', new_text: 'ERROR 2' },
  safe_edit: { file_path: 'src/bad.fake', old_text: 'ERROR 1', new_text: 'ERROR 3' },
  rename_symbol: { ...STOP, new_name: 'halt', exclude_globs: ['other/**'], dry_run: true },
  prepare_rename: STOP,
  format_document: { file_path: 'src/use.fake' },
  format_range: { file_path: 'src/use.fake', start_line: 1, end_line: 2 },
  execute_command: { command: 'fake.run', arguments: [1, { two: [2] }] },
  did_change_watched_files: { changes: [{ path: 'src/use.fake', type: 'changed' }] },
  run_build: { workspace_dir: 'make' },
  run_tests: { workspace_dir: 'checks' },
  get_tests_for_file: { file_path: 'src/client.fake' },
  check_types: { path: 'scripts/wrong.py' },
  get_server_capabilities: { language_id: 'fake' },
  detect_lsp_servers: { workspace_dir: 'other' },
};

/** The calls that lead up to an answer of a tool, and the call itself. They leave nothing but a simulation that nobody asks for again. */
const SIMULATIONS: Readonly<Record<string, Steps>> = {
  create_simulation_session: [SIMULATION],
  simulate_edit: [SIMULATION, BROKEN],
  evaluate_session: [SIMULATION, BROKEN, ['evaluate_session', { session_id: 'SESSION' }]],
  simulate_chain: [SIMULATION, BROKEN, RENAMED],
  commit_session: [SIMULATION, BROKEN, RENAMED, ['commit_session', { session_id: 'SESSION' }]],
  discard_session: [SIMULATION, BROKEN, ['discard_session', { session_id: 'SESSION' }]],
  destroy_session: [SIMULATION, ['destroy_session', { session_id: 'SESSION' }]],
};

/** What changes a session, each in one of its own: all answers in it are looked at. */
const CHANGING: Readonly<Record<string, Steps>> = {
  servers: [
    STARTED,
    ['restart_lsp_server', { language_id: 'fake' }],
    ['activate_tools', { profile: 'full' }],
    ['set_log_level', { level: 'warning' }],
  ],
  figures: [STARTED, ['health_check', {}]],
  documents: [
    ['open_document', { file_path: 'src/use.fake' }],
    ['close_document', { file_path: 'src/use.fake' }],
  ],
  phase: [
    ['activate_skill', { skill_name: 'lsp-safe-edit', mode: 'block' }],
    ['get_skill_phase', {}],
    ['deactivate_skill', {}],
  ],
  folders: [
    STARTED,
    ['add_workspace_folder', { path: '../scratch' }],
    ['list_workspace_folders', {}],
    ['remove_workspace_folder', { path: '../scratch' }],
  ],
};

const GOLDENS = path.resolve(import.meta.dirname, '../golden');
const SESSION_ID = /\b[0-9a-f]{32}\b/;
const project = path.resolve(import.meta.dirname, '../..');

describe.each(['text', 'json'] as const)('the answer as %s', (format) => {
  const golden = (tool: string) => `../golden/${tool}.${format}.txt`;

  describe.shuffle('in a session that others use as well', () => {
    let session: FakeSession;
    beforeAll(async () => {
      session = await goldenSession(format);
      await session.ask(...STARTED);
    });
    afterAll(async () => void (await session[Symbol.asyncDispose]()));

    it.for(Object.entries(SHARING))('of %s is what it was', async ([tool, args], { expect }) => {
      // What was asked right before is not advised.
      await session.ask('get_skill_phase');
      const { text } = await session.call(tool, args);
      await expect(settledText(text, session)).toMatchFileSnapshot(golden(tool));
    });

    it.for(Object.entries(SIMULATIONS))('of %s is what it was', async ([tool, steps], { expect }) => {
      const { text } = (await answersTo(session, steps)).at(-1) ?? { text: '' };
      await expect(settledText(text, session)).toMatchFileSnapshot(golden(tool));
    });
  });

  describe.concurrent('in a session of its own', () => {
    it.for(Object.entries(CHANGING))(
      'of what changes its %s is what it was',
      async ([, steps], { expect }) => {
        await using session = await goldenSession(format);
        for (const { tool, text } of await answersTo(session, steps))
          await expect(settledText(text, session)).toMatchFileSnapshot(golden(tool));
      },
    );
  });
});

describe('a hint', () => {
  const hints = tools.flatMap(({ name }) => {
    const file = path.join(GOLDENS, `${name}.text.txt`);
    // The answer of a new tool is written above.
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const hint = /^next: (.*)$/m.exec(text)?.[1];
    return hint === undefined ? [] : [{ tool: name, hint }];
  });

  it('names tools and parameters that there are, in many answers', () => {
    const known = new Set(tools.flatMap(({ name, input }) => [name, ...Object.keys(input.shape)]));
    const phases = SKILLS_WITH_PHASES.flatMap((skill) => skill.phases.map(({ name }) => name));
    const words = hints.flatMap(({ tool, hint }) =>
      (hint.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).map((word) => ({ tool, word })),
    );
    expect(words.filter(({ word }) => !known.has(word) && !phases.includes(word))).toEqual([]);
    expect(hints.length).toBeGreaterThan(30);
  });

  it('is not the call that was just made', () => {
    const repeated = hints.filter(({ tool, hint }) => new RegExp(`\\b${tool}\\b`).test(hint));
    // It was shown, and is applied by its id.
    expect(repeated.map(({ tool }) => tool)).toEqual(['apply_edit']);
    expect(SHARING.apply_edit).toMatchObject({ dry_run: true });
  });

  it('is left out of every answer where the user wants none, and nothing else is', async () => {
    await using session = await goldenSession('text', ['--hints', 'off']);
    await session.ask(...STARTED);
    const kept: string[] = [];
    for (const [tool, args] of Object.entries(SHARING)) {
      const text = settledText((await session.call(tool, args)).text, session).trimEnd();
      const golden = readFileSync(path.join(GOLDENS, `${tool}.text.txt`), 'utf8').trimEnd();
      if (text.startsWith(golden.replace(/\nnext: .*$/, '')) && !text.includes('\nnext: ')) kept.push(tool);
    }
    expect(kept).toEqual(Object.keys(SHARING));
  });
});

it('is there for every tool', () => {
  const changing = Object.values(CHANGING).flatMap((steps) => steps.map(([tool]) => tool));
  const goldens = new Set([...Object.keys({ ...SHARING, ...SIMULATIONS }), ...changing]);
  expect([...goldens].sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const [tool, steps] of Object.entries(SIMULATIONS)) expect(steps.at(-1)?.[0]).toBe(tool);
});

async function goldenSession(format: 'text' | 'json', more: readonly string[] = []): Promise<FakeSession> {
  const session = await fakeSession(FILES, {
    args: ['--output', format, ...more],
    scenario: { diagnostics: { profile: 'pull' } },
  });
  const { workspace } = session;
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: workspace.root, env: workspace.env() });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'one');
  workspace.write('src/use.fake', workspace.read('src/use.fake').replace('  client.log();\n', ''));
  return session;
}

async function answersTo(
  session: FakeSession,
  steps: Steps,
): Promise<readonly { tool: string; text: string }[]> {
  const answers: { tool: string; text: string }[] = [];
  let simulation = '';
  for (const [tool, args] of steps) {
    const { text } = await session.call(
      tool,
      'session_id' in args ? { ...args, session_id: simulation } : args,
    );
    simulation = SESSION_ID.exec(text)?.[0] ?? simulation;
    answers.push({ tool, text });
  }
  return answers;
}

/** Without what differs between machines, runs and orders of calls. */
function settledText(text: string, { workspace }: FakeSession): string {
  const shown = text
    .replaceAll(workspace.root, '/w')
    .replaceAll(workspace.scratch, '/scratch')
    .replaceAll(project, '/agent-lsp')
    .replaceAll(process.execPath, '/node')
    .replace(/\b\d+(\.\d+)? (m?s)\b/g, 'N $2')
    .replace(new RegExp(SESSION_ID, 'g'), 'SESSION')
    .replace(/(etag\W+)[0-9a-f]{16}/g, '$1HASH')
    .replace(/duration_ms[ :]+[\d.]+/g, 'duration_ms N')
    .replace(/"duration_ms":[\d.]+/g, '"duration_ms":0')
    .replace(/("(?:average|minimum|maximum)_ms|"uptime_seconds|"seconds|"memory_mb)":[\d.]+/g, '$1":0')
    .replaceAll(process.versions.node, 'N')
    .replace(/(pyright(?: |","(?:available":true,")?version":"))\d[\d.]+/g, '$1N')
    // These go to another pipe than the errors between them, so that their place differs.
    .replace(/(?:\\n)?make: (?:Entering|Leaving) directory '[^']*'/g, '')
    .replace('"raw":"\\n', '"raw":"');
  const numbered = withOwnIds(shown);
  return /^[[{]/.test(numbered) ? `${pretty(numbered)}\n` : `${numbered}\n`;
}

/** A session numbers its edits and commands; how many others had before says nothing about an answer. */
function withOwnIds(text: string): string {
  const known: Record<string, string[]> = { e: [], c: [] };
  return text.replace(/\b([ec])\d+\b/g, (id, kind: string) => {
    const ids = known[kind] ?? [];
    if (!ids.includes(id)) ids.push(id);
    return `${kind}${ids.indexOf(id) + 1}`;
  });
}

function pretty(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return [JSON.stringify(JSON.parse(first), undefined, 1), ...rest].join('\n');
}
