import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Scenario } from '../support/fake-server.ts';
import { type FakeSession, fakeSession, sharedSessions } from './fake-session.ts';

const CLIENT = `export class Client {
  /** Ends it. */
  stop() {
    this.log();
  }
  log() {
    const never = 1;
  }
  /** Calls itself. */
  again() {
    this.again();
  }
}
function twice() {
}
function twice() {
}
`;

const FILES = `
//- src/client.fake
${CLIENT}//- src/use.fake
const client = new Client();
client.stop();
//- test/client.test.fake
client.stop();
`;

const scenario: Scenario = { diagnostics: { profile: 'pull' } };
const sessions = sharedSessions(FILES, { scenario, args: ['--permission', 'write'] });
const FILE = { file_path: 'src/client.fake' };

function fileOf({ workspace }: FakeSession): string {
  return path.join(workspace.root, 'src/client.fake');
}

function textIn(session: FakeSession): string {
  return readFileSync(fileOf(session), 'utf8');
}

beforeEach(() => {
  for (const session of [sessions.text, sessions.json]) writeFileSync(fileOf(session), CLIENT);
});

async function refused(tool: string, args: object): Promise<string> {
  const { isError, text } = await sessions.text.call(tool, { ...FILE, ...args });
  expect(isError).toBe(true);
  expect(textIn(sessions.text)).toBe(CLIENT);
  return text;
}

describe('replace_symbol_body', () => {
  it('writes the body, keeps the rest, and says what that did to errors', async () => {
    const args = { ...FILE, symbol_path: 'Client.stop', new_body: 'const a = ERROR 1;\nreturn a;' };
    expect((await sessions.text.ask('replace_symbol_body', args)).split('\n')).toEqual([
      'replace the body of Client.stop: changed 1 place in 1 file',
      '  src/client.fake (1)',
      '1 new error, in 1 file',
      '  new E src/client.fake:4:15 fake-error const a = ERROR 1;',
      expect.stringMatching(/^next: apply_edit with undo e\d+ takes it back$/),
    ]);
    expect(textIn(sessions.text)).toBe(
      CLIENT.replace('    this.log();\n', '    const a = ERROR 1;\n    return a;\n'),
    );
    const { json: data } = await sessions.json.call('replace_symbol_body', args);
    expect(data).toMatchObject({
      applied: true,
      edit_id: expect.any(String),
      files: [{ file: fileOf(sessions.json), operation: 'change', edits: 1 }],
      diagnostics: { errors_before: 0, errors_after: 1, net_delta: 1 },
    });
  });

  it('takes a whole declaration, and shows it when asked to', async () => {
    const text = await sessions.text.ask('replace_symbol_body', {
      ...FILE,
      symbol_path: 'Client.log[0]',
      new_body: 'log(level) {\n  this.stop();\n}',
      dry_run: true,
    });
    expect(text).toContain('would change 1 place in 1 file; edit_id e');
    expect(text).toContain(
      ['-  log() {', '-    const never = 1;', '+  log(level) {', '+    this.stop();'].join('\n'),
    );
    expect(textIn(sessions.text)).toBe(CLIENT);
  });

  it('says so when nothing would change', async () => {
    const text = await sessions.text.ask('replace_symbol_body', {
      ...FILE,
      symbol_path: 'Client.stop',
      new_body: '{ this.log(); }',
    });
    expect(text).toBe('replace the body of Client.stop: nothing to change');
  });

  it.each([
    {
      args: { symbol_path: 'Client.start' },
      message: /^src\/client\.fake has no symbol Client\.start\. Did you mean|list_symbols shows/,
    },
    {
      args: { symbol_path: 'twice' },
      message:
        '2 symbols in src/client.fake fit twice: twice#1 at src/client.fake:14:10, twice#2 at src/client.fake:16:10. Pass one of these as symbol.',
    },
    { args: { symbol_path: 'twice#3' }, message: 'src/client.fake has 2 of twice. Pass twice#1 to twice#2.' },
    { args: { symbol_path: '#' }, message: /has no symbol|has no name in it/ },
    {
      args: { symbol_path: 'Client.stop', new_body: 'x();\n}' },
      message: 'new_body has } without its partner. Pass the body without its braces, or with both.',
    },
    {
      args: { symbol_path: 'Client.log.never' },
      message: /Client\.log\.never has no body to replace: it is declared without one\. Pass its whole/,
    },
    { args: { symbol_path: 'Client.stop', file_path: 'src/none.fake' }, message: /src\/none\.fake/ },
  ])('refuses $args', async ({ args, message }) => {
    const said = await refused('replace_symbol_body', { new_body: 'return 1;', ...args });
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it('needs a server that knows symbols', async () => {
    await using session = await fakeSession(FILES, {
      scenario: { capabilities: { documentSymbolProvider: null } },
      args: ['--permission', 'write'],
    });
    const { isError, text } = await session.call('replace_symbol_body', {
      ...FILE,
      symbol_path: 'Client.stop',
      new_body: 'return 1;',
    });
    expect([isError, text]).toEqual([true, expect.stringContaining('textDocument/documentSymbol')]);
    expect(textIn(session)).toBe(CLIENT);
  });
});

describe('insert_after_symbol and insert_before_symbol', () => {
  it('put code on lines of its own, above comments', async () => {
    const code = 'open() {\n  this.log();\n}';
    await sessions.text.ask('insert_before_symbol', { ...FILE, symbol_path: 'Client.stop', code });
    await sessions.text.ask('insert_after_symbol', { ...FILE, symbol_path: 'Client.again', code });
    const inserted = '  open() {\n    this.log();\n  }\n';
    expect(textIn(sessions.text)).toBe(
      CLIENT.replace('{\n', `{\n${inserted}`).replace(
        '    this.again();\n  }\n',
        (end) => `${end}${inserted}`,
      ),
    );
  });

  it('refuse code that is not whole', async () => {
    expect(await refused('insert_after_symbol', { symbol_path: 'Client.stop', code: 'open() {' })).toBe(
      'code has { without its partner. Pass whole declarations.',
    );
  });
});

describe('safe_delete_symbol', () => {
  it('deletes what only uses itself, with its comment', async () => {
    const text = await sessions.text.ask('safe_delete_symbol', { ...FILE, symbol_path: 'Client.again' });
    expect(text.split('\n')).toEqual([
      'delete Client.again: changed 1 place in 1 file',
      '  src/client.fake (1)',
      '0 new errors, in 1 file',
      'note: nothing else uses it by name; 2 of 2 occurrences accounted for; fake-lsp ready',
      expect.stringMatching(/^next: apply_edit with undo e\d+ takes it back$/),
    ]);
    expect(textIn(sessions.text)).toBe(
      CLIENT.replace('  /** Calls itself. */\n  again() {\n    this.again();\n  }\n', ''),
    );
  });

  it('lists the uses of what is used, those in tests as well', async () => {
    expect(await refused('safe_delete_symbol', { symbol_path: 'Client.stop' })).toBe(
      'Client.stop is used in 2 places, 1 in tests: src/use.fake:2:8, test/client.test.fake:1:8. Change these first; find_references shows all of them.',
    );
  });

  it('deletes nothing while not everything is indexed', async () => {
    await using session = await fakeSession(FILES, {
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 0 } } },
        ],
      },
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '4000' },
      args: ['--permission', 'write'],
    });
    const { isError, text } = await session.call('safe_delete_symbol', {
      ...FILE,
      symbol_path: 'Client.again',
    });
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^Client\.again was not deleted, because not all of its uses are known: fake-lsp is still indexing.*Call again when they are, or delete it with apply_edit\.$/,
    );
    expect(textIn(session)).toBe(CLIENT);
  });
});

describe('a server that is still loading', () => {
  const begin = { on: 'initialized', do: { progress: { token: 'load', begin: 'Loading' } } };
  const edit = { ...FILE, symbol_path: 'Client.log', code: 'more() {\n}\n', dry_run: true };

  it('is asked again when it is done, also if it is by the time of its first, empty answer', async () => {
    const empty = [{ progress: { token: 'load', end: true as const } }, { result: [] }];
    await using session = await fakeSession(FILES, {
      scenario: { rules: [begin, { on: 'textDocument/documentSymbol', nth: 1, do: empty }] },
    });
    expect(await session.ask('insert_after_symbol', edit)).toContain('would change 1 place in 1 file');
    expect(session.server.journal.received('textDocument/documentSymbol').length).toBeGreaterThan(1);
  });

  it('is not said to know that there is no such symbol', async () => {
    await using session = await fakeSession(FILES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: { rules: [begin, { on: 'textDocument/documentSymbol', do: { result: [] } }] },
    });
    const unknown =
      /^symbols of src\/client\.fake are not known yet: the fake server is indexing.*\. Call again in 5 s\.$/;
    const named = { ...FILE, symbol: 'Client.log', dry_run: true };
    for (const [tool, args] of [
      ['insert_after_symbol', edit],
      ['rename_symbol', { ...named, new_name: 'tell' }],
    ] as const) {
      const { isError, text } = await session.call(tool, args);
      expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(unknown) });
    }
  });
});
