import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

/** A type and no interface, because only types are known to have no other keys. */
type RawSymbol = {
  readonly name: string;
  readonly kind: number;
  readonly children: RawSymbol[];
};

/** A symbol on one line of the text, as a server gives it. */
function node(name: string, kind: number, line: number, children: RawSymbol[] = [], [from, to] = [0, 60]) {
  const range = { start: { line, character: from }, end: { line, character: to } };
  return { name, kind, range, selectionRange: range, children };
}

const NOISY = `
//- a.fake
import { Import } from './other';
class Shop {
  open() { const local = 1; }
}
const table = [{ name: 1 }, { name: 2 }];
const options = { depth: 1, run() {} };
it('opens', () => { function inner() {} });
list.map((each) => { const local = each; });
`;

const NOISY_SYMBOLS = [
  node('Import', 13, 0),
  {
    ...node('Shop', 5, 1, [node('open', 6, 2, [node('local', 13, 2)])]),
    range: { start: { line: 1, character: 0 }, end: { line: 3, character: 1 } },
  },
  node('table', 13, 4, [node('name', 7, 4), node('name', 7, 4)]),
  node('options', 13, 5, [node('depth', 7, 5), node('run', 6, 5)]),
  node("it('opens') callback", 12, 6, [node('inner', 12, 6)], [12, 41]),
  node('map() callback', 12, 7),
];

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
      'next: get_symbol_source src/client.fake:1:14',
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

  it('lists declarations and members, and counts imports, locals and callbacks', async () => {
    await using session = await fakeSession(NOISY);
    session.server.rewrite({ rules: [{ on: 'textDocument/documentSymbol', do: { result: NOISY_SYMBOLS } }] });
    const ask = async (args: object) =>
      (await session.ask('list_symbols', { file_path: 'a.fake', ...args })).split('\n');
    expect(await ask({})).toEqual([
      expect.stringMatching(
        /^a\.fake: 8 symbols, 5 imports and locals not listed \(all:true lists them\); fake-lsp /,
      ),
      '  class Shop 2:7-4',
      '    method open 3:3',
      '  variable table 5:7',
      '  variable options 6:7',
      '    property depth 6:19',
      '    method run 6:29',
      "  function it('opens') callback 7:13",
      '    function inner 7:30',
      'next: get_symbol_source a.fake:2:7',
    ]);
    expect((await ask({ all: true }))[0]).toMatch(/^a\.fake: 13 symbols; fake-lsp /);
  });

  it('keeps to a part of the names, with what they are in', async () => {
    await using session = await fakeSession();
    const args = { file_path: 'src/client.fake', name: 'ST' };
    expect((await session.ask('list_symbols', args)).split('\n')).toEqual([
      `src/client.fake: 2 of 6 symbols named "ST"; fake-lsp ready; root ${session.workspace.root}`,
      '  class Client 1:14-7',
      '    method stop 2:3-4',
      '  interface Stoppable 8:18',
      'next: get_symbol_source src/client.fake:2:3',
    ]);
    expect(await session.ask('list_symbols', { ...args, name: 'nowhere' })).toMatch(
      /^src\/client\.fake: 0 of 6 symbols named "nowhere"; fake-lsp ready/,
    );
    const second = await session.ask('list_symbols', { file_path: 'src/client.fake', limit: 1, cursor: '2' });
    expect(second.split('\n').slice(1, 4)).toEqual([
      '  class Client 1:14-7',
      '    method log 5:3-7',
      '2 earlier symbols not shown',
    ]);
  });

  it('puts methods below their receiver', async () => {
    await using session = await fakeSession('//- a.fake\nfunc Take\nfunc Other\ntype Shelf\n');
    const result = [
      node('(*Shelf).Take', 6, 0),
      node('(Elsewhere).Other', 6, 1),
      node('Shelf', 23, 2, [node('items', 8, 2)]),
    ];
    session.server.rewrite({ rules: [{ on: 'textDocument/documentSymbol', do: { result } }] });
    const text = await session.ask('list_symbols', { file_path: 'a.fake' });
    expect(text.split('\n').slice(1)).toEqual([
      '  method (Elsewhere).Other 2:6',
      '  struct Shelf 3:6',
      '    field items 3:1',
      '    method Take 1:6',
      'next: get_symbol_source a.fake:2:6',
    ]);
  });

  it('says to programs how many tokens it saved', async () => {
    await using session = await fakeSession(undefined, { args: ['--output', 'json'] });
    const { raw } = await session.call('list_symbols', { file_path: 'src/client.fake', limit: 1 });
    const [first] = raw.content;
    const bytes = Buffer.byteLength(first?.type === 'text' ? first.text : '');
    const full = Math.ceil(Buffer.byteLength(session.workspace.read('src/client.fake')) / 4);
    expect(raw.structuredContent).toMatchObject({
      token_savings: {
        tokens_returned: Math.ceil(bytes / 4),
        tokens_full_file: full,
        tokens_saved: Math.max(0, full - Math.ceil(bytes / 4)),
        estimated_as: 'bytes / 4',
      },
    });
  });

  it('says that a file has none', async () => {
    await using session = await fakeSession('//- empty.fake\n\n');
    expect(await session.ask('list_symbols', { file_path: 'empty.fake' })).toMatch(
      /^empty\.fake: no symbols; fake-lsp ready/,
    );
  });
});

describe('list_symbols of a directory', () => {
  const FILES = `
  //- .gitignore
  scratch/
  //- src/shop.fake
  export class Shop {
    open() {
    }
  }
  export function price() {
  }
  //- src/deep/till.fake
  class Till
  //- test/shop.test.fake
  function testOpens() {
  }
  //- scratch/try.fake
  class Trial
  //- empty.fake

  //- deploy.tf
  variable "a" {}
  //- notes/readme.txt
  none
  `;

  it('is an overview of its files and what they declare, tests last', async () => {
    await using session = await fakeSession(FILES);
    expect((await session.ask('list_symbols', { file_path: '.' })).split('\n')).toEqual([
      `.: 5 source files, 4 declarations; root ${session.workspace.root}`,
      'src/deep/till.fake  Till',
      'src/shop.fake  Shop, price()',
      'test/shop.test.fake  testOpens()',
      'hidden: 1 in scratch/; pass all:true',
      'note: 1 file not listed, such as deploy.tf: terraform-ls, the language server for terraform, was not found',
      'next: list_symbols of a file shows members and positions',
    ]);
    expect(await session.ask('list_symbols', { file_path: '.', all: true })).toContain(
      '\nscratch/try.fake  Trial\n',
    );
    const named = await session.ask('list_symbols', { file_path: 'src', name: 'PRI' });
    expect(named).toContain('src: 2 source files, 1 declaration named "PRI"');
    expect(named).toContain('\nsrc/shop.fake  price()\n');
    expect(await session.ask('list_symbols', { file_path: 'notes' })).toBe(
      `notes: no source files, no declarations; root ${session.workspace.root}`,
    );
  });

  it('comes a page at a time, as files that have symbols', async () => {
    await using session = await fakeSession(FILES, { args: ['--output', 'json'] });
    const { json, raw } = await session.call('list_symbols', { file_path: 'src', limit: 1 });
    expect(json).toMatchObject([
      {
        name: session.workspace.file('src/deep/till.fake'),
        kind: 1,
        range: { start: { line: 1, column: 1 } },
        children: [{ name: 'Till', kind: 5, selectionRange: { start: { line: 1, column: 7 } } }],
      },
    ]);
    expect(raw.structuredContent).toMatchObject({ complete: true, total: 2, next_cursor: '1' });
  });

  it('says INCOMPLETE when the server does not answer for all files', async () => {
    await using session = await fakeSession(FILES, {
      scenario: {
        rules: [
          {
            on: 'textDocument/documentSymbol',
            file: 'shop.fake',
            do: { error: { code: -32000, message: 'busy' } },
          },
        ],
      },
    });
    const { text } = await session.call('list_symbols', { file_path: 'src' });
    expect(text).toMatch(/^INCOMPLETE: 1 file not looked at, such as src\/shop\.fake: .*; retry in 2 s/);
    expect(text).toContain('src/deep/till.fake  Till');
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

  it('puts sources before tests among names that fit as well', async () => {
    await using session = await fakeSession(
      '//- a.test.fake\nfunction stopped() {\n}\nfunction stop() {\n}\n//- b.fake\nfunction stopAll() {\n}\n',
    );
    const text = await session.ask('find_symbol', { symbol: 'stop' });
    expect(text.split('\n').slice(1, 4)).toEqual([
      '  function stop  a.test.fake:3:10',
      '  function stopAll  b.fake:1:10',
      '  function stopped  a.test.fake:1:10',
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

  it('is not complete when one of several servers failed', async () => {
    const rules = [{ on: 'workspace/symbol', do: { error: { code: -32603, message: 'out of order' } } }];
    await using session = await fakeSession(
      '//- a.fake\nfunction stop() {\n}\n//- tsconfig.json\n{}\n//- b.ts\nexport function stopAll(): void {}\n',
      { scenario: { rules } },
    );
    const text = await session.ask('find_symbol', { query: 'stop' });
    expect(text).toMatch(/^INCOMPLETE: fake was not searched: .*out of order/);
    expect(text).toContain('function stopAll  b.ts:1:17');
  });

  it('asks every language that the workspace is written in, and is INCOMPLETE without the others', async () => {
    const main = ['alder', 'birch', 'cedar', 'datura'];
    const files = main.flatMap((id) =>
      [1, 2, 3, 4].map((number) => `//- ${id}${number}.${id}\nfunction ${id}Stop${number}() {\n}\n`),
    );
    await using workspace = createWorkspace(`${files.join('')}//- one.elm\nfunction elmSlowToOpen() {\n}\n`);
    const { executable, args } = fakeServer(workspace.scratch);
    const servers = [...main, 'elm'].map((id) => ({
      language_id: id,
      extensions: [id],
      command: [executable, ...args],
    }));
    const config = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify({ servers }));
    await using frontEnd = await startFrontEnd({
      workspace,
      args: ['--config', config, '--daemon', 'never'],
    });
    const expectAll = (text: string, names: readonly string[]) => {
      for (const name of names) expect(text).toContain(`function ${name}Stop`);
    };
    const first = await frontEnd.call('find_symbol', { symbol: 'Stop' });
    // It has the letters in this order, which some servers take for a match.
    const unsearched = 'elm was not searched: 1 file may have it, such as one.elm; pass language_id:"elm"';
    expect(first.text).toContain(`INCOMPLETE: ${unsearched}\n`);
    expectAll(first.text, main);
    // A name that nobody knows is not said to be nowhere.
    const nowhere = await frontEnd.call('go_to_definition', { symbol: 'Stop' });
    expect(nowhere.text).toContain(unsearched);
    expect((await frontEnd.call('find_symbol', { symbol: 'birchStop1' })).text).not.toContain('elm');
    await frontEnd.call('find_symbol', { symbol: 'Stop', language_id: 'elm' });
    const last = await frontEnd.call('find_symbol', { symbol: 'Stop' });
    expect(last.text).not.toContain('INCOMPLETE');
    expectAll(last.text, main);
  });

  it('finds TypeScript symbols before any file was opened', async () => {
    await using workspace = createWorkspace(`
    //- tsconfig.json
    {"compilerOptions": {"strict": true}, "include": ["src"]}
    //- src/deep/hidden.ts
    export class HiddenTreasure {}
    export type TreasureMap = Map<string, HiddenTreasure>
    `);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    const { text } = await frontEnd.call('find_symbol', { query: 'HiddenTreasure' });
    expect(text).toContain('class HiddenTreasure  src/deep/hidden.ts:1:14');
    // The server calls it a class.
    const alias = await frontEnd.call('find_symbol', { symbol: 'TreasureMap' });
    expect(alias.text).toContain('type TreasureMap  src/deep/hidden.ts:2:13');
    const outline = await frontEnd.call('list_symbols', { file_path: 'src/deep/hidden.ts' });
    expect(outline.text).toContain('  type TreasureMap 2:13');
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});
