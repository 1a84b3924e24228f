import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const SHOP = `
//- src/shop.fake
import { turn } from './door';
export class Shop {
  open(door) {
    turn(door);
  }
  close() {
  }
}
//- src/door.fake
function turn(door) {
}
//- src/use.fake
function day(shop) {
  shop.open(1);
}
//- tests/shop.test.fake
function check(shop) {
  shop.open(3);
}
`;

describe('get_editing_context', () => {
  it('shows imports and each symbol with who depends on it and what it calls elsewhere', async () => {
    await using session = await fakeSession(SHOP);
    const args = { file_path: 'src/shop.fake' };
    const text = await session.ask('get_editing_context', args);
    const etag = /etag (\w+)/.exec(text)?.[1] ?? '';
    expect(text.split('\n')).toEqual([
      `src/shop.fake: 3 symbols, etag ${etag}; <- called or used by (as listed), -> calls in other files; fake-lsp ready; root ${session.workspace.root}`,
      "import { turn } from './door';",
      '  class Shop 2:14-8  export class Shop',
      '    method open 3:3-5  open(door)  <- day src/use.fake:1:10, tests 1  -> turn',
      '    method close 6:3-8  close()',
      'next: get_symbol_source src/shop.fake:2:14',
    ]);

    expect(await session.ask('get_editing_context', { ...args, if_none_match: `"${etag}"` })).toBe(
      `src/shop.fake: not modified (etag ${etag})`,
    );
    // Another caller changes the answer, though not the file.
    session.workspace.write('src/use.fake', 'function day(shop) {\n}\n');
    const fewer = await session.ask('get_editing_context', { ...args, if_none_match: etag });
    expect(fewer).toContain('open(door)  <- tests 1  -> turn');
    // Another body changes the file, though nothing else.
    const second = /etag (\w+)/.exec(fewer)?.[1] ?? '';
    session.workspace.write(
      'src/shop.fake',
      session.workspace.read('src/shop.fake').replace('turn(door);', 'turn( door);'),
    );
    const changed = await session.ask('get_editing_context', { ...args, if_none_match: second });
    expect(changed).toContain('3 symbols');
  });

  it('answers in JSON with one shape, also when nothing was modified', async () => {
    await using session = await fakeSession(SHOP, { args: ['--output', 'json'] });
    const file = session.workspace.file('src/shop.fake');
    const none = { count: 0, first: [] };
    const { json, raw } = await session.call('get_editing_context', { file_path: file });
    const { etag } = json as { etag: string };
    const at = (name: string, place: string, line: number) => ({
      count: 1,
      first: [{ name, file: session.workspace.file(place), line, column: 10 }],
    });
    expect(json).toEqual({
      status: 'ok',
      etag: expect.stringMatching(/^[0-9a-f]{16}$/),
      file,
      imports: [{ line: 1, text: "import { turn } from './door';" }],
      symbols: [
        {
          name: 'Shop',
          kind: 'class',
          line: 2,
          column: 14,
          end_line: 8,
          signature: 'export class Shop',
          callers: { non_test_callers: none, test_callers: none },
        },
        {
          name: 'Shop.open',
          kind: 'method',
          line: 3,
          column: 3,
          end_line: 5,
          signature: 'open(door)',
          callers: {
            non_test_callers: at('day', 'src/use.fake', 1),
            test_callers: at('check', 'tests/shop.test.fake', 1),
          },
          callees: at('turn', 'src/door.fake', 1),
        },
        {
          name: 'Shop.close',
          kind: 'method',
          line: 6,
          column: 3,
          end_line: 8,
          signature: 'close()',
          callers: { non_test_callers: none, test_callers: none },
          callees: none,
        },
      ],
    });
    expect(raw.structuredContent).toMatchObject({ token_savings: { estimated_as: 'bytes / 4' } });
    // Callers are what the server lists, and nobody has looked for more.
    expect(raw.structuredContent).not.toHaveProperty('complete');
    const again = await session.call('get_editing_context', { file_path: file, if_none_match: etag });
    expect(again.json).toEqual({ status: 'not_modified', etag, file });
  });

  it('names symbols whose callers could not be looked up', async () => {
    await using session = await fakeSession(SHOP, {
      args: ['--output', 'json'],
      scenario: {
        rules: [{ on: 'textDocument/references', do: { error: { code: -32603, message: 'broken' } } }],
      },
    });
    const { json } = await session.call('get_editing_context', { file_path: 'src/shop.fake' });
    expect(json).toMatchObject({ status: 'ok', not_looked_up: ['Shop', 'Shop.open', 'Shop.close'] });
  });

  it('says INCOMPLETE while the server is indexing, and that a file has nothing', async () => {
    await using session = await fakeSession(`${SHOP}\n//- empty.fake\n\n`, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '4000' },
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    const text = await session.ask('get_editing_context', { file_path: 'src/shop.fake' });
    expect(text).toMatch(/^INCOMPLETE: fake-lsp is still indexing/);
    expect(await session.ask('get_editing_context', { file_path: 'empty.fake' })).toMatch(
      /^(INCOMPLETE: .*\n)?empty\.fake: no symbols, etag/,
    );
    expect(await session.call('get_editing_context', { file_path: 'nowhere.fake' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('does not exist'),
    });
  });
});
