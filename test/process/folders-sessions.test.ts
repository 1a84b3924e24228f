/** Sessions that share a server and work in different folders: each has its own, and takes them away when it goes. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer } from '../support/fake-server.ts';
import { stopBrokers } from '../support/link-worlds.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { writeFakeConfig } from '../tools/fake-session.ts';

const SAMPLE =
  '//- a.fake\nfunction alpha\n//- ../b/b.fake\nfunction beta\n//- ../c/c.fake\nfunction gamma\n';

/** The names of the folders that the server has been told of, from the first one on. */
function foldersOf({ journal }: FakeServer): readonly string[] {
  const folders = new Set<string>();
  for (const { method, message } of journal.matching(({ event }) => event === 'received')) {
    const params = Object(message?.params);
    if (method === 'initialize') folders.clear();
    const { added = [], removed = [] } =
      method === 'initialize' ? { added: params.workspaceFolders } : Object(params.event);
    for (const { uri } of removed) folders.delete(uri);
    for (const { uri } of added) folders.add(uri);
  }
  return [...folders].map((uri) => path.basename(uri));
}

describe('two sessions on one server', () => {
  it('have their own folders in it, which go with whoever leaves or is killed', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const server = fakeServer(workspace.scratch, {
      capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } },
    });
    const config = writeFakeConfig(workspace, server);
    const start = () => startFrontEnd({ workspace, args: ['--config', config, '--daemon', 'always'] });
    const [b, c] = [workspace.file('../b'), workspace.file('../c')];
    const removed = (count: number) =>
      server.journal.waitFor(
        ({ method, message }) =>
          method === 'workspace/didChangeWorkspaceFolders' &&
          Object(message?.params).event.removed.length > 0,
        { count },
      );

    const one = await start();
    const other = await start();
    const third = await start();
    for (const session of [one, other, third]) {
      expect((await session.call('list_symbols', { file_path: 'a.fake' })).text).toContain('alpha');
    }
    await one.call('add_workspace_folder', { path: b });
    await other.call('add_workspace_folder', { path: b });
    await third.call('add_workspace_folder', { path: c });
    expect((await one.call('list_symbols', { file_path: `${b}/b.fake` })).text).toContain('beta');
    expect((await third.call('list_symbols', { file_path: `${c}/c.fake` })).text).toContain('gamma');
    expect(foldersOf(server)).toEqual(['work', 'b', 'c']);
    // What others work in is no part of a session.
    expect((await third.call('list_symbols', { file_path: `${b}/b.fake` })).isError).toBe(true);
    expect((await one.call('list_workspace_folders')).text).not.toContain(c);
    expect((await third.call('find_symbol', { query: 'gamma' })).text).toContain(`${c}/c.fake`);
    expect((await third.call('find_symbol', { query: 'beta' })).text).toContain('No symbols matching');
    expect((await one.call('inspect_symbol', { symbol: 'gamma' })).text).not.toContain(c);

    await third.kill9();
    await removed(1);
    expect(foldersOf(server)).toEqual(['work', 'b']);
    await one.close();
    expect((await other.call('list_symbols', { file_path: `${b}/b.fake` })).text).toContain('beta');
    expect(foldersOf(server)).toEqual(['work', 'b']);

    // The server is another one, and has what its session has.
    process.kill(server.journal.received('initialize')[0]?.pid ?? 0, 'SIGKILL');
    await server.journal.waitFor(['received', 'initialize'], { count: 2 });
    expect((await other.call('list_symbols', { file_path: `${b}/b.fake` })).text).toContain('beta');
    expect(foldersOf(server)).toEqual(['work', 'b']);
    await other.close();
    await removed(2);
    expect(foldersOf(server)).toEqual(['work']);
    expect(server.journal.violations()).toEqual([]);
    await stopBrokers(workspace);
    await workspace.expectNothingLeft();
  });
});
