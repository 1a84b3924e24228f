/** Folders beside the root of a server, whichever way it is reached: whose they are, and how long they stay. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri, uriToPath } from '../../src/shared/base/paths.ts';
import type { LinkMode, ServerLink } from '../../src/shared/link/server-link.ts';
import { until } from '../support/events.ts';
import { LINK_MODES, type LinkWorld, type LinkWorldOptions, linkWorld } from '../support/link-worlds.ts';

const TAKES_FOLDERS = { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } };

/** A world with two more folders beside its root, whose server takes them. */
async function worldWithFolders(
  mode: LinkMode,
  options: LinkWorldOptions = {},
): Promise<LinkWorld & { readonly b: AbsPath; readonly c: AbsPath }> {
  const world = await linkWorld(mode, { scenario: { capabilities: TAKES_FOLDERS }, ...options });
  const folder = (name: string) =>
    path.dirname(world.workspace.write(`../${name}/${name}.fake`, 'alpha\n')) as AbsPath;
  return { ...world, b: folder('b'), c: folder('c') };
}

async function rootsOf(link: ServerLink): Promise<readonly (string | undefined)[]> {
  const { roots } = (await link.request('fake/state', {})) as { roots: readonly string[] };
  return roots.map((uri) => path.basename(uriToPath(uri) ?? ''));
}

async function filesWithAlpha({ link, workspace }: LinkWorld): Promise<readonly string[]> {
  const file = workspace.file('a.fake');
  const params = {
    textDocument: { uri: pathToUri(file) },
    position: { line: 0, character: 10 },
    context: { includeDeclaration: false },
  };
  const found = await link.request('textDocument/references', params, { documents: [file], whenReady: true });
  return (found as readonly { uri: string }[]).map(({ uri }) => path.basename(uri)).sort();
}

describe.each(LINK_MODES)('folders of a %s link', (mode) => {
  it('are the server’s from its start, and change without another one', async () => {
    await using world = await worldWithFolders(mode);
    const { link, server, b, c } = world;
    await link.setFolders([b]);
    expect(server.journal.received('initialize')).toEqual([]);
    expect(await rootsOf(link)).toEqual(['work', 'b']);
    expect(await filesWithAlpha(world)).toEqual(['b.fake', 'b.fake']);
    await link.setFolders([b, c]);
    expect(link.folders).toEqual([b, c]);
    expect(await rootsOf(link)).toEqual(['work', 'b', 'c']);
    await link.setFolders([c]);
    expect(await rootsOf(link)).toEqual(['work', 'c']);
    await link.setFolders([]);
    expect(await rootsOf(link)).toEqual(['work']);
    expect(server.journal.received('initialize')).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });

  it('are told to a server that asks for them, and are there again after a restart', async () => {
    await using world = await worldWithFolders(mode);
    const { link, server, b } = world;
    await link.facts();
    await link.setFolders([b]);
    await link.request('fake/do', { steps: [{ askAndWait: { method: 'workspace/workspaceFolders' } }] });
    const answer = await server.journal.waitFor(['answer', 'workspace/workspaceFolders']);
    expect(answer).toMatchObject({
      result: [{ uri: pathToUri(world.workspace.root) }, { uri: pathToUri(b), name: b }],
    });
    await link.restart();
    expect(await rootsOf(link)).toEqual(['work', 'b']);
    expect(server.journal.received('initialize')).toHaveLength(2);
  });

  it('are refused by a server that cannot have them, and not remembered', async () => {
    await using world = await worldWithFolders(mode, { scenario: {} });
    const { link, b } = world;
    await link.facts();
    expect(await link.setFolders([b]).catch(failureOf)).toEqual({
      kind: 'unsupported',
      server: 'fake-lsp',
      method: 'workspace/didChangeWorkspaceFolders',
    });
    expect(link.folders).toEqual([]);
    await link.restart();
    expect(await rootsOf(link)).toEqual(['work']);
  });

  it('are those of all sessions of a shared server, and each leaves with its own', async () => {
    await using world = await worldWithFolders(mode);
    const { link, b, c } = world;
    const other = world.another();
    await link.setFolders([b]);
    await other.setFolders([b, c]);
    await Promise.all([link.facts(), other.facts()]);
    const shared = mode === 'daemon';
    expect((await rootsOf(link)).toSorted()).toEqual(shared ? ['b', 'c', 'work'] : ['b', 'work']);
    expect((await rootsOf(other)).toSorted()).toEqual(['b', 'c', 'work']);
    await other.close();
    await until(async () => (await rootsOf(link)).length === 2, { what: 'the folder to be taken away' });
    expect(await rootsOf(link)).toEqual(['work', 'b']);
    expect(world.server.journal.violations()).toEqual([]);
  });

  it('are looked at like the root: the server hears of what others write there', async () => {
    await using world = await worldWithFolders(mode, { languageIds: { fake: 'fake' } });
    const { link, server, workspace, b } = world;
    await link.facts();
    await link.setFolders([b]);
    await link.request('fake/echo', 1, { whenReady: true });
    const file = workspace.write('../b/new.fake', 'new\n');
    await link.request('fake/echo', 2, { whenReady: true });
    const uris = () => JSON.stringify(server.journal.received('workspace/didChangeWatchedFiles'));
    expect(uris()).toContain(pathToUri(file));
    await link.setFolders([]);
    const later = workspace.write('../b/later.fake', 'later\n');
    await link.request('fake/echo', 3, { whenReady: true });
    expect(uris()).not.toContain(pathToUri(later));
  });

  it('do not make it ready before it knows them', async () => {
    await using world = await worldWithFolders(mode, {
      serverId: 'pyright',
      scenario: {
        capabilities: TAKES_FOLDERS,
        rules: [{ on: 'initialized', do: { log: 'Found 2 source files' } }],
      },
    });
    const { link, server, b } = world;
    expect(await link.whenSettled()).toMatchObject({ kind: 'ready' });
    await link.setFolders([b]);
    await until(() => link.state.kind === 'indexing', { what: 'the folder to be loaded' });
    await server.journal.waitFor(['received', 'workspace/didChangeWorkspaceFolders']);
    await link.request('fake/do', { steps: [{ log: 'Found 1 source file' }] });
    expect(await link.whenSettled()).toMatchObject({ kind: 'ready' });
  });
});

describe.each(LINK_MODES)('a %s link', (mode) => {
  it('passes on what somebody else noticed on disk, as it was said', async () => {
    await using world = await linkWorld(mode);
    const { link, server, workspace } = world;
    const [a, gone] = [workspace.file('a.fake'), workspace.file('gone.fake')];
    await link.tellChanges([
      { path: a, type: 'change' },
      { path: gone, type: 'delete' },
    ]);
    const told = await server.journal.waitFor(['received', 'workspace/didChangeWatchedFiles']);
    expect(told.message?.params).toEqual({
      changes: [
        { uri: pathToUri(gone), type: 3 },
        { uri: pathToUri(a), type: 2 },
      ],
    });
  });
});
