/** `agent-lsp skills`: what a user sees of installing, listing and removing. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const SKILLS = path.resolve(import.meta.dirname, '../../skills');

function run(workspace: Workspace, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILT_PROGRAM, 'skills', ...args], {
    cwd: workspace.root,
    env: workspace.env(),
    encoding: 'utf8',
    timeout: 50_000,
  });
  return { code: status, out: stdout, err: stderr };
}

describe('agent-lsp skills', () => {
  it('lists the skills, links all of them for a user, and removes only these', async () => {
    await using workspace = createWorkspace();
    const folder = path.join(workspace.home, '.claude/skills');
    const listed = run(workspace);
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out).toMatch(/^24 skills in .*\n( {2}lsp-\S+ +[A-Z].*\.\n){24}installed nowhere;/);

    const installed = run(workspace, 'install');
    expect(installed).toMatchObject({ code: 0, err: '' });
    expect(installed.out).toContain(`${folder} (Claude Code, for this user)\n  linked: lsp-architecture, `);
    expect(readdirSync(folder)).toEqual(readdirSync(SKILLS));
    expect(readlinkSync(path.join(folder, 'lsp-rename'))).toBe(path.join(SKILLS, 'lsp-rename'));
    expect(run(workspace, 'install', 'lsp-rename').out).toContain('there already: lsp-rename');
    expect(run(workspace, 'list').out).toContain(
      `installed:\n  ${folder} (Claude Code, for this user): 24 linked\n`,
    );

    mkdirSync(path.join(folder, 'mine'));
    const removed = run(workspace, 'remove');
    expect(removed).toMatchObject({ code: 0, out: expect.stringContaining('  removed: lsp-architecture, ') });
    expect(readdirSync(folder)).toEqual(['mine']);
    expect(run(workspace, 'remove').out).toBe('Nothing is installed in the folders of this user.\n');
  });

  it('copies into projects for several clients, and says what it left and why', async () => {
    await using workspace = createWorkspace('//- .agents/skills/lsp-verify/SKILL.md\nmine\n');
    const clients = ['--client', 'codex', '--client', 'cursor', '--project'];
    const installed = run(workspace, 'install', 'lsp-verify', 'lsp-docs', ...clients);
    expect(installed.code).toBe(1);
    expect(installed.out).toBe(
      [
        `${workspace.file('.agents/skills')} (Codex, in this project)`,
        '  copied: lsp-docs',
        '  left as it is (a folder that was not installed from here; --force replaces it): lsp-verify',
        `${workspace.file('.cursor/skills')} (Cursor, in this project)`,
        '  copied: lsp-docs, lsp-verify',
        'Copied, since a project is shared with others; after an upgrade install them again.',
        '',
      ].join('\n'),
    );
    expect(workspace.read('.agents/skills/lsp-verify/SKILL.md')).toBe('mine\n');
    const copied = workspace.read('.cursor/skills/lsp-docs/SKILL.md');
    expect(copied).toBe(readFileSync(path.join(SKILLS, 'lsp-docs/SKILL.md'), 'utf8'));

    writeFileSync(workspace.file('.cursor/skills/lsp-docs/SKILL.md'), 'changed\n');
    expect(run(workspace, 'list', 'lsp-docs').out).toContain(
      '(Cursor, in this project): 1 copied, changed since: lsp-docs',
    );
    const removed = run(workspace, 'remove', '--project');
    expect(removed.code).toBe(1);
    expect(removed.out).toContain(
      '  left as it is (changed since it was copied; --force removes it all the same): lsp-docs',
    );
    expect(run(workspace, 'remove', '--project', '--force').code).toBe(0);
    expect(existsSync(workspace.file('.cursor/skills/lsp-docs'))).toBe(false);
    expect(existsSync(workspace.file('.agents/skills/lsp-verify'))).toBe(true);
    expect(existsSync(path.join(workspace.home, '.claude'))).toBe(false);
  });

  it('says in one line what it did not understand, with exit code 2', async () => {
    await using workspace = createWorkspace();
    for (const [args, text] of [
      [['instal'], 'skills cannot instal, did you mean install?'],
      [['install', 'lsp-renam'], 'there is no skill lsp-renam, did you mean lsp-rename?'],
      [['install', '--client', 'vim'], 'Choices: "claude", "codex"'],
    ] as const) {
      const { code, out, err } = run(workspace, ...args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(text);
      expect(err.trimEnd()).not.toContain('\n');
    }
    expect(run(workspace, '--help').out).toMatch(/--client .*"claude", "codex"/s);
    expect(existsSync(path.join(workspace.home, '.claude'))).toBe(false);
  });
});
