import { existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SkillFolder } from '../../../../../src/frontend/features/skills/client-folders.ts';
import {
  installedIn,
  installSkill,
  prepareFolder,
  removeSkill,
} from '../../../../../src/frontend/features/skills/install.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const FILES = `
//- agent-lsp/dist/agent-lsp.cjs
//- agent-lsp/skills/lsp-one/SKILL.md
one
//- agent-lsp/skills/lsp-one/more/extra.md
extra
//- agent-lsp/skills/lsp-two/SKILL.md
two
`;

function world() {
  const workspace = createWorkspace(FILES);
  const folder: SkillFolder = {
    clients: ['claude'],
    title: 'Claude Code',
    scope: 'user',
    base: workspace.home,
    path: path.join(workspace.home, '.claude/skills'),
  };
  const place = (name: string) => path.join(folder.path, name);
  return {
    workspace,
    folder,
    place,
    install: async (name: string, options: { copies?: boolean; force?: boolean } = {}) => {
      await prepareFolder(folder);
      const source = workspace.file(`agent-lsp/skills/${name}`);
      return installSkill(source, folder.path, { version: '1', copies: false, force: false, ...options });
    },
    remove: (name: string, force = false) => removeSkill(place(name), force),
    read: (name: string) => workspace.read(path.relative(workspace.root, place(name))),
    write: (name: string, text: string) => workspace.write(path.relative(workspace.root, place(name)), text),
    here: async () => (await installedIn(folder)).map(({ name, skill }) => `${name} ${skill.kind}`),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

describe('a skill', () => {
  it('is linked, known again, and taken out', async () => {
    await using here = world();
    expect(await here.install('lsp-one')).toEqual({ kind: 'linked' });
    expect(readlinkSync(here.place('lsp-one'))).toBe(here.workspace.file('agent-lsp/skills/lsp-one'));
    expect(await here.install('lsp-one')).toEqual({ kind: 'present' });
    expect(await here.here()).toEqual(['lsp-one link']);
    expect(await here.remove('lsp-one')).toEqual({ kind: 'removed' });
    expect(here.workspace.read('agent-lsp/skills/lsp-one/SKILL.md')).toBe('one\n');
    expect(await here.remove('lsp-one')).toEqual({ kind: 'left', why: 'not installed' });
  });

  it('is copied with all its files, known again, and taken out', async () => {
    await using here = world();
    expect(await here.install('lsp-one', { copies: true })).toEqual({ kind: 'copied' });
    expect(here.read('lsp-one/more/extra.md')).toBe('extra\n');
    expect(await here.install('lsp-one', { copies: true })).toEqual({ kind: 'present' });
    expect(await here.here()).toEqual(['lsp-one copy']);
    expect(await here.remove('lsp-one')).toEqual({ kind: 'removed' });
    expect(readdirSync(here.folder.path)).toEqual([]);
  });

  it('of an older version is replaced, also a copy by a link and a link to a package that is gone', async () => {
    await using here = world();
    await here.install('lsp-one', { copies: true });
    here.workspace.write('agent-lsp/skills/lsp-one/SKILL.md', 'newer\n');
    expect(await here.install('lsp-one', { copies: true })).toEqual({ kind: 'replaced', by: 'copy' });
    expect(here.read('lsp-one/SKILL.md')).toBe('newer\n');
    expect(await here.install('lsp-one')).toEqual({ kind: 'replaced', by: 'link' });
    symlinkSync('/gone/lib/agent-lsp/skills/lsp-two', here.place('lsp-two'));
    expect(await here.install('lsp-two')).toEqual({ kind: 'replaced', by: 'link' });
    expect(here.read('lsp-two/SKILL.md')).toBe('two\n');
  });

  it.each(['a folder', 'a link', 'a file', 'a changed copy', 'a copy with a file more'])(
    'does not replace %s that is not ours, until that is asked for, and then whole',
    async (what) => {
      await using here = world();
      const mine = path.join(here.workspace.home, 'mine');
      mkdirSync(here.folder.path, { recursive: true });
      if (what === 'a folder') here.write('lsp-one/SKILL.md', 'mine\n');
      if (what === 'a link') {
        mkdirSync(mine);
        symlinkSync(mine, here.place('lsp-one'));
      }
      if (what === 'a file') here.write('lsp-one', 'mine\n');
      if (what.startsWith('a c')) await here.install('lsp-one', { copies: true });
      if (what === 'a changed copy') here.write('lsp-one/SKILL.md', 'mine\n');
      if (what === 'a copy with a file more') here.write('lsp-one/notes.md', 'mine\n');
      for (const copies of [true, false])
        expect(await here.install('lsp-one', { copies })).toMatchObject({
          kind: 'left',
          why: expect.stringContaining('--force replaces it'),
        });
      expect(await here.remove('lsp-one')).toMatchObject({ kind: 'left' });
      expect(await here.install('lsp-one', { copies: true, force: true })).toEqual({
        kind: 'replaced',
        by: 'copy',
      });
      expect(here.read('lsp-one/SKILL.md')).toBe('one\n');
      expect(existsSync(here.place('lsp-one/notes.md'))).toBe(false);
      if (what === 'a link') expect(existsSync(mine)).toBe(true);
      expect(readdirSync(here.folder.path)).toEqual(['lsp-one']);
    },
  );

  it('that was not installed from here is never removed', async () => {
    await using here = world();
    here.write('lsp-one/SKILL.md', 'mine\n');
    expect(await here.remove('lsp-one', true)).toEqual({
      kind: 'left',
      why: 'a folder that was not installed from here',
    });
    expect(await here.here()).toEqual([]);
    await here.install('lsp-two', { copies: true });
    here.write('lsp-two/SKILL.md', 'changed\n');
    expect(await here.remove('lsp-two', true)).toEqual({ kind: 'removed' });
  });

  it('leaves nothing half written where the system refuses it', async () => {
    await using here = world();
    // It fits into a name, and the name beside it that is written first does not.
    const long = 'x'.repeat(250);
    here.workspace.write(`agent-lsp/skills/${long}/SKILL.md`, 'long\n');
    for (const copies of [true, false])
      expect(await here.install(long, { copies })).toEqual({
        kind: 'left',
        why: 'the system refuses it: ENAMETOOLONG',
      });
    expect(readdirSync(here.folder.path)).toEqual([]);
  });

  it('whose source cannot be copied leaves nothing behind, and what was there stays', async () => {
    await using here = world();
    await here.install('lsp-one', { copies: true });
    here.workspace.remove('agent-lsp/skills/lsp-one');
    await here.install('lsp-one', { copies: true, force: true }).catch(() => {});
    expect(here.read('lsp-one/SKILL.md')).toBe('one\n');
    expect(readdirSync(here.folder.path)).toEqual(['lsp-one']);
  });
});

describe('a folder of skills', () => {
  it.each(['.claude', '.claude/skills'])(
    'that leads out by %s is not written to, nor looked into',
    async (name) => {
      await using here = world();
      const outside = path.join(here.workspace.scratch, 'outside');
      mkdirSync(path.join(outside, 'skills'), { recursive: true });
      const link = path.join(here.workspace.home, name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(outside, link);
      const failure = await here.install('lsp-one').then(() => undefined, failureOf);
      expect(failure).toMatchObject({
        kind: 'not-permitted',
        reason: expect.stringContaining('leads out of'),
      });
      expect(readdirSync(outside)).toEqual(['skills']);
      symlinkSync(here.workspace.file('agent-lsp/skills/lsp-one'), path.join(outside, 'lsp-one'));
      expect(await here.here()).toEqual([]);
    },
  );

  it('may be a link to another place below the same base, and is made when it is not there', async () => {
    await using here = world();
    mkdirSync(path.join(here.workspace.home, 'dotfiles'));
    symlinkSync(path.join(here.workspace.home, 'dotfiles'), path.join(here.workspace.home, '.claude'));
    expect(await here.install('lsp-one')).toEqual({ kind: 'linked' });
    expect(lstatSync(path.join(here.workspace.home, 'dotfiles/skills/lsp-one')).isSymbolicLink()).toBe(true);
    const away = {
      ...here.folder,
      base: path.join(here.workspace.scratch, 'new'),
      path: path.join(here.workspace.scratch, 'new/skills'),
    };
    await prepareFolder(away);
    expect(existsSync(away.path)).toBe(true);
  });
});
