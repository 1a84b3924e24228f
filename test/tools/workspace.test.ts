import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { Scenario } from '../support/fake-server.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession } from './fake-session.ts';

const TAKES_FOLDERS: Scenario = {
  capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } },
};

const SAMPLE = `
//- src/client.fake
export class Client {
  stop() {
  }
}
//- ../b/use.fake
const client = new Client();
client.stop();
//- ../c/other.fake
function other
`;

/** A session in one folder with two more beside it, which are no part of it yet. */
async function session(options: FakeSessionOptions = { scenario: TAKES_FOLDERS }) {
  const made = await fakeSession(SAMPLE, options);
  return Object.assign(made, {
    a: made.workspace.root,
    b: made.workspace.file('../b'),
    c: made.workspace.file('../c'),
  });
}

async function rootsAtServer({ server }: FakeSession): Promise<readonly string[]> {
  const [first] = server.journal.received('initialize');
  const params = first?.message?.params as { workspaceFolders: { name: string }[] };
  const names = params.workspaceFolders.map(({ name }) => name);
  for (const { message } of server.journal.received('workspace/didChangeWorkspaceFolders')) {
    const { event } = Object(message?.params) as { event: Record<'added' | 'removed', { name: string }[]> };
    for (const { name } of event.removed) names.splice(names.indexOf(name), 1);
    names.push(...event.added.map(({ name }) => name));
  }
  return names.map((name) => path.basename(name));
}

describe('workspace folders', () => {
  it('are added, listed and removed, and the path boundary goes with them', async () => {
    await using fake = await session();
    const { a, b } = fake;
    expect(await fake.ask('list_workspace_folders')).toBe(`1 workspace folder; root ${a}\n  ${a}  root`);
    const outside = await fake.call('list_symbols', { file_path: `${b}/use.fake` });
    expect(outside).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the workspace roots'),
    });
    expect(await fake.ask('add_workspace_folder', { path: b })).toBe(
      [
        `Folder added: ${b}`,
        `2 workspace folders; root ${a}`,
        `  ${a}  root`,
        `  ${b}  added`,
        'next: name its files by absolute paths',
      ].join('\n'),
    );
    expect(await fake.ask('list_symbols', { file_path: `${b}/use.fake` })).toContain(
      `${b}/use.fake: 1 symbol`,
    );
    expect(await fake.ask('remove_workspace_folder', { path: b })).toBe(
      [`Folder removed: ${b}`, `1 workspace folder; root ${a}`, `  ${a}  root`].join('\n'),
    );
    const again = await fake.call('list_symbols', { file_path: `${b}/use.fake` });
    expect(again.isError).toBe(true);
  });

  it('have one shape of data', async () => {
    await using fake = await session({ scenario: TAKES_FOLDERS, env: { AGENT_LSP_OUTPUT_FORMAT: 'json' } });
    const [a, b] = [fake.a, fake.b].map((name) => ({ uri: pathToUri(name), name }));
    expect((await fake.call('add_workspace_folder', { path: '../b' })).json).toEqual({
      added: fake.b,
      workspace_folders: [a, b],
    });
    expect((await fake.call('list_workspace_folders')).json).toEqual({ workspace_folders: [a, b] });
    expect((await fake.call('remove_workspace_folder', { path: b?.uri })).json).toEqual({
      removed: fake.b,
      workspace_folders: [a],
    });
  });

  it('are given to a running server that takes them, which is said with what it may favour', async () => {
    await using fake = await session();
    const { a, b } = fake;
    await fake.ask('list_symbols', { file_path: 'src/client.fake' });
    const added = await fake.ask('add_workspace_folder', { path: b });
    expect(added).toContain(
      `  ${b}  added; servers: fake (with ${a})\nfake: the server of ${a} works in it, too\n`,
    );
    expect(added).toContain(`note: the fake server may favour ${a}, its first folder`);
    expect(await fake.ask('list_workspace_folders')).toContain(`note: the fake server may favour ${a}`);
    const references = await fake.ask('find_references', { symbol: 'Client.stop' });
    expect(references).toContain(`${b}/use.fake`);
    expect(references).toContain('complete');
    expect(await fake.ask('list_symbols', { file_path: `${b}/use.fake` })).toContain('client');
    expect(fake.server.journal.received('initialize')).toHaveLength(1);
    expect(await rootsAtServer(fake)).toEqual(['work', 'b']);
    await fake.ask('remove_workspace_folder', { path: b });
    expect(await fake.ask('find_references', { symbol: 'Client.stop' })).not.toContain('use.fake');
    expect(await rootsAtServer(fake)).toEqual(['work']);
  });

  it('get a server of their own where the server works in one folder, and what it has not searched is said', async () => {
    await using fake = await session({ scenario: {} });
    const { a, b } = fake;
    await fake.ask('list_symbols', { file_path: 'src/client.fake' });
    expect(await fake.ask('add_workspace_folder', { path: b })).toContain(
      'fake: a server of its own on first use, because fake-lsp works in one folder at a time\n',
    );
    expect(await fake.ask('list_symbols', { file_path: `${b}/use.fake` })).toContain('client');
    const roots = fake.server.journal
      .received('initialize')
      .map(({ message }) => Object(message?.params).rootPath);
    expect(roots).toEqual([a, b]);
    // It speaks of the root.
    fake.workspace.write('../b/import.fake', 'import "work"\nstop\n');
    const references = await fake.ask('find_references', {
      symbol: 'Client.stop',
      file_path: 'src/client.fake',
    });
    expect(references).toMatch(/^INCOMPLETE: fake-lsp has not searched 1 file .*import\.fake/);
    await fake.ask('remove_workspace_folder', { path: b });
    await fake.server.journal.waitFor(['received', 'exit']);
    expect(await fake.ask('list_workspace_folders')).not.toContain(b);
  });

  it('are all searched by name, with the path of the folder that a hit is in', async () => {
    for (const scenario of [TAKES_FOLDERS, {}]) {
      await using fake = await session({ scenario });
      await fake.ask('add_workspace_folder', { path: fake.c });
      const found = await fake.ask('find_symbol', { query: 'other' });
      expect(found).toContain(`${fake.c}/other.fake`);
      expect(await fake.ask('find_symbol', { query: 'Client' })).toContain('src/client.fake');
    }
  });

  describe('group diagnostics', () => {
    const troubled = async (output: 'text' | 'json') => {
      const fake = await session({
        args: ['--output', output],
        scenario: { ...TAKES_FOLDERS, diagnostics: { profile: 'pull' } },
      });
      fake.workspace.write('../b/use.fake', 'ERROR in b\nERROR again\n');
      fake.workspace.write('src/bad.fake', 'WARN in a\n');
      await fake.ask('add_workspace_folder', { path: fake.b });
      const files = [`${fake.b}/use.fake`, 'src/bad.fake', 'src/client.fake', 'src/gone.fake'];
      return Object.assign(fake, { files });
    };

    it('with the counts of each, and pages go through one after the other', async () => {
      await using fake = await troubled('text');
      const { a, b, files } = fake;
      const text = await fake.ask('get_diagnostics', { files, limit: 2 });
      expect(text.split('\n')).toEqual([
        expect.stringMatching(/^MISSING: src\/gone\.fake: /),
        `in ${a}: 2 files, 1 warning`,
        'src/bad.fake: 1 warning; fresh (pull, fake-lsp)',
        '  W 1:1 fake-warning WARN in a',
        'src/client.fake: clean; fresh (pull, fake-lsp)',
        `in ${b}: 1 file, 2 errors`,
        `${b}/use.fake: 2 errors; fresh (pull, fake-lsp)`,
        '  E 1:1 fake-error ERROR in b',
        '1 more diagnostics not shown; pass cursor:"2"',
      ]);
      const rest = await fake.ask('get_diagnostics', { files, cursor: '2' });
      expect(rest).toContain('  E 2:1 fake-error ERROR again\n');
    });

    it('with the counts of each in JSON', async () => {
      await using fake = await troubled('json');
      const { raw } = await fake.call('get_diagnostics', { files: fake.files });
      expect(raw.structuredContent).toMatchObject({
        roots: [
          { root: fake.a, files: 2, errors: 0, warnings: 1 },
          { root: fake.b, files: 1, errors: 2, warnings: 0 },
        ],
      });
    });
  });

  it('of two checkouts of one project are never one server’s', async () => {
    await using fake = await session();
    fake.workspace.write('package.json', '{ "name": "shop" }');
    fake.workspace.write('../b/package.json', '{ "name": "shop" }');
    fake.workspace.write('.git/HEAD', 'ref: refs/heads/main\n');
    fake.workspace.write('../c/.git', `gitdir: ${fake.a}/.git/worktrees/c\n`);
    await fake.ask('list_symbols', { file_path: 'src/client.fake' });
    for (const folder of [fake.b, fake.c]) {
      expect(await fake.ask('add_workspace_folder', { path: folder })).toContain(
        `fake: a server of its own on first use, because it is another checkout of the project in ${fake.a}`,
      );
    }
    expect(await rootsAtServer(fake)).toEqual(['work']);
  });

  it('are refused with the way out when they are none', async () => {
    await using fake = await session();
    const { a, b } = fake;
    const refusals = [
      [
        'add_workspace_folder',
        { path: '../gone' },
        '../gone is not a directory. Pass a directory, for example',
      ],
      ['add_workspace_folder', { path: '../gone/deep' }, '../gone/deep does not exist'],
      [
        'add_workspace_folder',
        { path: 'src/client.fake' },
        `is not a directory. Pass a directory, for example ${a}/src`,
      ],
      ['add_workspace_folder', { path: '/' }, 'is all of a disk and cannot be a workspace folder'],
      ['add_workspace_folder', {}, 'path is required'],
      ['remove_workspace_folder', { path: a }, 'cannot be removed. Start agent-lsp with another -r'],
      ['remove_workspace_folder', { path: b }, `is not a workspace folder. Pass one of ${a}.`],
    ] as const;
    for (const [tool, args, text] of refusals)
      expect(await fake.call(tool, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining(text),
      });
    expect(await fake.ask('add_workspace_folder', { path: 'src' })).toMatch(
      new RegExp(`^Nothing to add: ${a}/src lies in ${a}\n1 workspace folder;`),
    );
  });
});

describe('did_change_watched_files', () => {
  it('reaches the servers that the files belong to', async () => {
    await using fake = await session();
    const { ask, server, b } = fake;
    const changes = [
      { path: 'src/client.fake', type: 'changed' },
      { uri: pathToUri(fake.workspace.file('src/new.fake')), type: 1 },
      { path: 'src/old.fake', type: 3 },
    ];
    expect(await ask('did_change_watched_files', { changes })).toBe(
      'No server is running that these files belong to; the next one reads them as they are',
    );
    await ask('list_symbols', { file_path: 'src/client.fake' });
    expect(await ask('did_change_watched_files', { changes })).toBe(
      'File change notifications sent\nfake in .: 3',
    );
    const { message } = await server.journal.waitFor(['received', 'workspace/didChangeWatchedFiles']);
    expect(message?.params).toEqual({
      changes: [
        { uri: pathToUri(fake.workspace.file('src/old.fake')), type: 3 },
        { uri: pathToUri(fake.workspace.file('src/new.fake')), type: 1 },
        { uri: pathToUri(fake.workspace.file('src/client.fake')), type: 2 },
      ],
    });
    await ask('add_workspace_folder', { path: b });
    expect(
      await ask('did_change_watched_files', { changes: [{ path: `${b}/use.fake`, type: 2 }] }),
    ).toContain('sent');
    await server.journal.waitFor(
      ({ method, message }) =>
        method === 'workspace/didChangeWatchedFiles' && JSON.stringify(message).includes(`${b}/use.fake`),
    );
  });

  it('refuses bad elements by their index', async () => {
    await using fake = await session();
    const good = { path: 'src/client.fake', type: 2 };
    const refusals = [
      [
        { path: 'x.fake', type: 'moved' },
        'changes[1].type: must be created, changed or deleted, or 1, 2 or 3, got "moved"',
      ],
      [{ path: 'x.fake', type: 4 }, 'changes[1].type: must be created'],
      [{ type: 1 }, 'changes[1] must name one file. Pass path or uri.'],
      [{ path: '/etc/passwd', type: 1 }, 'changes[1] /etc/passwd is outside the workspace roots'],
      [{ path: 'x.fake' }, 'changes[1].type'],
    ] as const;
    for (const [bad, text] of refusals) {
      const answer = await fake.call('did_change_watched_files', { changes: [good, bad] });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(text) });
    }
    const none = await fake.call('did_change_watched_files', { changes: [] });
    expect(none.isError).toBe(true);
  });
});
