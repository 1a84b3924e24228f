import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const SHOP = `
//- src/shop.fake
import { turn } from './door';
/** Sells things. */
class Shop {
  /**
   * Opens 商 🎉.
   */
  open(door) {
    const key = door;
    turn(key);
  }
}
const after = 1;
//- src/door.fake
// Turns the key.
function turn(key) {
}
//- src/long.fake
function long() {
  one();
  two();
  three();
}
function other() {
}
class Left {
  twin() {
  }
}
class Right {
  twin() {
  }
}
//- src/one.fake
function pair() {
}
//- src/two.fake
function pair() {
}
`;

describe('get_symbol_source', () => {
  it('shows whole lines of the declaration with the comments above it', async () => {
    await using session = await fakeSession(SHOP);
    const { root } = session.workspace;
    const ask = async (args: Readonly<Record<string, unknown>>) =>
      (await session.ask('get_symbol_source', args)).split('\n');
    const open = [
      `method Shop.open  src/shop.fake:7:3, lines 4-11; root ${root}`,
      '  /**',
      '   * Opens 商 🎉.',
      '   */',
      '  open(door) {',
      '    const key = door;',
      '    turn(key);',
      '  }',
      '}',
    ];
    expect(await ask({ file_path: 'src/shop.fake', symbol: 'Shop.open' })).toEqual(open);
    // A place inside means the innermost declaration around it, not a local on the same line.
    expect(await ask({ file_path: 'src/shop.fake', line: 8, column: 12 })).toEqual(open);
    expect(await ask({ file_path: 'src/shop.fake', position_pattern: 'turn(@@key)' })).toEqual(open);
    // A local that was asked for by its name is meant itself.
    expect((await ask({ file_path: 'src/shop.fake', symbol: 'open.key' }))[0]).toBe(
      `constant Shop.open.key  src/shop.fake:8:11, lines 8-11; root ${root}`,
    );
    // A name that is only used here is shown where it is declared.
    expect(await ask({ file_path: 'src/shop.fake', symbol: 'turn' })).toEqual([
      `function turn  src/door.fake:2:10, lines 1-3; root ${root}`,
      '// Turns the key.',
      'function turn(key) {',
      '}',
    ]);
  });

  it('shows many symbols in one call, and says which are not there', async () => {
    await using session = await fakeSession(SHOP);
    const text = await session.ask('get_symbol_source', { symbols: ['turn', 'nowhere', 'other', 'pair'] });
    expect(text.split('\n')).toEqual([
      `function turn  src/door.fake:2:10, lines 1-3; root ${session.workspace.root}`,
      '// Turns the key.',
      'function turn(key) {',
      '}',
      'function other  src/long.fake:6:10, lines 6-7',
      'function other() {',
      '}',
      'not found: nowhere: no symbol nowhere in the workspace (asked: fake-lsp ready)',
      'not found: pair: 2 places fit, such as src/one.fake:1:10',
      'next: find_symbol searches by a part of the name',
    ]);
    const none = await session.call('get_symbol_source', {
      symbols: ['nowhere'],
      file_path: 'src/long.fake',
    });
    expect(none).toMatchObject({ isError: true });
    expect(none.text).toBe(
      'src/long.fake has no symbol nowhere. list_symbols shows what a file has, find_symbol searches the workspace.',
    );
  });

  it('cuts what is long at whole lines and goes on from there', async () => {
    await using session = await fakeSession(SHOP);
    const args = { file_path: 'src/long.fake', symbols: ['long', 'other'], limit: 3 };
    expect((await session.ask('get_symbol_source', args)).split('\n')).toEqual([
      `function long  src/long.fake:1:10, lines 1-5, shown 1-3; root ${session.workspace.root}`,
      'function long() {',
      '  one();',
      '  two();',
      '4 more lines not shown; pass cursor:"3"',
    ]);
    expect((await session.ask('get_symbol_source', { ...args, cursor: '3' })).split('\n')).toEqual([
      `function long  src/long.fake:1:10, lines 1-5, shown 4-5; root ${session.workspace.root}`,
      '  three();',
      '}',
      'function other  src/long.fake:6:10, lines 6-7, shown 6-6',
      'function other() {',
      '3 earlier lines not shown',
      '1 more lines not shown; pass cursor:"6"',
    ]);
  });

  it('answers in JSON with one shape, and how many tokens were saved', async () => {
    await using session = await fakeSession(SHOP, { args: ['--output', 'json'] });
    const file_path = 'src/long.fake';
    const { json, raw } = await session.call('get_symbol_source', { file_path, symbol: 'long', limit: 2 });
    expect(json).toEqual({
      symbols: [
        {
          symbol_name: 'long',
          symbol_kind: 'function',
          file: session.workspace.file(file_path),
          line: 1,
          column: 10,
          start_line: 1,
          end_line: 5,
          source: 'function long() {\n  one();',
          shown: { from: 1, to: 2 },
        },
      ],
      not_found: [],
    });
    const full = Math.ceil(Buffer.byteLength(session.workspace.read(file_path)) / 4);
    expect(raw.structuredContent).toMatchObject({
      total: 5,
      truncated: true,
      next_cursor: '2',
      token_savings: { tokens_full_file: full },
    });
  });

  it('says what to do when there is nothing, too much, or a server that cannot tell', async () => {
    await using session = await fakeSession(`${SHOP}\n//- src/bare.fake\n\nplain();\n`, {
      scenario: { capabilities: {} },
    });
    const error = async (args: Readonly<Record<string, unknown>>) => {
      const { isError, text } = await session.call('get_symbol_source', args);
      expect(isError).toBe(true);
      return text;
    };
    expect(await error({ file_path: 'src/bare.fake', line: 2, column: 1 })).toBe(
      'there is no symbol around src/bare.fake:2:1. list_symbols shows what a file has, find_symbol searches the workspace.',
    );
    expect(await error({ symbols: Array.from({ length: 21 }, (_, index) => `s${index}`) })).toBe(
      'symbols must have at most 20 entries, got 21. Shorten symbols.',
    );
    expect(await session.ask('get_symbol_source', { file_path: 'src/long.fake', symbol: 'twin' })).toMatch(
      /^AMBIGUOUS: 2 places fit twin in src\/long\.fake/,
    );
    await using poor = await fakeSession(SHOP, {
      scenario: { capabilities: { documentSymbolProvider: null } },
    });
    expect(
      (await poor.call('get_symbol_source', { file_path: 'src/shop.fake', line: 8, column: 11 })).text,
    ).toBe(
      'fake-lsp does not support textDocument/documentSymbol. get_server_capabilities lists the tools that work here.',
    );
  });

  it('reads a file with a byte order mark, CRLF and tabs', async () => {
    await using session = await fakeSession('//- a.fake\n\n');
    session.workspace.write('a.fake', '\ufeff// Größe 🎉\r\nfunction one() {\r\n\tcall();\r\n}\r\n');
    expect((await session.ask('get_symbol_source', { file_path: 'a.fake', line: 3 })).split('\n')).toEqual([
      `function one  a.fake:2:10, lines 1-4; root ${session.workspace.root}`,
      '// Größe 🎉',
      'function one() {',
      '\tcall();',
      '}',
    ]);
  });
});
