import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

describe('list_symbols', () => {
  it('prints the outline with positions', async () => {
    await using session = await fakeSession();
    const text = await session.ask('list_symbols', { file_path: 'src/client.fake' });
    expect(text.split('\n')).toEqual([
      `src/client.fake: 6 symbols; fake-lsp ready; root ${session.workspace.root}`,
      '  class Client 1:14-7',
      '    method stop 2:3-4',
      '    method log 5:3-7',
      '  interface Stoppable 8:18',
      '  class Server 9:14',
      '  constant shared 10:14',
    ]);
  });

  it('builds the tree from a flat list, too', async () => {
    const range = (start: number, end: number) => ({
      start: { line: start, character: 0 },
      end: { line: end, character: 0 },
    });
    await using session = await fakeSession();
    const uri = `file://${session.workspace.file('src/client.fake')}`;
    const result = [
      { name: 'stop', kind: 6, containerName: 'Client', location: { uri, range: range(1, 3) } },
      { name: 'Client', kind: 5, location: { uri, range: range(0, 6) } },
    ];
    session.server.rewrite({ rules: [{ on: 'textDocument/documentSymbol', do: { result } }] });
    const text = await session.ask('list_symbols', { file_path: 'src/client.fake' });
    expect(text).toContain('  class Client 1:14-7\n    method stop 2:3-4');
  });

  it('gives the tree as data, and as markdown on request', async () => {
    await using session = await fakeSession(undefined, { args: ['--output', 'json'] });
    const { json } = await session.call('list_symbols', { file_path: 'src/client.fake', limit: 2 });
    expect(json).toMatchObject([
      {
        name: 'Client',
        kind: 5,
        selectionRange: { start: { line: 1, column: 14 } },
        children: [{ name: 'stop' }],
      },
    ]);
    const outline = await session.call('list_symbols', { file_path: 'src/client.fake', format: 'outline' });
    expect(outline.raw.structuredContent).toMatchObject({
      outline: expect.stringContaining('Client [Class] :1\n  stop [Method] :2'),
    });
  });

  it('says that a file has none', async () => {
    await using session = await fakeSession('//- empty.fake\n\n');
    expect(await session.ask('list_symbols', { file_path: 'empty.fake' })).toMatch(
      /^empty\.fake: no symbols; fake-lsp ready/,
    );
  });
});

describe('find_symbol', () => {
  it('puts the exact name first', async () => {
    await using session = await fakeSession('//- a.fake\nfunction stopAll() {\n}\nfunction stop() {\n}\n');
    const text = await session.ask('find_symbol', { query: 'stop' });
    expect(text.split('\n').slice(0, 3)).toEqual([
      `2 symbols matching "stop"; fake-lsp ready; root ${session.workspace.root}`,
      '  function stop  a.fake:3:10',
      '  function stopAll  a.fake:1:10',
    ]);
  });

  it('adds signatures with detail_level hover', async () => {
    await using session = await fakeSession();
    const text = await session.ask('find_symbol', { query: 'stop', detail_level: 'hover' });
    expect(text).toContain('  method stop  src/client.fake:2:3  stop() {');
  });

  it('says that nothing matches', async () => {
    await using session = await fakeSession();
    expect(await session.ask('find_symbol', { query: 'nowhere' })).toMatch(
      /^No symbols matching "nowhere"; fake-lsp ready/,
    );
  });

  it('finds TypeScript symbols before any file was opened', async () => {
    await using workspace = createWorkspace(`
    //- tsconfig.json
    {"compilerOptions": {"strict": true}, "include": ["src"]}
    //- src/deep/hidden.ts
    export class HiddenTreasure {}
    `);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    const { text } = await frontEnd.call('find_symbol', { query: 'HiddenTreasure' });
    expect(text).toContain('class HiddenTreasure  src/deep/hidden.ts:1:14');
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});
