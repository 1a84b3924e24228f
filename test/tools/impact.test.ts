import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import { tokensIn } from '../support/tokens.ts';
import { fakeSession } from './fake-session.ts';

const SHOP = `
//- src/shop.fake
export class Shop {
  open() {
    helper();
  }
  close() {
  }
}
export function helper() {
}
export function lonely() {
}
export const limit = 3;
//- src/near.fake
function nearby() {
  new Shop().open();
}
//- src/deep/far.fake
import { Shop, helper } from "../shop";
function distant() {
  new Shop().close();
  helper();
}
export function indirect() {
  distant();
}
//- src/deep/index.fake
export { helper } from "../shop";
//- test/shop.test.fake
import { Shop, helper } from "../src/shop";
limit;
function testOpens() {
  new Shop().open();
  helper();
}
function testCloses() {
  new Shop().close();
}
//- test/far.test.fake
function testFar() {
  indirect();
  distant();
}
`;

const question = { changed_files: ['src/shop.fake'] };

describe('blast_radius', () => {
  it('names the callers of each symbol by file, tests and its own file apart, the riskiest first', async () => {
    await using session = await fakeSession(SHOP);
    const text = await session.ask('blast_radius', question);
    expect(text.split('\n')).toEqual([
      `6 exported symbols in src/shop.fake: 3 callers in 3 other files, 1 in their own file, 3 tests in 1 file; 23 of 23 occurrences accounted for; fake-lsp ready, complete; root ${session.workspace.root}`,
      '  helper function 8:17: 2 callers: src/deep/far.fake (distant), src/deep/index.fake; own file: Shop.open; 1 test',
      '  Shop class 1:14: 2 callers: src/deep/far.fake (distant), src/near.fake (nearby); 2 tests',
      '  Shop.close method 5:3: 1 caller: src/deep/far.fake (distant); 1 test',
      '  Shop.open method 2:3: 1 caller: src/near.fake (nearby); 1 test',
      '  limit constant 12:14: no callers; 1 test',
      '  no callers, no tests: lonely',
      'no test file refers to: lonely',
      'next: find_references src/shop.fake helper shows the call sites',
    ]);
    expect(tokensIn(text)).toBeLessThan(400);
  });

  it('credits a test to every symbol that it uses, and a use outside of functions to its file', async () => {
    await using session = await fakeSession(SHOP, { args: ['--output', 'json'] });
    const { json, raw } = await session.call('blast_radius', question);
    const data = json as Data;
    const testFile = session.workspace.file('test/shop.test.fake');
    const symbol = (name: string) => data.affected_symbols.find((each) => each.name === name);
    const opens = { name: 'testOpens', file: testFile };
    expect(symbol('helper')?.test_callers).toEqual([{ ...opens, line: 5, column: 3 }]);
    expect(symbol('Shop.open')?.test_callers).toEqual([{ ...opens, line: 4, column: 14 }]);
    expect(symbol('limit')?.test_callers).toEqual([
      { name: 'test/shop.test.fake', file: testFile, line: 2, column: 1 },
    ]);
    expect(symbol('lonely')).toEqual({
      name: 'lonely',
      file: session.workspace.file('src/shop.fake'),
      line: 10,
      column: 17,
      test_callers: [],
      non_test_callers: [],
      own_file_callers: [],
      caller_files: [],
      test_count: 0,
      non_test_count: 0,
      own_file_count: 0,
    });
    expect(symbol('helper')).toMatchObject({
      non_test_count: 2,
      own_file_count: 1,
      own_file_callers: [{ name: 'Shop.open', file: session.workspace.file('src/shop.fake') }],
      caller_files: ['src/deep/far.fake', 'src/deep/index.fake'].map((file) => session.workspace.file(file)),
    });
    expect([data.untested, data.untested_means]).toEqual([['lonely'], 'no test file refers to it']);
    expect(data.changed_symbols[0]).toEqual({
      name: 'Shop',
      file: session.workspace.file('src/shop.fake'),
      line: 1,
      column: 14,
      kind: 'class',
    });
    expect(data.test_files).toEqual([testFile]);
    expect(data.test_functions.map(({ name }) => name)).toEqual(['testOpens', 'testCloses']);
    expect(data.non_test_callers.map(({ name }) => name).sort()).toEqual(
      ['distant', 'nearby', 'src/deep/index.fake'].sort(),
    );
    expect(data.summary).toBe(
      '6 exported symbols in src/shop.fake: 3 callers in 3 other files, 1 in their own file, 3 tests in 1 file',
    );
    expect(data.warnings).toEqual([]);
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true, total: 6 });
  });

  it('follows callers of callers when asked to, and finds their tests', async () => {
    await using session = await fakeSession(SHOP, { args: ['--output', 'json'] });
    const { json, raw } = await session.call('blast_radius', { ...question, include_transitive: true });
    const data = json as Data;
    const direct = await session.call('blast_radius', question);
    const accounted = ({ structuredContent }: typeof raw) =>
      (structuredContent as unknown as { accounted: { occurrences: number } }).accounted.occurrences;
    // Those of nearby, distant and the tests are accounted for like the first ones.
    expect(accounted(raw) - accounted(direct.raw)).toBe(4);
    expect(data.test_files).toContain(session.workspace.file('test/far.test.fake'));
    const distant = data.affected_symbols.find(({ name }) => name === 'distant');
    expect(distant).toMatchObject({
      transitive: true,
      own_file_callers: [{ name: 'indirect' }],
      test_callers: [{ name: 'testFar' }],
    });
  });

  it('shows only what is untested, a page at a time', async () => {
    await using session = await fakeSession(SHOP);
    const untested = await session.ask('blast_radius', { ...question, filter: 'untested' });
    expect(untested).toContain('  no callers, no tests: lonely');
    expect(untested).not.toContain('helper function');
    const page = await session.ask('blast_radius', { ...question, limit: 2 });
    expect(page).toContain('4 more symbols not shown; pass cursor:"2"');
  });

  it('names what nobody uses, also of what is not exported', async () => {
    await using session = await fakeSession(
      `//- src/own.ts\nfunction unused() {\n}\nfunction used() {\n}\nexport function main() {\n  used();\n}\n`,
      { language: { id: 'typescript', extension: 'ts' } },
    );
    const files = { changed_files: ['src/own.ts'] };
    expect(await session.ask('blast_radius', files)).not.toMatch(/no callers.*unused/);
    expect(await session.ask('blast_radius', { ...files, scope: 'all' })).toContain(
      'no callers, no tests: unused',
    );
  });

  it('says what it could not look at and never calls that unused', async () => {
    await using session = await fakeSession(SHOP, {
      scenario: {
        rules: [
          {
            on: 'textDocument/references',
            file: '"line":9',
            do: { error: { code: -32603, message: 'out of ideas' } },
          },
        ],
      },
    });
    const text = await session.ask('blast_radius', question);
    expect(text.split('\n')[0]).toMatch(/^INCOMPLETE: 1 symbol was not looked at: lonely \(.*out of ideas/);
    expect(text).not.toContain('no callers, no tests');
    expect(text).not.toContain('no test file refers');
  });

  it('says where to find what it does not name, and names everything of a page that nobody uses', async () => {
    const users = Array.from(
      { length: 6 },
      (_, index) =>
        `//- use${index}.fake\n${['a', 'b', 'c', 'd', 'e'].map((name) => `function ${name}${index}() {\n  busy();\n}\n`).join('')}`,
    );
    const idle = Array.from({ length: 15 }, (_, index) => `export function idle${index}() {\n}\n`);
    await using session = await fakeSession(
      `//- src/all.fake\nexport function busy() {\n}\n${idle.join('')}${users.join('')}`,
    );
    const files = { changed_files: ['src/all.fake'] };
    const lines = (await session.ask('blast_radius', files)).split('\n');
    expect(lines[1]).toBe(
      `  busy function 1:17: 30 callers: ${[0, 1, 2, 3].map((n) => `use${n}.fake (a${n}, b${n}, c${n}, +2)`).join(', ')}, +2 files; no tests`,
    );
    expect(lines[2]).toBe(
      `  no callers, no tests: ${Array.from({ length: 15 }, (_, index) => `idle${index}`).join(', ')}`,
    );
    expect(lines[3]).toMatch(/^ {2}\+n: as many more, not named here; find_references/);
    const some = await session.ask('blast_radius', { ...files, limit: 3, cursor: '1' });
    expect(some).toContain('  no callers, no tests: idle0, idle1, idle2\n');
    expect(some).not.toContain('+n:');
    session.workspace.write('test/all.test.fake', 'function testIdle() {\n  idle3();\n}\n');
    const tested = await session.ask('blast_radius', files);
    expect(tested).toContain('idle10, idle11, +3 more (filter:"untested" lists them)');
  });

  it('says INCOMPLETE while the server is indexing', async () => {
    await using session = await fakeSession(SHOP, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    const text = await session.ask('blast_radius', question);
    expect(text).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\)/);
    expect(text).toMatch(/incomplete; root/);
  });

  it('answers with what it has when one question hangs', async () => {
    await using session = await fakeSession(SHOP, { env: { AGENT_LSP_CALL_TIMEOUT_MS: '4000' } });
    const never = gate(session.workspace.scratch, 'never');
    session.server.rewrite({
      rules: [{ on: 'textDocument/references', file: '"line":7', do: { gate: never.path } }],
    });
    const text = await session.ask('blast_radius', question);
    expect(text).toMatch(/^INCOMPLETE: 1 symbol was not looked at: helper/);
    expect(text).toContain('  Shop class 1:14: 2 callers:');
    never.open();
  });

  it('warns of files that it cannot look at, and fails when there is no other', async () => {
    await using session = await fakeSession(SHOP);
    const text = await session.ask('blast_radius', { changed_files: ['src/shop.fake', 'missing.fake'] });
    expect(text).toContain('6 exported symbols in 2 files');
    expect(text).toMatch(/^INCOMPLETE: missing\.fake was not looked at: /);
    expect(text).not.toContain(', complete;');
    for (const [changed_files, message] of [
      [['missing.fake'], 'missing.fake'],
      [['../outside.fake'], 'outside'],
      [[], 'changed_files'],
    ] as const) {
      const { isError, text: refusal } = await session.call('blast_radius', { changed_files });
      expect(isError).toBe(true);
      expect(refusal).toContain(message);
    }
  });

  it('is refused by a server that knows no references', async () => {
    await using session = await fakeSession(SHOP, {
      scenario: { capabilities: { referencesProvider: null } },
    });
    const { isError, text } = await session.call('blast_radius', question);
    expect(isError).toBe(true);
    expect(text).toContain('does not support');
  });
});

interface Caller {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Data {
  readonly changed_symbols: readonly (Caller & { kind: number; risk?: string })[];
  readonly affected_symbols: readonly (Caller & {
    test_callers: readonly Caller[];
    non_test_callers: readonly Caller[];
  })[];
  readonly test_files: readonly string[];
  readonly test_functions: readonly Caller[];
  readonly non_test_callers: readonly Caller[];
  readonly untested: readonly string[];
  readonly untested_means: string;
  readonly summary: string;
  readonly warnings: readonly string[];
}
