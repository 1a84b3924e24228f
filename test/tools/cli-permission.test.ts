/** What a call from a shell may do: the same rules, and a person at the terminal where one has to be asked. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { WRITING_TOOLS } from '../support/writing-tools.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const FILE = 'src/use.fake';
/** The program with tools that write, as arguments for Node. */
const WRITING = [...WRITING_TOOLS.nodeArgs, WRITING_TOOLS.program];
const SCRIPT = ['/usr/bin/script', '/bin/script'].find((file) => existsSync(file));

function workspaceWith(config: Readonly<Record<string, unknown>> = {}) {
  const workspace = createWorkspace(SAMPLE);
  const file = writeFakeConfig(workspace, fakeServer(workspace.scratch), config);
  return { workspace, common: ['--config', file, '--daemon', 'never'] };
}

function run(workspace: Workspace, command: string, args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: workspace.root,
    env: workspace.env(),
    encoding: 'utf8',
    input,
    timeout: 50_000,
  });
  return { code: status, out: stdout, err: stderr };
}

describe('agent-lsp call with permissions', () => {
  it('refuses what is denied and takes no word that it does not know', async () => {
    const { workspace, common } = workspaceWith({ permissions: { deny: ['list_*'] } });
    await using _gone = workspace;
    const call = ['call', 'list_symbols', '--file_path', FILE];
    const denied = run(workspace, process.execPath, [BUILT_PROGRAM, ...common, ...call]);
    expect(denied).toMatchObject({
      code: 1,
      out: 'list_symbols is denied by the configuration (permissions.deny: "list_*"). Do without it, or ask the user to change that.\n',
    });
    const [record] = readFileSync(`${workspace.stateDir}/audit.jsonl`, 'utf8').split('\n');
    expect(JSON.parse(record ?? '')).toMatchObject({ tool: 'list_symbols', success: false });
    const unknown = run(workspace, process.execPath, [BUILT_PROGRAM, '--permission', 'all', ...call]);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('Choices: "read", "ask", "write"');
  });

  it('writes by default, and shows only when nobody can be asked', async () => {
    const { workspace, common } = workspaceWith();
    await using _gone = workspace;
    const before = workspace.read(FILE);
    const append = ['call', 'append_text', '--file_path', FILE, '--text', 'more'];
    const asked = run(workspace, process.execPath, [
      ...WRITING,
      ...common,
      '--permission',
      'ask',
      ...append,
      '--dry_run',
      'false',
    ]);
    expect(asked.out).toContain('Nothing was written. This is a preview only');
    expect(workspace.read(FILE)).toBe(before);
    expect(run(workspace, process.execPath, [...WRITING, ...common, ...append])).toMatchObject({
      code: 0,
      out: 'appended\n',
    });
    expect(workspace.read(FILE)).toBe(`${before}more`);
  });

  it('offers no id of an edit, which is of no use to the next call, but what to do instead', async () => {
    const { workspace, common } = workspaceWith();
    await using _gone = workspace;
    const edit = ['--file_path', FILE, '--old_text', 'new Client()', '--new_text', 'shared'];
    const call = [BUILT_PROGRAM, ...common, 'call', 'apply_edit', ...edit];
    const shown = run(workspace, process.execPath, [...call, '--dry_run', 'true']);
    expect(shown.out).not.toContain('edit_id');
    expect(shown).toMatchObject({
      out: expect.stringMatching(/^next: to apply it, call again with --dry_run false$/m),
      err: '',
    });
    const tried = ['call', 'preview_edit', '--file_path', FILE, '--start_line', '1', '--new_text', 'x'];
    const preview = run(workspace, process.execPath, [BUILT_PROGRAM, ...common, ...tried]);
    expect(preview.out).not.toMatch(/edit_id|dry_run/);
    expect(preview.out).toContain('next: it cannot be applied by a further call');
    workspace.write('notes.ts', '// shown first: not an edit\nexport const note = 1;\n');
    const read = ['call', 'get_symbol_source', '--file_path', 'notes.ts', '--line', '2', '--column', '14'];
    expect(run(workspace, process.execPath, [BUILT_PROGRAM, ...common, ...read])).toMatchObject({
      out: expect.stringContaining('shown first: not an edit'),
      err: '',
    });
    const rename = ['call', 'rename_symbol', '--file_path', FILE, '--symbol', 'client', '--new_name', 'a b'];
    const first = run(workspace, process.execPath, [BUILT_PROGRAM, ...common, ...rename]);
    expect(first.out).toContain('shown first: "a b" does not look like a name');
    expect(first.out).toContain('next: what is shown first can be applied over MCP only');
    const applied = run(workspace, process.execPath, [...call, '--dry_run', 'false']);
    expect(applied.code).toBe(0);
    expect(applied.out).toContain('next: what is applied from a shell is not taken back by its id: use git');
    expect(workspace.read(FILE)).toContain('const client = shared;');
  });

  it.skipIf(SCRIPT === undefined || process.platform !== 'linux')(
    'asks the person at the terminal',
    async () => {
      const { workspace, common } = workspaceWith();
      await using _gone = workspace;
      const before = workspace.read(FILE);
      const words = [
        process.execPath,
        ...WRITING,
        ...common,
        ...['--permission', 'ask', 'call', 'append_text', '--file_path', FILE],
        ...['--text', 'more', '--dry_run', 'false'],
      ];
      const command = words.map((word) => `'${word}'`).join(' ');
      for (const [answer, text] of [
        ['no', before],
        ['y', `${before}more`],
      ] as const) {
        const { out } = run(workspace, SCRIPT ?? '', ['-qec', command, '/dev/null'], `${answer}\n`);
        expect(out).toMatch(/may append_text change 1 file\?\s+append "more"\s+src\/use\.fake\s+\[y\/N\]/);
        expect(out).toContain(answer === 'y' ? 'appended' : 'Nothing was written: the user did not agree.');
        expect(workspace.read(FILE)).toBe(text);
      }
    },
  );
});
