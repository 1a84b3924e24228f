import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import { tokensIn } from '../support/tokens.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

describe('find_references', () => {
  it('groups uses by file, folds those of one container and puts tests last', async () => {
    const sample = SAMPLE.replace(
      /(client\.stop\(\);\n {2}){2}client\.stop\(\);\n}/,
      'client.stop();\n  client.stop(now);\n  client.stop(later);\n}',
    );
    await using session = await fakeSession(sample);
    const text = await session.ask('find_references', {
      file_path: 'src/client.fake',
      symbol: 'Client.stop',
    });
    expect(text.split('\n')).toEqual([
      `6 references to stop (src/client.fake:2:3) in 2 files; 7 of 7 occurrences accounted for; fake-lsp ready, complete; root ${session.workspace.root}`,
      'src/use.fake (5)',
      '  2:8 in client  client.stop();',
      '  4:10, 5:10 in again  client.stop();',
      '  6:10 in again  client.stop(now);',
      '  +1 more in again: 7:10',
      'tests: 1 in 1 file',
      '  test/client.test.fake: 1:8',
      'next: blast_radius src/client.fake before a change',
    ]);
  });

  it('shows twenty uses in 300 tokens, and folds those in many tests', async () => {
    const uses = (name: string, count: number) =>
      `function ${name}() {\n${'  await client.shutdown();\n'.repeat(count)}}\n`;
    const sources = ['manager', 'broker', 'session', 'evict'].map(
      (name) => `//- src/${name}.fake\n${uses(`${name}Stop`, 1)}${uses(`${name}All`, 3)}`,
    );
    const tests = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (name) => `//- test/${name}.test.fake\n${uses(`t${name}`, 1)}`,
    );
    const text = `//- src/client.fake\nexport class Client {\n  shutdown() {\n  }\n}\n${sources.join('')}${tests.join('')}`;
    await using session = await fakeSession(text);
    const question = { file_path: 'src/client.fake', symbol: 'shutdown' };
    const answer = await session.ask('find_references', question);
    expect(answer).toMatch(/^22 references to shutdown .* in 10 files/);
    expect(answer).toContain('tests: 6 in 6 files; tests:"show" lists them');
    expect(answer).toContain('  +2 in 2 more files');
    expect(tokensIn(answer.replace(session.workspace.root, '/home/me/project'))).toBeLessThanOrEqual(300);
    const shown = await session.ask('find_references', { ...question, tests: 'show' });
    expect(shown).toContain('test/d.test.fake (1)\n  2:16 in td  await client.shutdown();');
  });

  it('includes the declaration only when asked to', async () => {
    await using session = await fakeSession();
    const args = { file_path: 'src/client.fake', symbol: 'log' };
    expect(await session.ask('find_references', args)).toMatch(/^1 reference to log/);
    expect(await session.ask('find_references', { ...args, include_declaration: true })).toMatch(
      /^2 references/,
    );
  });

  it('shows a page at a time and says what it left out', async () => {
    await using session = await fakeSession();
    const args = { file_path: 'src/client.fake', symbol: 'Client.stop', limit: 2 };
    const first = await session.ask('find_references', args);
    expect(first).toContain('4 more references not shown; pass cursor:"2"');
    const last = await session.ask('find_references', { ...args, cursor: '4' });
    expect(last).toContain('4 earlier references not shown');
    expect(last).not.toContain('pass cursor');
    const wrong = await session.call('find_references', { ...args, cursor: 'abc' });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.text).toContain('cursor "abc" does not belong to this list of 6');
  });

  it('says that nothing uses a name only when the index is there', async () => {
    await using session = await fakeSession();
    const text = await session.ask('find_references', { file_path: 'src/client.fake', symbol: 'Server' });
    expect(text).toMatch(
      /^No references to Server \(src\/client\.fake:9:14\); 1 of 1 occurrences accounted for; fake-lsp ready, complete/,
    );
    expect(text).toMatch(/next: .*unused/);
  });

  it('says INCOMPLETE first while the server is indexing', async () => {
    await using session = await fakeSession(undefined, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '8000' },
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    const { text, isError } = await session.call('find_references', {
      file_path: 'src/client.fake',
      symbol: 'log',
    });
    expect(isError).toBe(false);
    expect(text.split('\n')[0]).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\), retry in \d+ s$/);
    expect(text).toMatch(/^1 reference to log .* incomplete; root/m);
  });

  it('tells programs when to ask again', async () => {
    await using session = await fakeSession(undefined, {
      args: ['--output', 'json'],
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '8000' },
      scenario: { rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing' } } }] },
    });
    const { raw } = await session.call('find_references', { file_path: 'src/client.fake', symbol: 'log' });
    expect(raw.structuredContent).toMatchObject({
      status: 'incomplete',
      complete: false,
      retry_after_ms: expect.any(Number),
    });
  });

  it('waits for the index instead of answering too early', async () => {
    await using session = await fakeSession();
    const { server, workspace } = session;
    const indexed = gate(workspace.scratch, 'indexed');
    server.rewrite({
      rules: [
        {
          on: 'initialized',
          do: [
            { progress: { token: 'index', begin: 'Indexing' } },
            { gate: indexed.path },
            { progress: { token: 'index', end: true } },
          ],
        },
      ],
    });
    const answer = session.ask('find_references', { file_path: 'src/client.fake', line: 2, symbol: 'stop' });
    await server.journal.waitFor(['received', 'initialized']);
    indexed.open();
    expect(await answer).toMatch(/^6 references .* complete/);
  });

  it('takes back what it had no time to look at, so that the next question waits for nothing', async () => {
    await using session = await fakeSession('//- a.fake\nfunction alpha\n//- b.fake\nalpha\n');
    const { server } = session;
    server.rewrite({
      rules: [
        { on: 'textDocument/references', do: { result: [] } },
        { on: 'textDocument/definition', file: 'b.fake', do: { never: true } },
      ],
    });
    const answer = await session.ask('find_references', { file_path: 'a.fake', symbol: 'alpha' });
    expect(answer).toMatch(/^INCOMPLETE: there was no time for all, and 1 of 2 occurrences of alpha were/);
    await server.journal.waitFor(['received', '$/cancelRequest']);
  });

  it('says of many uses where they are, and shows the first of each file', async () => {
    const using = (name: string) =>
      `//- src/${name}.fake\nimport price\nfunction one() {\n  const sum = this.isSomewhat(far.away(from.the(start) + price()));\n  price();\n}\n${[
        'two',
        'three',
        'four',
      ]
        .map((each) => `function ${each}() {\n  const local = price();\n}\n`)
        .join('')}`;
    await using session = await fakeSession(
      `//- src/shop.fake\nexport function price() {\n}\n${['a', 'b', 'c'].map(using).join('')}`,
    );
    const text = await session.ask('find_references', { file_path: 'src/shop.fake', symbol: 'price' });
    expect(text.split('\n').slice(0, 5)).toEqual([
      `18 references to price (src/shop.fake:1:17) in 3 files; 19 of 19 occurrences accounted for; fake-lsp ready, complete; root ${session.workspace.root}`,
      'src/a.fake (6) import 1:8',
      '  3:58 in one  …(from.the(start) + price()));',
      '  7:17 in two  const local = price();',
      '  also 4:3 one; 10:17 three; 13:17 four',
    ]);
  });

  it('names containers however long the server takes for them, and says where it did not tell', async () => {
    const on = 'textDocument/documentSymbol';
    await using session = await fakeSession(undefined, {
      scenario: { rules: [{ on, do: { wait: 1_000 } }] },
    });
    const args = { file_path: 'src/client.fake', line: 2, symbol: 'stop' };
    const first = await session.ask('find_references', args);
    expect(first).toContain('in again  client.stop();');
    expect(await session.ask('find_references', args)).toBe(first);
    session.server.rewrite({ rules: [{ on, do: { error: { code: -32603, message: 'no' } } }] });
    await session.ask('restart_lsp_server');
    session.workspace.write('src/use.fake', `${session.workspace.read('src/use.fake')}\n`);
    const untold = await session.ask('find_references', args);
    expect(untold).toContain('  2:8, 4:10, 5:10, 6:10, 7:10  client.stop();');
    expect(untold).toContain('note: containers not named in 1 file: fake-lsp did not tell');
  });

  it('answers in JSON with absolute paths and 1-based positions', async () => {
    await using session = await fakeSession(undefined, { args: ['--output', 'json'] });
    const args = { file_path: 'src/client.fake', symbol: 'log' };
    const { json, raw } = await session.call('find_references', args);
    const file = session.workspace.file('src/client.fake');
    expect(json).toEqual([{ file, line: 3, column: 10, end_line: 3, end_column: 13 }]);
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true, total: 1, truncated: false });
  });

  it('counts columns in UTF-16 whatever the server counts in', async () => {
    const text = `
    //- a.fake
    const größe = "😀"; log(größe);
    `;
    for (const positionEncoding of ['utf-8', 'utf-16', 'utf-32'] as const) {
      await using session = await fakeSession(text, {
        scenario: { positionEncoding, stubborn: ['encoding'] },
      });
      const answer = await session.ask('find_references', { file_path: 'a.fake', line: 1, column: 7 });
      expect(answer).toContain('  1:25 in größe  const größe');
    }
  });
});
