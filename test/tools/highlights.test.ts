import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const COUNTER = `
//- a.fake
const count = 1;
count = count + other;
log("count");
`;

describe('get_document_highlights', () => {
  it('lists the occurrences in the file with what happens to them and their source lines', async () => {
    await using session = await fakeSession(COUNTER);
    const question = { file_path: 'a.fake', symbol: 'count' };
    expect((await session.ask('get_document_highlights', question)).split('\n')).toEqual([
      `4 occurrences of count (a.fake:1:7) in this file; fake-lsp ready; root ${session.workspace.root}`,
      '  1:7 write  const count = 1;',
      '  2:1 write  count = count + other;',
      '  2:9 read  count = count + other;',
      '  3:6 text  log("count");',
      'next: find_references a.fake:1:7 looks in other files, too',
    ]);
    const page = await session.ask('get_document_highlights', { ...question, limit: 2, cursor: '1' });
    expect(page).toContain('1 earlier occurrences not shown\n1 more occurrences not shown; pass cursor:"3"');
  });

  it('answers in JSON with 1-based positions and kinds in words', async () => {
    await using session = await fakeSession(COUNTER, { args: ['--output', 'json'] });
    const question = { file_path: 'a.fake', line: 2, column: 9, limit: 3 };
    const { json, raw } = await session.call('get_document_highlights', question);
    expect(json).toEqual([
      { line: 1, column: 7, end_line: 1, end_column: 12, kind: 'write' },
      { line: 2, column: 1, end_line: 2, end_column: 6, kind: 'write' },
      { line: 2, column: 9, end_line: 2, end_column: 14, kind: 'read' },
    ]);
    expect(raw.structuredContent).toMatchObject({ status: 'ok', total: 4, truncated: true });
  });

  it('says that there are none, that the server is not ready, and that it cannot look', async () => {
    const rules = [{ on: 'textDocument/documentHighlight', do: { result: null } }];
    await using session = await fakeSession(COUNTER, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: { rules },
    });
    const question = { file_path: 'a.fake', symbol: 'count' };
    const none = await session.ask('get_document_highlights', question);
    expect(none).toMatch(/^No occurrences of count \(a\.fake:1:7\) in this file; fake-lsp ready/);
    const indexing = { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing' } } };
    session.server.rewrite({ rules: [...rules, indexing] });
    await session.ask('restart_lsp_server');
    expect(await session.ask('get_document_highlights', question)).toMatch(
      /^INCOMPLETE: fake-lsp is still indexing, retry in \d+ s\nNo occurrences/,
    );
    session.server.rewrite({ capabilities: { documentHighlightProvider: null } });
    await session.ask('restart_lsp_server');
    const refused = await session.call('get_document_highlights', question);
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain('fake-lsp does not support textDocument/documentHighlight');
  });

  it.each(['utf-8', 'utf-16'] as const)(
    'counts columns in UTF-16 on lines with emoji, CJK, tabs and CRLF when the server counts in %s',
    async (positionEncoding) => {
      await using session = await fakeSession('//- a.fake\n', {
        args: ['--output', 'json'],
        scenario: { positionEncoding, stubborn: ['encoding'] },
      });
      const lines = ['const größe = "緑茶 🍵";', '\tlog("👋🏽", größe); größe = 1', ''];
      session.workspace.write('a.fake', lines.join('\r\n'));
      const { json } = await session.call('get_document_highlights', {
        file_path: 'a.fake',
        symbol: 'größe',
      });
      expect(json).toEqual([
        { line: 1, column: 7, end_line: 1, end_column: 12, kind: 'write' },
        { line: 2, column: 14, end_line: 2, end_column: 19, kind: 'read' },
        { line: 2, column: 22, end_line: 2, end_column: 27, kind: 'write' },
      ]);
    },
  );
});
