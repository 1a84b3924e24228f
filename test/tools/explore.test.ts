import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const SHOP = `
//- src/shop.fake
/** Sells things. */
export class Shop {
  // Opens 商 🎉.
  open(door) {
    turn(door);
  }
  close() {
  }
}
export interface Door
export class Wooden implements Door
//- src/use.fake
import { Shop } from './shop';
function day(shop) {
  shop.open(1);
  shop.open(2);
}
const kept = [open];
//- tests/shop.test.fake
function check(shop) {
  shop.open(3);
}
`;

describe('explore_symbol', () => {
  it('says in one call what it is, its source, who calls it and where it is used', async () => {
    await using session = await fakeSession(SHOP);
    const { root } = session.workspace;
    const args = { file_path: 'src/shop.fake', symbol: 'Shop.open' };
    const text = await session.ask('explore_symbol', args);
    expect(text.split('\n')).toEqual([
      `open(door) {   src/shop.fake:4:3; fake-lsp ready, complete; root ${root}`,
      'source src/shop.fake:3-6',
      '  // Opens 商 🎉.',
      '  open(door) {',
      '    turn(door);',
      '  }',
      'callers: 2, 1 in tests',
      '  day  src/use.fake:2:10',
      '  check  tests/shop.test.fake:1:10',
      'references: 4: src/use.fake 3; tests 1; 5 of 5 occurrences accounted for',
      'next: find_references src/shop.fake:4:3 lists the uses',
    ]);
    expect(await session.ask('explore', args)).toBe(text);
    expect(
      (await session.ask('explore', { file_path: 'src/shop.fake', symbol: 'Door' })).split('\n'),
    ).toEqual([
      `export interface Door   src/shop.fake:10:18; fake-lsp ready, complete; root ${root}`,
      'source src/shop.fake:10-10',
      'export interface Door',
      'callers: 1',
      '  Wooden  src/shop.fake:11:14',
      'references: 1: src/shop.fake 1; 2 of 2 occurrences accounted for',
      'implementations: 1',
      'next: go_to_implementation src/shop.fake:10:18 lists the implementations',
    ]);
    expect((await session.ask('explore_symbol', { symbol: 'Shop.close' })).split('\n').slice(-3)).toEqual([
      'callers: none',
      'references: none; 1 of 1 occurrences accounted for',
      'next: nothing uses it by name; it may be unused, or used by reflection or from outside',
    ]);
  });

  it('answers in JSON', async () => {
    await using session = await fakeSession(SHOP, { args: ['--output', 'json'] });
    const [shop, use, test] = ['src/shop.fake', 'src/use.fake', 'tests/shop.test.fake'].map((name) =>
      session.workspace.file(name),
    );
    const { json, raw } = await session.call('explore_symbol', {
      file_path: 'src/use.fake',
      line: 3,
      symbol: 'open',
    });
    expect(json).toEqual({
      type_info: 'shop.open(1);',
      source: {
        symbol_name: 'Shop.open',
        file: shop,
        line: 4,
        column: 3,
        start_line: 3,
        end_line: 6,
        source: '  // Opens 商 🎉.\n  open(door) {\n    turn(door);\n  }',
      },
      callers: [
        { name: 'day', file: use, line: 2, column: 10 },
        { name: 'check', file: test, line: 1, column: 10 },
      ],
      callers_count: 2,
      test_callers_count: 1,
      references: { count: 4, test_count: 1, top_files: [{ file: use, count: 3 }] },
    });
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true });
  });

  it('names the parts that are missing and gives the others', async () => {
    await using session = await fakeSession(SHOP, {
      scenario: {
        capabilities: { callHierarchyProvider: null, referencesProvider: null },
        rules: [{ on: 'textDocument/definition', do: { error: { code: -32603, message: 'broken' } } }],
      },
    });
    const text = await session.ask('explore_symbol', { file_path: 'src/use.fake', line: 3, symbol: 'open' });
    expect(text.split('\n')).toEqual([
      'INCOMPLETE: not all parts were looked at, see MISSING below; call again, or ask for them alone',
      expect.stringMatching(/^shop\.open\(1\); {3}src\/use\.fake:3:8; fake-lsp .*; root /),
      'MISSING: callers (fake-lsp does not support textDocument/prepareCallHierarchy); references (fake-lsp does not support textDocument/references); source (fake-lsp answered textDocument/definition with error -32603: broken)',
      'next: get_symbol_source src/use.fake:3:8',
    ]);
    await using bare = await fakeSession(SHOP, { scenario: { capabilities: { hoverProvider: null } } });
    expect(
      await bare.call('explore_symbol', { file_path: 'src/use.fake', line: 3, symbol: 'open' }),
    ).toMatchObject({ isError: true, text: expect.stringContaining('does not support textDocument/hover') });
  });

  it('says INCOMPLETE first while the server is indexing', async () => {
    await using session = await fakeSession(SHOP, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    const text = await session.ask('explore_symbol', { file_path: 'src/shop.fake', symbol: 'Shop.open' });
    expect(text).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\)/);
    expect(text).toContain('callers: 2, 1 in tests');
  });

  it('lists the places when several fit', async () => {
    await using session = await fakeSession(
      '//- a.fake\nfunction twin() {\n}\n//- b.fake\nfunction twin() {\n}\n',
    );
    expect(await session.ask('explore_symbol', { symbol: 'twin' })).toMatch(/^AMBIGUOUS: 2 places fit twin/);
  });
});
