import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

describe('go_to_definition', () => {
  it('answers with a place that can be pasted back and its source line', async () => {
    await using session = await fakeSession();
    const text = await session.ask('go_to_definition', { file_path: 'src/use.fake', line: 2, column: 9 });
    expect(text.split('\n')).toEqual([
      `1 definition of stop (src/use.fake:2:9); fake-lsp ready; root ${session.workspace.root}`,
      'src/client.fake:2:3  stop() {',
      'next: inspect_symbol src/client.fake:2:3',
    ]);
  });

  it('takes one location, a list or links, without duplicates and in order', async () => {
    const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
    const cases = (uri: string) => [
      { result: { uri, range: range(1) }, lines: ['src/client.fake:2:1'] },
      { result: null, lines: [] },
      {
        result: [
          { uri, range: range(4) },
          { uri, range: range(1) },
          { uri, range: range(4) },
        ],
        lines: ['src/client.fake:2:1', 'src/client.fake:5:1'],
      },
      {
        result: [{ targetUri: uri, targetRange: range(0), targetSelectionRange: range(4) }],
        lines: ['src/client.fake:5:1'],
      },
      { result: [{ uri: 'jdt://contents/A.class', range: range(4) }], lines: ['jdt://contents/A.class:5:1'] },
    ];
    await using session = await fakeSession();
    const uri = `file://${session.workspace.file('src/client.fake')}`;
    for (const [index, { result, lines }] of cases(uri).entries()) {
      session.server.rewrite({ rules: [{ on: 'textDocument/definition', do: { result } }] });
      if (index > 0) await session.ask('restart_lsp_server');
      const text = await session.ask('go_to_definition', { file_path: 'src/use.fake', line: 2, column: 9 });
      const found = text.split('\n').filter((line) => /^(src|jdt)/.test(line));
      expect(found.map((line) => line.split('  ')[0])).toEqual(lines);
    }
  });

  it('follows TypeScript imports into other files', async () => {
    await using workspace = createWorkspace('', { fixture: 'typescript' });
    workspace.write('src/deep.ts', 'export class Deep {\n  go(): number {\n    return 1;\n  }\n}\n');
    workspace.write('src/user.ts', "import { Deep } from './deep.js';\nnew Deep().go();\n");
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    const args = { file_path: 'src/user.ts', position_pattern: 'new Deep().@@go()' };
    expect((await frontEnd.call('go_to_definition', args)).text).toContain('src/deep.ts:2:3  go(): number {');
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});

describe('its siblings', () => {
  it('go_to_type_definition goes to the class of a constant', async () => {
    await using session = await fakeSession();
    const text = await session.ask('go_to_type_definition', {
      file_path: 'src/client.fake',
      symbol: 'shared',
    });
    expect(text).toContain('src/client.fake:1:14  export class Client {');
  });

  it('go_to_implementation lists the classes of an interface', async () => {
    await using session = await fakeSession();
    const text = await session.ask('go_to_implementation', { symbol: 'Stoppable' });
    expect(text).toMatch(/^1 implementation of Stoppable \(src\/client\.fake:8:18\)/);
    expect(text).toContain('src/client.fake:9:14  export class Server implements Stoppable');
  });

  it('go_to_declaration says when the server has none such', async () => {
    await using session = await fakeSession(undefined, {
      scenario: { capabilities: { declarationProvider: null } },
    });
    const place = { file_path: 'src/use.fake', line: 2, column: 9 };
    expect((await session.ask('go_to_declaration', place)).split('\n')).toEqual([
      `1 definition of stop (src/use.fake:2:9); fake-lsp ready; root ${session.workspace.root}`,
      'src/client.fake:2:3  stop() {',
      'note: fake-lsp has no declarations; this is the definition',
    ]);
    session.server.rewrite({
      capabilities: { declarationProvider: null, definitionProvider: null, implementationProvider: null },
    });
    await session.ask('restart_lsp_server');
    for (const kind of ['declaration', 'implementation']) {
      const refused = await session.call(`go_to_${kind}`, place);
      expect(refused.isError).toBe(true);
      expect(refused.text).toBe(
        `fake-lsp does not support textDocument/${kind}. get_server_capabilities lists the tools that work here.`,
      );
    }
  });

  it('all take a symbol, a pattern within lines, and a line with a column that is a little off', async () => {
    await using session = await fakeSession();
    const inUse = { file_path: 'src/use.fake' };
    for (const tool of ['go_to_definition', 'go_to_declaration'])
      for (const place of [
        { symbol: 'Client.stop' },
        { ...inUse, symbol: 'stop', line: 5 },
        { ...inUse, position_pattern: 'client.@@stop', line_scope_start: 3, line_scope_end: 5 },
        { ...inUse, line: 4, column: 16 },
      ])
        expect(await session.ask(tool, place)).toContain('src/client.fake:2:3  stop() {');
    expect(
      await session.ask('go_to_type_definition', {
        ...inUse,
        position_pattern: 'const @@client',
        line_scope_end: 1,
      }),
    ).toContain('src/client.fake:1:14  export class Client {');
    expect(
      await session.ask('go_to_implementation', {
        file_path: 'src/client.fake',
        position_pattern: 'implements @@Stoppable',
      }),
    ).toContain('src/client.fake:9:14  export class Server implements Stoppable');
  });
});
