/**
 * A language that nobody speaks, added to the table and to nothing else: the tools themselves, asked as an agent asks
 * them, go by its descriptor. They run in this process, because the table of the built program cannot be added to.
 */
import { chmodSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessTo } from '../../src/frontend/access/tool-access.ts';
import { toolNamed } from '../../src/frontend/features/registry.ts';
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
func fill (a) begin
  hatch draw(a)
  % draw
end
//- src/proof-of-pen.quill
func proof (a) begin
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
