/**
 * A language that nobody speaks, added to the table and to nothing else: the tools themselves, asked as an agent asks
 * them, go by its descriptor. They run in this process, because the table of the built program cannot be added to.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessTo } from '../../src/frontend/access/tool-access.ts';
import { toolNamed, tools } from '../../src/frontend/features/registry.ts';
import { sessionFeatures } from '../../src/frontend/features/session-features.ts';
import { callTool } from '../../src/frontend/invoke/call-tool.ts';
import { openSession, type Session } from '../../src/frontend/session/session.ts';
import { sessionConfig } from '../../src/frontend/session/session-config.ts';
import { silentLog } from '../../src/shared/base/log.ts';
import { currentEnvironment } from '../../src/shared/languages/environment.ts';
import type { LanguageFamily } from '../../src/shared/languages/family.ts';
import { fakeServer } from '../support/fake-server.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

vi.mock('../../src/shared/languages/table.ts', async (original) => {
  const { languageTable } = await original<{ languageTable: readonly LanguageFamily[] }>();
  const { quillish } = await import('../support/made-up-language.ts');
  return { languageTable: [...languageTable, quillish] };
});

const FILES = `
//- quill.toml
ink = 1
//- src/pen.quill
fetch ‹ink›

% Draws a line.
~shared
func draw (a) begin
  1
end
//- src/page.quill
openly func fill (a) begin
  hatch draw(a)
  % draw
end
//- src/proof-of-pen.quill
func proof (a) begin
  draw(a)
end
//- other/quill.toml
ink = 2
//- other/ink.quill
func spill (a) begin
  draw(a)
end
`;

/** Prints what a compiler or a test runner would. */
const QUILL = `#!/bin/sh
case "$1" in
  build) echo 'src/pen.quill:6:3: error: no ink'; exit 1 ;;
  prove) printf 'TAP version 13\\nok 1 - draws %s\\n1..1\\n# tests 1\\n# pass 1\\n' "$3" ;;
esac
`;

const PEN = { file_path: 'src/pen.quill' };
const DRAW = { ...PEN, symbol: 'draw' };
const ERASE = { ...PEN, symbol_path: 'draw', code: 'func erase (a) begin\nend', dry_run: true };
const WRONG = { ...PEN, old_text: 'fetch ‹ink›', new_text: 'fetch ‹ERROR›' };

/** One call of each tool, and what only an answer about files of this language says. The others have cases of their own. */
const SERVED: Readonly<Record<string, { readonly args: object; readonly said: RegExp }>> = {
  start_lsp: { args: { language_id: 'quillish' }, said: /^LSP server started successfully/ },
  explore_symbol: { args: DRAW, said: /^func draw \(a\) begin {3}src\/pen\.quill:5/ },
  explore: { args: DRAW, said: /^func draw \(a\) begin {3}src\/pen\.quill:5/ },
  list_symbols: { args: PEN, said: /^src\/pen\.quill: 1 symbol; fake-lsp ready/ },
  find_symbol: {
    args: { query: 'draw', language_id: 'quillish' },
    said: /^1 symbol matching "draw"; fake-lsp ready/,
  },
  go_to_symbol: {
    args: { symbol_path: 'draw', language: 'quillish' },
    said: /^1 definition of draw; [\s\S]*pen\.quill/,
  },
  get_symbol_source: { args: { ...PEN, symbols: ['draw'] }, said: /^function draw {2}src\/pen\.quill:5:6/ },
  go_to_definition: {
    args: { file_path: 'src/page.quill', position_pattern: 'hatch @@draw' },
    said: /^1 definition of draw [\s\S]*src\/pen\.quill:5:6/,
  },
  go_to_declaration: {
    args: { file_path: 'src/page.quill', position_pattern: 'hatch @@draw' },
    said: /^1 declaration of draw [\s\S]*src\/pen\.quill:5:6/,
  },
  go_to_type_definition: {
    args: DRAW,
    said: /^No type definitions of draw \(src\/pen\.quill:5:6\); fake-lsp ready/,
  },
  go_to_implementation: {
    args: DRAW,
    said: /^No implementations of draw [\s\S]*5 of 5 occurrences accounted for/,
  },
  get_document_highlights: { args: { ...PEN, line: 5, column: 6 }, said: /^1 occurrence of draw/ },
  callers: { args: DRAW, said: /^3 callers of draw/ },
  type_hierarchy: { args: DRAW, said: /^No type at draw \(src\/pen\.quill:5:6\)/ },
  inspect_symbol: { args: DRAW, said: /^func draw \(a\) begin {3}src\/pen\.quill:5:6/ },
  blast_radius: { args: { changed_files: ['src/page.quill'] }, said: /\bfill\b/ },
  detect_changes: { args: {}, said: /src\/page\.quill/ },
  get_cross_repo_references: {
    args: { symbol_file: 'src/pen.quill', symbol: 'draw', consumer_roots: ['other'] },
    said: /other\/ink\.quill/,
  },
  get_diagnostics: {
    args: { files: ['src/pen.quill'] },
    said: /^src\/pen\.quill: clean; fresh \(version \d+, fake-lsp\)$/,
  },
  suggest_fixes: { args: { ...PEN, start_line: 1 }, said: /^2 fixes for src\/pen\.quill line 1/ },
  get_completions: {
    args: { file_path: 'src/page.quill', line: 2, column: 9 },
    said: /^\d completions at src\/page\.quill:2:9/,
  },
  get_signature_help: {
    args: { file_path: 'src/page.quill', line: 2, column: 14 },
    said: /src\/page\.quill:2:14; fake-lsp/,
  },
  get_inlay_hints: { args: PEN, said: /^No hints in src\/pen\.quill lines 1-8; fake-lsp/ },
  get_semantic_tokens: {
    args: { ...PEN, start_line: 1, end_line: 6 },
    said: /^10 tokens in src\/pen\.quill/,
  },
  apply_edit: {
    args: { ...PEN, old_text: 'ink', new_text: 'chalk', dry_run: true },
    said: /^edit src\/pen\.quill: would change 1/,
  },
  move_file: {
    args: { ...PEN, new_path: 'src/tools/pen.quill', dry_run: true },
    said: /^move src\/pen\.quill to src\/tools/,
  },
  insert_after_symbol: { args: ERASE, said: /^insert after draw: would change 1 [\s\S]*\+func erase/ },
  insert_before_symbol: { args: ERASE, said: /^insert before draw: would change 1 [\s\S]*\+func erase/ },
  safe_delete_symbol: {
    args: { ...PEN, symbol_path: 'draw', dry_run: true },
    said: /^draw is used in 4 places, 1 in tests/,
  },
  preview_edit: {
    args: { ...PEN, old_text: '1', new_text: '3', scope: 'file' },
    said: /^safe: 0 new errors/,
  },
  safe_apply_edit: { args: WRONG, said: /^edit src\/pen\.quill: not applied/ },
  safe_edit: { args: WRONG, said: /^edit src\/pen\.quill: not applied/ },
  create_simulation_session: { args: { language: 'quillish' }, said: /^session_id [0-9a-f]+$/m },
  rename_symbol: {
    args: { ...DRAW, new_name: 'sketch', dry_run: true },
    said: /^rename draw to sketch: would change 5/,
  },
  prepare_rename: { args: DRAW, said: /^draw \(src\/pen\.quill:5:6-10\) can be renamed/ },
  format_range: {
    args: { ...PEN, start_line: 1, end_line: 2 },
    said: /^src\/pen\.quill lines 1-2: already formatted/,
  },
  execute_command: { args: { command: 'fake.run', arguments: [] }, said: /^fake-lsp ran fake\.run/ },
  did_change_watched_files: {
    args: { changes: [{ path: 'src/pen.quill', type: 'changed' }] },
    said: /\bquillish?\b/,
  },
  check_types: { args: { path: 'src/pen.quill' }, said: /pen\.quill is quillish\. run_build checks it/ },
  get_server_capabilities: { args: { language_id: 'quillish' }, said: /^fake-lsp 1\.0\.0 \(quillish\)/ },
  detect_lsp_servers: { args: { workspace_dir: '.' }, said: /: quillish\n {2}quill/ },
  open_document: { args: PEN, said: /^Document opened: src\/pen\.quill \(version \d+, quillish\)$/m },
  close_document: { args: PEN, said: /^Document closed: src\/pen\.quill$/ },
  health_check: { args: {}, said: /\bquillish\b/ },
  restart_lsp_server: {
    args: { language_id: 'quillish' },
    said: /^LSP server restarted successfully \(quillish/,
  },
};

/** In cases of their own below. */
const SHOWN = [
  'run_build',
  'run_tests',
  'get_tests_for_file',
  'get_editing_context',
  'get_symbol_documentation',
  'find_callers',
  'find_references',
  'format_document',
  'replace_symbol_body',
];
/** These go by the id of a session that began with a file, or by none of a language at all. */
const WITHOUT_LANGUAGE = [
  'simulate_edit',
  'evaluate_session',
  'simulate_chain',
  'commit_session',
  'discard_session',
  'destroy_session',
  'activate_skill',
  'activate_tools',
  'deactivate_skill',
  'get_skill_phase',
  'set_log_level',
  'add_workspace_folder',
  'list_workspace_folders',
  'remove_workspace_folder',
];

describe('tools on files of a language that only the table knows', () => {
  let workspace: Workspace;
  let session: Session;
  beforeAll(async () => {
    workspace = createWorkspace(FILES);
    const quill = workspace.write(`${workspace.scratch}/quill`, QUILL);
    chmodSync(quill, 0o755);
    const capabilities = { documentFormattingProvider: null, callHierarchyProvider: null };
    const { executable, args } = fakeServer(workspace.scratch, { extensions: ['.quill'], capabilities });
    const servers = [{ language_id: 'quillish', command: [executable, ...args] }];
    const configFile = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify({ servers }));
    const env = workspace.env({ PATH: `${workspace.scratch}:${process.env.PATH}` });
    const options = {
      environment: { ...currentEnvironment(process.cwd()), env, homedir: workspace.home },
      entryScript: '',
      cwd: workspace.root,
      roots: [workspace.root],
      commandLine: { configFile, daemon: 'never' as const },
      log: silentLog,
      features: sessionFeatures,
      setLogLevel: () => {},
      switchTools: () => {},
    };
    execFileSync('git', ['init', '--quiet'], { cwd: workspace.root, env: workspace.env() });
    session = await openSession(await sessionConfig(options), options);
  });
  afterAll(async () => {
    await session.close();
    await workspace[Symbol.asyncDispose]();
  });

  async function ask(name: string, args: object): Promise<string> {
    const tool = toolNamed(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    const access = accessTo(tool, session.config);
    const signal = AbortSignal.timeout(60_000);
    const { texts } = await callTool(session, { tool, tools: [], access, args, signal, output: 'text' });
    return texts.join('\n');
  }

  it('are all of them asked here, but those that speak of no language', () => {
    const asked = [...Object.keys(SERVED), ...SHOWN, ...WITHOUT_LANGUAGE];
    expect(asked.toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(SERVED).map(([tool, { args, said }]) => ({ tool, args, said })))(
    'serve them by $tool',
    async ({ tool, args, said }) => {
      expect(await ask(tool, args)).toMatch(said);
    },
  );

  it('build and test by its programs, and find its tests', async () => {
    expect(await ask('run_build', { path: 'src/pen.quill' })).toMatch(
      /quill build[\s\S]*src\/pen\.quill:6:3[\s\S]*no ink/,
    );
    expect(await ask('run_tests', { path: 'src/proof-of-pen.quill' })).toMatch(
      /^1 test passed .*: quill prove --only proof-of-pen$/,
    );
    expect(await ask('get_tests_for_file', { file_path: 'src/pen.quill' })).toContain(
      'src/proof-of-pen.quill',
    );
  });

  it('show its imports and its comments', async () => {
    expect(await ask('get_editing_context', { file_path: 'src/pen.quill' })).toContain('fetch ‹ink›');
    const documentation = await ask('get_symbol_documentation', { symbol: 'draw' });
    expect(documentation).toContain('Draws a line.');
  });

  it('know what runs concurrently, and what is a test or a comment', async () => {
    const callers = await ask('find_callers', { symbol: 'draw', cross_concurrent: true });
    expect(callers).toContain('hatching');
    const references = await ask('find_references', { symbol: 'draw' });
    expect(references).toContain('src/page.quill');
    expect(references).not.toMatch(/page\.quill:3|possible/);
  });

  it('name its formatter where the server has none', async () => {
    expect(await ask('format_document', { file_path: 'src/pen.quill' })).toContain('quill tidy <file>');
  });

  it('replace the body of a declaration and nothing around it', async () => {
    const answer = await ask('replace_symbol_body', {
      file_path: 'src/pen.quill',
      symbol_path: 'draw',
      new_body: '2',
      dry_run: false,
    });
    expect(workspace.read('src/pen.quill'), answer).toContain('~shared\nfunc draw (a) begin\n  2\nend\n');
  });
});
