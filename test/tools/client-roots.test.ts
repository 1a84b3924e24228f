/** Roots that the client names: hints that are followed at once, but only as far as the person who started us allows. */
import type { ClientOptions } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const SAMPLE = `
//- a.fake
function alpha
//- ../b/b.fake
function beta
//- ../c/c.fake
function gamma
`;

const ERAS = [
  { era: 'older', mode: 'legacy' },
  { era: 'newer', mode: { pin: '2026-07-28' } },
] as const;

interface RootedSession extends FakeSession {
  /** What the client answers from now on. */
  name(...folders: readonly string[]): void;
  readonly asked: () => number;
}

async function rooted(
  mode: NonNullable<ClientOptions['versionNegotiation']>['mode'],
  folders: readonly string[],
  args: readonly string[] = [],
): Promise<RootedSession> {
  let named = folders;
  let asked = 0;
  const session = await fakeSession(SAMPLE, {
    args,
    scenario: {
      capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } },
    },
    client: {
      capabilities: { roots: { listChanged: true } },
      ...(mode === undefined ? {} : { versionNegotiation: { mode } }),
    },
    prepare: (client, workspace) =>
      client.setRequestHandler('roots/list', () => {
        asked++;
        return { roots: named.map((folder) => ({ uri: pathToUri(workspace.file(folder)) })) };
      }),
  });
  return Object.assign(session, {
    asked: () => asked,
    name: (...others: readonly string[]) => {
      named = others;
    },
  });
}

describe.each(ERAS)('roots of a client of the $era protocol', ({ mode }) => {
  it('are folders of the session from the first call on, and are asked for once', async () => {
    await using session = await rooted(mode, ['.', '../b']);
    const { workspace } = session;
    expect(await session.ask('list_symbols', { file_path: workspace.file('../b/b.fake') })).toContain('beta');
    expect(await session.ask('list_workspace_folders')).toBe(
      [
        `2 workspace folders; root ${workspace.root}`,
        `  ${workspace.root}  root`,
        `  ${workspace.file('../b')}  from the client; servers: fake`,
      ].join('\n'),
    );
    expect(session.asked()).toBe(1);
    const outside = await session.call('list_symbols', { file_path: workspace.file('../c/c.fake') });
    expect(outside).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the workspace roots'),
    });
  });

  it('are not taken beside -r, nor when they are no folder or all of a disk', async () => {
    await using fixed = await rooted(mode, ['../b'], ['-r', '.']);
    expect(await fixed.ask('list_workspace_folders')).toContain(
      `note: not taken of the client's roots: ${fixed.workspace.file('../b')}; -r says what the roots are`,
    );
    expect((await fixed.call('list_symbols', { file_path: '../b/b.fake' })).isError).toBe(true);
    await using odd = await rooted(mode, ['/', '../gone', 'a.fake', '../../..']);
    expect(await odd.ask('list_workspace_folders')).toContain('1 workspace folder;');
  });
});

describe('roots that change', () => {
  it('move boundary and servers in one step when an older client says so', async () => {
    await using session = await rooted('legacy', ['../b']);
    const { workspace, server } = session;
    const [b, c] = [workspace.file('../b'), workspace.file('../c')];
    await session.ask('list_symbols', { file_path: 'a.fake' });
    await session.ask('list_symbols', { file_path: `${b}/b.fake` });
    expect(server.journal.received('initialize')).toHaveLength(1);
    session.name('../c');
    await session.frontEnd.client.sendRootsListChanged();
    expect(await session.ask('list_symbols', { file_path: `${c}/c.fake` })).toContain('gamma');
    expect((await session.call('list_symbols', { file_path: `${b}/b.fake` })).isError).toBe(true);
    const events = server.journal
      .received('workspace/didChangeWorkspaceFolders')
      .map(({ message }) => Object(message?.params).event);
    expect(events).toEqual([
      { added: [{ uri: pathToUri(b), name: b }], removed: [] },
      { added: [], removed: [{ uri: pathToUri(b), name: b }] },
      { added: [{ uri: pathToUri(c), name: c }], removed: [] },
    ]);
    expect(server.journal.received('initialize')).toHaveLength(1);
  });

  it('are asked for again when a newer client names a path outside of them', async () => {
    await using session = await rooted({ pin: '2026-07-28' }, ['../b']);
    const { workspace } = session;
    await session.ask('list_symbols', { file_path: 'a.fake' });
    session.name('../c');
    expect(await session.ask('list_symbols', { file_path: workspace.file('../c/c.fake') })).toContain(
      'gamma',
    );
    expect((await session.call('list_symbols', { file_path: workspace.file('../b/b.fake') })).isError).toBe(
      true,
    );
  });

  it('of a client that does not answer hold up nothing', async () => {
    await using session = await fakeSession(SAMPLE, {
      client: { capabilities: { roots: {} }, versionNegotiation: { mode: 'legacy' } },
      prepare: (client) => client.setRequestHandler('roots/list', () => new Promise(() => {})),
    });
    expect(await session.ask('list_symbols', { file_path: 'a.fake' })).toContain('alpha');
  });
});
