import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

const CALLS = `${SAMPLE}//- src/manager.fake
class Manager {
  stopAll() {
    client.stop();
    client.stop();
    this.count();
  }
  count() {
  }
}
//- test/manager.test.fake
function stopsAll() {
  client.stop();
}
`;
const STOP = { file_path: 'src/client.fake', symbol: 'Client.stop' };

describe('find_callers', () => {
  it('lists callers by file with their calls, then callees, and tests last', async () => {
    await using session = await fakeSession(CALLS);
    const { root } = session.workspace;
    expect((await session.ask('find_callers', STOP)).split('\n')).toEqual([
      `5 callers, 1 callee of Client.stop (src/client.fake:2:3); 10 of 10 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'callers:',
      'src/manager.fake (1)',
      '  method Manager.stopAll 2:3 calls at 3:12, 4:12',
      'src/use.fake (2)',
      '  constant client 1:7 calls at 2:8',
      '  function again 3:10 calls at 4:10, 5:10, 6:10, 7:10',
      'tests: 2 in 2 files',
      '  test/client.test.fake: client.test.fake 1:1 calls at 1:8',
      '  test/manager.test.fake: stopsAll 1:10 calls at 2:10',
      'callees, called in src/client.fake:',
      'src/client.fake (1)',
      '  method Client.log 5:3 called at 3:10',
      'next: blast_radius src/client.fake before a change',
    ]);
    expect((await session.ask('callers', { ...STOP, limit: 1 })).split('\n')).toEqual([
      `5 callers of Client.stop (src/client.fake:2:3) in 4 files; 10 of 10 occurrences accounted for; fake-lsp ready, complete; root ${root}`,
      'src/manager.fake (1)',
      '  method Manager.stopAll 2:3 calls at 3:12, 4:12',
      '4 more callers not shown; pass cursor:"1"',
      'next: blast_radius src/client.fake before a change',
    ]);
    const next = await session.ask('callers', { ...STOP, limit: 1, cursor: '1' });
    expect(next).toContain('constant client 1:7');
    expect(next).toContain('1 earlier callers not shown');
    const place = { file_path: 'src/use.fake', position_pattern: 'client.@@stop()', line_scope_start: 3 };
    expect(await session.ask('find_callers', { ...place, direction: 'OUTGOING' })).toMatch(
      /^1 callee of Client\.stop \(src\/client\.fake:2:3\) in 1 file; /,
    );
  });

  it('tells callers by the text alone where there is no time for outlines, and says so', async () => {
    await using gates = createWorkspace('//- none\n\n');
    const gate = gates.file('outlined');
    const declared = '//- src/other.fake\nclass Other {\n  stop() {\n  }\n}\n';
    await using session = await fakeSession(`${CALLS}${declared}`, {
      env: { AGENT_LSP_PATIENCE_MS: '1000' },
      scenario: {
        capabilities: { callHierarchyProvider: null },
        rules: ['manager.fake', 'other.fake'].map((file) => ({
          on: 'textDocument/documentSymbol',
          file,
          do: { gate },
        })),
      },
    });
    // Before its first answer everybody waits for a server.
    await session.ask('find_callers', { file_path: 'src/client.fake', symbol: 'Client.log' });
    const early = await session.ask('find_callers', { ...STOP, direction: 'incoming' });
    expect(early.split('\n')[0]).toMatch(
      /^INCOMPLETE: callers in 2 files are told by the text alone, such as src\/\w+\.fake: fake-lsp had no time for their outlines; retry in 2 s$/,
    );
    expect(early).toContain('calls at 3:12, 4:12');
    expect(early).toContain('function again 3:10 calls at 4:10');
    expect(early).not.toContain('src/other.fake (');
    writeFileSync(gate, '');
    const late = await session.ask('find_callers', { ...STOP, direction: 'incoming' });
    expect(late).toContain('method Manager.stopAll 2:3 calls at 3:12, 4:12');
    expect(late).not.toContain('INCOMPLETE');
  });

  it('answers in JSON with kinds in words, absolute paths and 1-based positions', async () => {
    await using session = await fakeSession(CALLS, { args: ['--output', 'json'] });
    const { json, raw } = await session.call('find_callers', { ...STOP, limit: 1 });
    const [client, manager] = ['src/client.fake', 'src/manager.fake'].map((file) =>
      session.workspace.file(file),
    );
    expect(json).toEqual({
      items: [{ name: 'stop', kind: 'method', file: client, line: 2, column: 3, container: 'Client' }],
      incoming: [
        {
          name: 'stopAll',
          kind: 'method',
          file: manager,
          line: 2,
          column: 3,
          container: 'Manager',
          call_sites: [
            { line: 3, column: 12 },
            { line: 4, column: 12 },
          ],
        },
      ],
      outgoing: [],
    });
    expect(raw.structuredContent).toMatchObject({
      status: 'ok',
      total: 6,
      truncated: true,
      next_cursor: '1',
    });
    const callees = await session.call('find_callers', { ...STOP, direction: 'outgoing' });
    expect(callees.json).toEqual({
      items: [expect.objectContaining({ name: 'stop' })],
      outgoing: [expect.objectContaining({ name: 'log', call_sites: [{ line: 3, column: 10 }] })],
    });
    const nothing = await session.call('callers', { file_path: 'src/manager.fake', symbol: 'Manager' });
    expect(nothing.json).toEqual({
      items: [expect.objectContaining({ name: 'Manager', kind: 'class' })],
      incoming: [],
    });
  });

  it('tells a function that nothing calls from a place without one', async () => {
    await using session = await fakeSession(CALLS);
    const uncalled = await session.ask('callers', { file_path: 'src/manager.fake', symbol: 'stopAll' });
    expect(uncalled).toMatch(
      /^No callers of Manager\.stopAll \(src\/manager\.fake:2:3\); 1 of 1 occurrences accounted for; fake-lsp ready, complete/,
    );
    const value = await session.ask('callers', { file_path: 'src/client.fake', symbol: 'shared' });
    expect(value).toMatch(/^No function at shared \(src\/client\.fake:10:14\); .*fake-lsp ready, complete/);
    const wrong = await session.call('find_callers', { ...STOP, direction: 'up' });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.text).toContain('direction must be one of incoming, outgoing, both');
  });

  it('says INCOMPLETE first while the server is indexing', async () => {
    await using session = await fakeSession(CALLS, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario: { rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing' } } }] },
    });
    const [first, second] = (await session.ask('callers', STOP)).split('\n');
    expect(first).toMatch(/^INCOMPLETE: fake-lsp is still indexing, retry in \d+ s$/);
    expect(second).toMatch(/^5 callers of .*, incomplete; root/);
  });

  it('finds callers among the references of a server without a call hierarchy, and says so', async () => {
    await using session = await fakeSession(CALLS, {
      scenario: { capabilities: { callHierarchyProvider: null } },
    });
    expect((await session.ask('find_callers', STOP)).split('\n')).toEqual([
      `5 callers of Client.stop (src/client.fake:2:3) in 4 files; 10 of 10 occurrences accounted for; fake-lsp ready, complete; root ${session.workspace.root}`,
      'src/manager.fake (1)',
      '  method Manager.stopAll 2:3 calls at 3:12, 4:12',
      'src/use.fake (2)',
      '  constant client 1:7 calls at 2:8',
      '  function again 3:10 calls at 4:10, 5:10, 6:10, 7:10',
      'tests: 2 in 2 files',
      '  test/client.test.fake: client.test.fake 1:1 calls at 1:8',
      '  test/manager.test.fake: stopsAll 1:10 calls at 2:10',
      'note: fake-lsp has no call hierarchy: these are the references that look like calls, callees are not known',
      'next: blast_radius src/client.fake before a change',
    ]);
    const outgoing = await session.call('find_callers', { ...STOP, direction: 'outgoing' });
    expect(outgoing).toMatchObject({ isError: true });
    expect(outgoing.text).toContain('fake-lsp does not support textDocument/prepareCallHierarchy');
    const capabilities = await session.ask('get_server_capabilities');
    expect(capabilities).toContain('\nworks in part, by other means: callers, find_callers\n');
    expect(capabilities).not.toMatch(/^works: .*find_callers/m);
  });

  it('says that it cannot look when the server has neither calls nor references', async () => {
    await using session = await fakeSession(CALLS, {
      scenario: { capabilities: { callHierarchyProvider: null, referencesProvider: null } },
    });
    const { text, isError } = await session.call('callers', STOP);
    expect(isError).toBe(true);
    expect(text).toContain('fake-lsp does not support textDocument/prepareCallHierarchy');
    expect(await session.ask('get_server_capabilities')).toMatch(
      /^does not work: (.*, )?callers, (.*, )?find_callers\b/m,
    );
  });

  it.each(['utf-8', 'utf-16'] as const)(
    'counts columns in UTF-16 on lines with emoji, CJK, tabs and CRLF when the server counts in %s',
    async (positionEncoding) => {
      const lines = [
        'function 保存() {',
        '}',
        'function größe() {',
        '\tlog("👋🏽 茶"); 保存(); 保存();',
        '}',
        '',
      ];
      await using session = await fakeSession('//- a.fake\n', {
        scenario: { positionEncoding, stubborn: ['encoding'] },
      });
      session.workspace.write('a.fake', lines.join('\r\n'));
      const text = await session.ask('callers', { file_path: 'a.fake', symbol: '保存' });
      expect(text.split('\n').slice(1)).toEqual([
        'a.fake (1)',
        '  function größe 3:10 calls at 4:17, 4:23',
        'next: blast_radius a.fake before a change',
      ]);
      expect(await session.ask('find_callers', { file_path: 'a.fake', line: 4, column: 24 })).toContain(
        '1 caller, no callees of 保存 (a.fake:1:10)',
      );
    },
  );

  it('marks calls that start concurrent work, and finds where the function is handed over', async () => {
    const text = `
    //- work.go
    func tick() {
    }
    func start() {
      go tick()
      go func() {
        tick()
      }()
      tick()
      time.AfterFunc(second, tick)
    }
    `;
    const language = { id: 'go', extension: 'go' };
    const question = { file_path: 'work.go', symbol: 'tick', cross_concurrent: true };
    await using session = await fakeSession(text, { language });
    expect((await session.ask('callers', question)).split('\n').slice(1)).toEqual([
      'work.go (1)',
      '  function start 3:6 calls at 4:6 (go statement), 6:5 (go func), 8:3',
      'started concurrently: 3',
      '  work.go:9:26 handed to time.AfterFunc in start',
      'next: blast_radius work.go before a change',
    ]);
    await using inJson = await fakeSession(text, { language, args: ['--output', 'json'] });
    const { json } = await inJson.call('callers', question);
    const at = { caller: 'start', file: inJson.workspace.file('work.go') };
    expect(json).toMatchObject({
      concurrent_callers: [
        { ...at, pattern: 'go statement', line: 4, column: 6 },
        { ...at, pattern: 'go func', line: 6, column: 5 },
        { ...at, pattern: 'time.AfterFunc', line: 9, column: 26 },
      ],
    });
  });

  it('says when it does not know how a language starts concurrent work', async () => {
    await using session = await fakeSession(CALLS);
    const text = await session.ask('callers', { ...STOP, cross_concurrent: true });
    expect(text).toContain('note: what starts concurrent work is not known for fake');
    expect(text).not.toContain('started concurrently');
  });
});
