/** `agent-lsp kept`: the texts that edits had to put aside, with whose they are, until somebody removes them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../../src/frontend/features/edits/apply/edit-disk.ts';
import { keepText } from '../../src/frontend/features/edits/apply/kept-files.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

function run(workspace: Workspace, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: workspace.root,
    env: workspace.env(),
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

async function keep(workspace: Workspace, name: string, text: string, what: 'before' | 'others') {
  const edit = { id: '0123456789ab', about: 'e7: rename stop to halt' };
  const of = { path: workspace.file(name), what };
  const kept = await keepText(Buffer.from(text), of, {
    stateDir: workspace.stateDir,
    edit,
    disk: systemDisk,
  });
  return kept.kept;
}

describe('agent-lsp kept', () => {
  it('lists texts with their file, age, edit and process, shows them and removes them', async () => {
    await using workspace = createWorkspace();
    expect(run(workspace, 'kept')).toMatchObject({ code: 0, out: 'Nothing is kept.\n' });
    const first = await keep(workspace, 'a.ts', 'their text\n', 'others');
    const second = await keep(workspace, 'b.ts', 'old text\n', 'before');
    const owner = `put aside by e7: rename stop to halt (process ${process.pid}, running)`;
    const { out, code } = run(workspace, 'kept', 'list');
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^0123456789ab-1 {2}\\d+ s old, 11 bytes {2}${workspace.file('a.ts')}: what others wrote, `,
        ),
      ),
      expect.stringContaining(`9 bytes  ${workspace.file('b.ts')}: what it was before, ${owner}  ${second}`),
    ]);
    expect(run(workspace, 'kept', 'show', first).out).toContain('<==\ntheir text\n');
    expect(run(workspace, 'kept', 'remove', '0123456789ab-1')).toMatchObject({
      code: 0,
      out: `removed ${first}\n`,
    });
    expect(run(workspace, 'kept').out).not.toContain('a.ts');
    expect(run(workspace, 'kept', 'remove', '--all').out).toBe(`removed ${second}\n`);
    expect(run(workspace, 'kept').out).toBe('Nothing is kept.\n');
  });

  it('wants to know which one, and says when there is none', async () => {
    await using workspace = createWorkspace();
    expect(run(workspace, 'kept', 'remove')).toMatchObject({ code: 2, out: '' });
    const { code, err } = run(workspace, 'kept', 'show', '0123456789ab-9');
    expect(code).toBe(1);
    expect(err).toContain('nothing is kept as 0123456789ab-9');
  });

  it('is mentioned by doctor while there is something', async () => {
    await using workspace = createWorkspace();
    await keep(workspace, 'a.ts', 'their text\n', 'others');
    expect(run(workspace, 'doctor').out).toContain(
      'WARN   1 text that an edit had to put aside: agent-lsp kept lists and removes them',
    );
  });
});
