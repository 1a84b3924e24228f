import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario } from '../support/fake-server.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const FILES = `
//- src/money.fake
import money
import price
function add
//- src/price.fake
import money
add
//- src/other/shop.fake
import money
import other
//- notes.txt
money
`;

const filters = [{ scheme: 'file', pattern: { glob: '**/*.fake', matches: 'file' } }];
const FOLLOWING: Scenario = {
  capabilities: { workspace: { fileOperations: { willRename: { filters }, didRename: { filters } } } },
};

const MOVE = { file_path: 'src/money.fake', new_path: 'src/base/cash.fake' };

/** All files with their texts, as far as they are there. */
function texts({ workspace }: FakeSession, ...files: readonly string[]): readonly (string | undefined)[] {
  return files.map((file) => (existsSync(workspace.file(file)) ? workspace.read(file) : undefined));
}

describe('move_file', () => {
  it('moves a file together with the imports of it and those in it, as one edit', async () => {
    await using session = await fakeSession(FILES, { scenario: FOLLOWING });
    const { workspace, server } = session;
    const shown = (await session.ask('move_file', { ...MOVE, dry_run: true })).split('\n');
    expect(shown.slice(0, 4)).toEqual([
      'move src/money.fake to src/base/cash.fake: would change 2 places in 2 files, rename 1 file, make 1 folder; edit_id e1',
      '  rename src/money.fake to src/base/cash.fake, 1 place changed',
      '  src/other/shop.fake (1)',
      '  src/price.fake (1)',
    ]);
    expect(shown.at(-1)).toBe('next: apply_edit with edit_id e1 applies it');
    expect(existsSync(workspace.file('src/base'))).toBe(false);
    expect(server.journal.received('workspace/didRenameFiles')).toEqual([]);
    const applied = (await session.ask('apply_edit', { edit_id: 'e1' })).split('\n');
    expect(applied[0]).toBe(
      'move src/money.fake to src/base/cash.fake: changed 2 places in 2 files, renamed 1 file, made 1 folder',
    );
    expect(texts(session, 'src/money.fake', 'src/base/cash.fake', 'src/price.fake')).toEqual([
      undefined,
      'import cash\nimport price\nfunction add\n',
      'import cash\nadd\n',
    ]);
    const [told] = await Promise.all([server.journal.waitFor(['received', 'workspace/didRenameFiles'])]);
    expect(told.message?.params).toEqual({
      files: [
        {
          oldUri: `file://${workspace.file('src/money.fake')}`,
          newUri: `file://${workspace.file('src/base/cash.fake')}`,
        },
      ],
    });
    await session.ask('apply_edit', { undo: 'e1' });
    expect(texts(session, 'src/money.fake', 'src/base/cash.fake', 'src/price.fake')).toEqual([
      'import money\nimport price\nfunction add\n',
      undefined,
      'import money\nadd\n',
    ]);
    expect(server.journal.violations()).toEqual([]);
  });

  it('says that imports do not follow where the server cannot do that, and shows them before it moves', async () => {
    await using session = await fakeSession(FILES);
    const { workspace } = session;
    expect((await session.ask('move_file', MOVE)).split('\n')).toEqual([
      'move src/money.fake to src/base/cash.fake: would rename 1 file, make 1 folder; edit_id e1',
      'imports NOT updated: fake-lsp does not update imports when files move; 2 import lines may need it',
      '  src/other/shop.fake:1 import money',
      '  src/price.fake:1 import money',
      '  rename src/money.fake to src/base/cash.fake',
      'diff --git a/src/money.fake b/src/base/cash.fake',
      'rename from src/money.fake',
      'rename to src/base/cash.fake',
      'note: shown first: imports will not be updated',
      'next: apply_edit with edit_id e1 applies it',
    ]);
    expect(existsSync(workspace.file('src/money.fake'))).toBe(true);
    const done = (await session.ask('move_file', { ...MOVE, dry_run: false })).split('\n');
    expect(done.slice(0, 2)).toEqual([
      'move src/money.fake to src/base/cash.fake: renamed 1 file, made 1 folder',
      'imports NOT updated: fake-lsp does not update imports when files move; 2 import lines may need it',
    ]);
    expect(existsSync(workspace.file('src/base/cash.fake'))).toBe(true);
    // Nothing can import it, so nothing has to be shown.
    expect(await session.ask('move_file', { file_path: 'notes.txt', new_path: 'NOTES.txt' })).toMatch(
      /^move notes\.txt to NOTES\.txt: renamed 1 file\n/,
    );
    expect(existsSync(workspace.file('NOTES.txt'))).toBe(true);
  });

  it('gives the same as data', async () => {
    await using session = await fakeSession(FILES, { args: ['--output', 'json'] });
    const { json } = await session.call('move_file', { ...MOVE, dry_run: true });
    const { workspace } = session;
    expect(json).toMatchObject({
      applied: false,
      edit_id: 'e1',
      files: [
        {
          file: workspace.file('src/money.fake'),
          operation: 'rename',
          new_path: workspace.file('src/base/cash.fake'),
        },
      ],
      imports_not_updated: ['fake-lsp does not update imports when files move'],
      importers: [
        { file: workspace.file('src/other/shop.fake'), line: 1, text: 'import money' },
        { file: workspace.file('src/price.fake'), line: 1, text: 'import money' },
      ],
    });
  });

  it('moves a folder with all that is in it, asking only for what the server wants to be asked about', async () => {
    await using session = await fakeSession(FILES, { scenario: FOLLOWING });
    const { workspace, server } = session;
    const folder = { file_path: 'src/other', new_path: 'lib/shops' };
    // The filter is about files alone.
    expect((await session.ask('move_file', folder)).split('\n').slice(0, 3)).toEqual([
      'move src/other to lib/shops: renamed 1 file, made 2 folders, removed 1 folder',
      'no import of it was found to be updated (fake-lsp does not update imports when folders move)',
      '  rename src/other/shop.fake to lib/shops/shop.fake',
    ]);
    expect(server.journal.received('workspace/willRenameFiles')).toEqual([]);
    expect(texts(session, 'src/other/shop.fake', 'lib/shops/shop.fake')).toEqual([
      undefined,
      'import money\nimport other\n',
    ]);
    expect(existsSync(workspace.file('src/other'))).toBe(false);
  });
});

describe('move_file refuses', () => {
  let session: FakeSession;
  beforeAll(async () => {
    session = await fakeSession(FILES, { scenario: FOLLOWING });
    mkdirSync(`${session.workspace.root}/way`);
    symlinkSync(session.workspace.file('src/money.fake'), `${session.workspace.root}/link.fake`);
    symlinkSync(session.workspace.scratch, `${session.workspace.root}/way/out`);
  });
  afterAll(async () => void (await session[Symbol.asyncDispose]()));

  it.each([
    { args: { file_path: 'src/none.fake', new_path: 'a.fake' }, message: /^src\/none\.fake does not exist/ },
    {
      args: { file_path: 'src/money.fake', new_path: 'src/price.fake' },
      message: /^src\/price\.fake already exists\. Pass another/,
    },
    {
      args: { file_path: 'src/money.fake', new_path: 'src/other' },
      message: /^src\/other is a directory\. Pass the whole new path, such as src\/other\/money\.fake\.$/,
    },
    {
      args: { file_path: 'src/money.fake', new_path: 'new/' },
      message: /^new\/ names a directory\. Pass the whole new path/,
    },
    { args: { file_path: 'src', new_path: 'src/deep/src' }, message: /^src cannot be moved into itself/ },
    {
      args: { file_path: 'src/money.fake', new_path: 'src/money.fake' },
      message: /^src\/money\.fake is called so already/,
    },
    {
      args: { file_path: 'src/money.fake', new_path: '../money.fake' },
      message: /is outside the workspace roots/,
    },
    {
      args: { file_path: 'src/money.fake', new_path: '.git/hooks/money.fake' },
      message: /it belongs to git/,
    },
    {
      args: { file_path: 'src/money.fake', new_path: 'way/out/money.fake' },
      message: /is outside the workspace roots/,
    },
    {
      args: { file_path: 'link.fake', new_path: 'a.fake' },
      message: /it is a symbolic link, and what it leads to/,
    },
    { args: { file_path: '.', new_path: 'lib' }, message: /it is a root of the workspace/ },
  ])('what cannot be: $args', async ({ args, message }) => {
    const before = texts(session, 'src/money.fake', 'src/price.fake');
    const { isError, text } = await session.call('move_file', { ...args, dry_run: false });
    expect(text).toMatch(message);
    expect(isError).toBe(true);
    expect(texts(session, 'src/money.fake', 'src/price.fake')).toEqual(before);
    expect(session.server.journal.received('workspace/willRenameFiles')).toEqual([]);
  });
});
