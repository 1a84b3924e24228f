import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

describe('inspect_symbol', () => {
  it('shows the signature first and cuts long documentation', async () => {
    const doc = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join('\n');
    const value = `\`\`\`ts\n(method) stop(): void\n\`\`\`\n---\n${doc}`;
    const rules = [{ on: 'textDocument/hover', do: { result: { contents: { kind: 'markdown', value } } } }];
    await using session = await fakeSession(undefined, { scenario: { rules } });
    const args = { file_path: 'src/client.fake', symbol: 'Client.stop' };
    const short = await session.ask('inspect_symbol', args);
    expect(short.split('\n')).toEqual([
      '(method) stop(): void   src/client.fake:2:3',
      ...doc.split('\n').slice(0, 6),
      '… 3 more lines with full:true',
      'next: find_references src/client.fake:2:3',
    ]);
    expect(await session.ask('inspect_symbol', { ...args, full: true })).toMatch(/line 9\nnext: .*$/);
  });

  it('says when there is nothing, with the readiness', async () => {
    const rules = [{ on: 'textDocument/hover', do: { result: null } }];
    await using session = await fakeSession(undefined, { scenario: { rules } });
    const answer = await session.call('inspect_symbol', {
      file_path: 'src/client.fake',
      symbol: 'Client.stop',
    });
    expect(answer).toMatchObject({
      isError: false,
      text: 'No information on stop (src/client.fake:2:3); fake-lsp ready\nnext: go_to_definition src/client.fake:2:3',
    });
  });

  it('does not wait for diagnostics', async () => {
    await using session = await fakeSession(undefined, { scenario: { diagnostics: { profile: 'none' } } });
    expect(
      await session.ask('inspect_symbol', { file_path: 'src/client.fake', symbol: 'Client.stop' }),
    ).toContain('stop()');
  });

  it('knows Python through the embedded pyright', async () => {
    await using workspace = createWorkspace(`
    //- pyproject.toml
    [project]
    name = "sample"
    //- shapes.py
    def area(width: int, height: int) -> int:
        """The area of a rectangle."""
        return width * height
    //- main.py
    from shapes import area
    print(area(2, 3))
    `);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    const { text } = await frontEnd.call('inspect_symbol', { file_path: 'main.py', line: 2, symbol: 'area' });
    expect(text).toContain('def area(\n    width: int,\n    height: int\n) -> int   main.py:2:7');
    expect(text).toContain('The area of a rectangle.');
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});
