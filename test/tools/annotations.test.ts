import { describe, expect, it } from 'vitest';
import type { Scenario } from '../support/fake-server.ts';
import { fakeSession, sharedSessions } from './fake-session.ts';

const FILES = `
//- a.fake
const one = 1;
const sum = add(one, 2);
add(3);
//- none.fake
add()
`;
const scenario: Scenario = {
  rules: [
    { on: 'textDocument/semanticTokens/range', file: 'none.fake', do: { result: null } },
    { on: 'textDocument/inlayHint', file: 'none.fake', do: { result: null } },
  ],
};

const sessions = sharedSessions(FILES, { scenario });

describe('get_inlay_hints', () => {
  it('writes the hints into the lines, of the whole file or of some lines', async () => {
    expect((await sessions.text.ask('get_inlay_hints', { file_path: 'a.fake' })).split('\n')).toEqual([
      `4 hints in a.fake lines 1-4; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  1  const one«: number» = 1;',
      '  2  const sum«: number» = add(«first:»one, 2);',
      '  3  add(«first:»3);',
    ]);
    expect(
      (await sessions.text.ask('get_inlay_hints', { file_path: 'a.fake', start_line: 2, limit: 1 })).split(
        '\n',
      ),
    ).toEqual([
      `2 hints in a.fake line 2; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  2  const sum«: number» = add(one, 2);',
      '1 more hints not shown; pass cursor:"1"',
    ]);
  });

  it('gives them as data with 1-based places', async () => {
    const { json: data } = await sessions.json.call('get_inlay_hints', {
      file_path: 'a.fake',
      start_line: 2,
    });
    expect(data).toEqual([
      { line: 2, column: 10, label: ': number', kind: 'type' },
      { line: 2, column: 17, label: 'first:', kind: 'parameter', tooltip: 'the first argument' },
    ]);
  });

  it('says when there are none, and what that may be due to', async () => {
    expect((await sessions.text.ask('get_inlay_hints', { file_path: 'none.fake' })).split('\n')).toEqual([
      `No hints in none.fake lines 1-2; fake-lsp ready; root ${sessions.text.workspace.root}`,
      'next: settings of the server decide which hints there are, e.g. typescript.inlayHints or gopls.hints',
    ]);
  });

  it('refuses lines that are not there', async () => {
    const { isError, text: said } = await sessions.text.call('get_inlay_hints', {
      file_path: 'a.fake',
      start_line: 9,
    });
    expect({ isError, said }).toEqual({
      isError: true,
      said: 'line 9 is past the end of a.fake. Pass a line from 1 to 4.',
    });
  });
});

describe('get_semantic_tokens', () => {
  it('says in words what each word of a range stands for', async () => {
    expect(
      (
        await sessions.text.ask('get_semantic_tokens', {
          file_path: 'a.fake',
          start_line: 2,
          start_column: 7,
        })
      ).split('\n'),
    ).toEqual([
      `3 tokens in a.fake 2:7-2:25; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  2:7 sum  variable declaration readonly',
      '  2:13 add  variable',
      '  2:17 one  variable',
    ]);
    const { json: data, raw } = await sessions.json.call('get_semantic_tokens', {
      file_path: 'a.fake',
      limit: 2,
    });
    expect(data).toEqual([
      { line: 1, column: 1, length: 5, type: 'keyword', modifiers: [], text: 'const' },
      {
        line: 1,
        column: 7,
        length: 3,
        type: 'variable',
        modifiers: ['declaration', 'readonly'],
        text: 'one',
      },
    ]);
    expect(raw.structuredContent).toMatchObject({ total: 7, truncated: true, next_cursor: '2' });
  });

  it('says when there are none', async () => {
    expect(await sessions.text.ask('get_semantic_tokens', { file_path: 'none.fake' })).toBe(
      `No tokens in none.fake lines 1-2; fake-lsp ready; root ${sessions.text.workspace.root}`,
    );
  });

  it('asks for the whole file where the server has no ranges, also with a legend that is registered later', async () => {
    const legend = { tokenTypes: ['word', 'name'], tokenModifiers: ['new', 'fixed'] };
    const register = {
      method: 'client/registerCapability',
      params: {
        registrations: [
          { id: 'tokens', method: 'textDocument/semanticTokens', registerOptions: { legend, full: true } },
        ],
      },
    };
    await using session = await fakeSession(FILES, {
      scenario: {
        capabilities: { semanticTokensProvider: null },
        rules: [{ on: 'initialized', do: { askAndWait: register } }],
      },
    });
    await session.ask('inspect_symbol', { file_path: 'a.fake', symbol: 'sum' });
    await session.server.journal.waitFor(['answer', 'client/registerCapability']);
    const answer = await session.ask('get_semantic_tokens', { file_path: 'a.fake', start_line: 3 });
    expect(answer.split('\n').slice(1)).toEqual(['  3:1 add  name']);
    expect(session.server.journal.received('textDocument/semanticTokens/full')).toHaveLength(1);
  });
});

describe('a server that cannot', () => {
  it('is named by each of the tools, with what it lacks', async () => {
    await using session = await fakeSession(FILES, {
      scenario: {
        capabilities: {
          completionProvider: null,
          signatureHelpProvider: null,
          codeActionProvider: null,
          inlayHintProvider: null,
          semanticTokensProvider: null,
        },
      },
    });
    for (const [tool, args, method] of [
      ['get_completions', { line: 1 }, 'textDocument/completion'],
      ['get_signature_help', { line: 1 }, 'textDocument/signatureHelp'],
      ['suggest_fixes', {}, 'textDocument/codeAction'],
      ['get_inlay_hints', {}, 'textDocument/inlayHint'],
      ['get_semantic_tokens', {}, 'textDocument/semanticTokens/full'],
    ] as const) {
      const { isError, text: said } = await session.call(tool, { file_path: 'a.fake', ...args });
      expect({ isError, said }).toEqual({
        isError: true,
        said: `fake-lsp does not support ${method}. get_server_capabilities lists the tools that work here.`,
      });
    }
  });
});

describe('a server that is not ready', () => {
  it('is not believed when it has nothing to say', async () => {
    const methods = ['textDocument/completion', 'textDocument/inlayHint'];
    await using session = await fakeSession(FILES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: {
        rules: [
          { on: methods, do: { result: null } },
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    for (const [tool, args, answer] of [
      ['get_completions', { line: 1 }, 'No completions at a.fake:1:15; fake-lsp indexing'],
      ['get_inlay_hints', {}, 'No hints in a.fake lines 1-4; fake-lsp indexing'],
    ] as const) {
      const [first, second] = (await session.ask(tool, { file_path: 'a.fake', ...args })).split('\n');
      expect(first).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\), retry in \d+ s$/);
      expect(second).toContain(answer);
    }
  });
});

describe('positions', () => {
  const UNICODE =
    '\ufeff// 日本語 😀\r\n\tconst größe = "😀日本"; f(größe, x😀);\r\nfunction f(größe, tür)\r\n';

  it.each(['utf-8', 'utf-16'] as const)(
    'are 1-based UTF-16 columns in files with BOM, CRLF, tabs, CJK and emoji, from a server in %s',
    async (positionEncoding) => {
      await using session = await fakeSession('', {
        args: ['--output', 'json'],
        scenario: { positionEncoding, stubborn: ['encoding'] },
      });
      session.workspace.write('u.fake', UNICODE.replace('x😀', 'ERROR'));
      const data = async (tool: string, args: object) =>
        (await session.call(tool, { file_path: 'u.fake', ...args })).json;

      expect(await data('get_semantic_tokens', { start_line: 2, start_column: 8 })).toMatchObject([
        { line: 2, column: 8, length: 5, text: 'größe', modifiers: ['declaration', 'readonly'] },
        { line: 2, column: 19, length: 2, text: '日本' },
        { line: 2, column: 24, text: 'f' },
        { line: 2, column: 26, length: 5, text: 'größe' },
        { line: 2, column: 33, text: 'ERROR' },
      ]);
      expect(await data('get_inlay_hints', { start_line: 2 })).toMatchObject([
        { line: 2, column: 13, label: ': number' },
        { line: 2, column: 26, label: 'first:' },
      ]);
      expect(await data('get_signature_help', { line: 2, column: 33 })).toMatchObject({
        signatures: [
          { label: 'f(größe, tür)', parameters: [{ label: 'größe' }, { label: 'tür' }], active_parameter: 1 },
        ],
      });
      expect(await data('get_completions', { line: 2, column: 29 })).toMatchObject({
        items: [{ label: 'größe' }],
      });
      expect(
        await data('suggest_fixes', { start_line: 2, start_column: 35, only: 'quickfix' }),
      ).toMatchObject([{ diagnostics: [{ line: 2, column: 33, end_column: 38 }] }]);
      const asked = session.server.journal.received('textDocument/codeAction').at(-1)?.message?.params;
      const character = positionEncoding === 'utf-8' ? 34 + 10 : 34;
      expect(asked).toMatchObject({ range: { start: { line: 1, character } } });
    },
  );
});
