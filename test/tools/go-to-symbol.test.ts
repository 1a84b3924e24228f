import { describe, expect, it } from 'vitest';
import { fakeSession, SAMPLE } from './fake-session.ts';

const SYMBOLS = `${SAMPLE}//- lib/other.fake
export class Other {
  stop() {
  }
}
//- test/fakes.test.fake
class Client {
  stop() {
  }
}
`;

describe('go_to_symbol', () => {
  it('goes to the definition of a path, before those in tests, with kind and source line', async () => {
    await using session = await fakeSession(SYMBOLS);
    const { root } = session.workspace;
    expect((await session.ask('go_to_symbol', { symbol_path: 'Client.stop' })).split('\n')).toEqual([
      `1 definition of Client.stop; fake-lsp ready; root ${root}`,
      'src/client.fake:2:3  method Client.stop  stop() {',
      'next: inspect_symbol src/client.fake:2:3',
    ]);
    expect(await session.ask('go_to_symbol', { symbol_path: 'Client.stop#2' })).toContain(
      'test/fakes.test.fake:2:3  method Client.stop  stop() {',
    );
    const below = { symbol_path: 'stop', workspace_root: 'lib', language: 'fake' };
    expect(await session.ask('go_to_symbol', below)).toContain('lib/other.fake:2:3  method stop  stop() {');
  });

  it('lists several that fit equally well, each with a path that can be pasted back', async () => {
    await using session = await fakeSession(SYMBOLS);
    expect((await session.ask('go_to_symbol', { symbol_path: 'stop' })).split('\n')).toEqual([
      `AMBIGUOUS: 2 places fit stop in the workspace; root ${session.workspace.root}`,
      '  method stop  file_path:"lib/other.fake", line:2, column:3 (or symbol:"stop#1")',
      '  method stop  file_path:"src/client.fake", line:2, column:3 (or symbol:"stop#2")',
      'next: pass symbol with its number, such as stop#1',
    ]);
    expect(await session.ask('go_to_symbol', { symbol_path: 'stop#2' })).toContain('src/client.fake:2:3');
  });

  it('answers in JSON with places', async () => {
    await using session = await fakeSession(SYMBOLS, { args: ['--output', 'json'] });
    const { json, raw } = await session.call('go_to_symbol', { symbol_path: 'Other.stop' });
    const file = session.workspace.file('lib/other.fake');
    expect(json).toEqual([{ file, line: 2, column: 3, end_line: 2, end_column: 7 }]);
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true });
    expect((await session.call('go_to_symbol', { symbol_path: 'Nobody' })).json).toEqual([]);
  });

  it('says that there is none, with what is similar, and refuses what is no path', async () => {
    await using session = await fakeSession(SYMBOLS);
    const { root } = session.workspace;
    expect((await session.ask('go_to_symbol', { symbol_path: 'Server.stop' })).split('\n')).toEqual([
      `No symbol Server.stop; fake-lsp ready; root ${root}`,
      'next: the last part alone is stop (lib/other.fake:2:3), stop (src/client.fake:2:3), stop (test/fakes.test.fake:2:3)',
    ]);
    expect(await session.ask('go_to_symbol', { symbol_path: 'Server', workspace_root: 'lib' })).toBe(
      `No symbol Server below lib; fake-lsp ready; root ${root}\nnext: find_symbol searches by a part of the name`,
    );
    const refused = async (args: Record<string, unknown>) => {
      const { text, isError } = await session.call('go_to_symbol', args);
      expect(isError).toBe(true);
      return text;
    };
    expect(await refused({ symbol_path: '.' })).toContain('symbol "." has no name in it');
    expect(await refused({ symbol_path: 'stop#9' })).toContain('there are 3 of stop. Pass #1 to #3');
    expect(await refused({ symbol_path: 'stop', workspace_root: '/' })).toContain(
      'outside the workspace roots',
    );
    expect(await refused({ symbol_path: 'stop', language: 'klingon' })).toContain('klingon');
  });

  it('says INCOMPLETE while the server is indexing, and that it cannot look', async () => {
    await using session = await fakeSession(SYMBOLS, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: { rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing' } } }] },
    });
    const text = await session.ask('go_to_symbol', { symbol_path: 'Nobody' });
    expect(text).toMatch(/^INCOMPLETE: fake-lsp is still indexing, retry in \d+ s\nNo symbol Nobody; /);
    session.server.rewrite({ capabilities: { workspaceSymbolProvider: null } });
    await session.ask('restart_lsp_server');
    const { text: why, isError } = await session.call('go_to_symbol', { symbol_path: 'Nobody' });
    expect(isError).toBe(true);
    expect(why).toContain('fake-lsp does not support workspace/symbol');
  });

  it('follows a declaration to its definition, and does not leave a definition for its declaration', async () => {
    await using session = await fakeSession(SYMBOLS);
    const placeIn = (file: string, line: number, character: number) => ({
      uri: `file://${session.workspace.file(file)}`,
      range: { start: { line, character }, end: { line, character: character + 1 } },
    });
    const away = {
      on: 'textDocument/definition',
      nth: 1,
      do: { result: [placeIn('src/client.fake', 8, 0)] },
    };
    const back = {
      on: 'textDocument/definition',
      nth: 2,
      do: { result: [placeIn('lib/other.fake', 0, 13)] },
    };
    session.server.rewrite({ rules: [away] });
    const question = { symbol_path: 'Other' };
    expect(await session.ask('go_to_symbol', question)).toContain('src/client.fake:9:1  class Other');
    session.server.rewrite({ rules: [away, back] });
    await session.ask('restart_lsp_server');
    expect(await session.ask('go_to_symbol', question)).toContain('lib/other.fake:1:14  class Other');
  });
});
