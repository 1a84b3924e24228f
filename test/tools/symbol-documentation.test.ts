import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

const DOCS = `
//- a.fake
/**
 * Opens 商 🎉.
 *
 * Twice.
 */
function open() {
}
function bare() {
}
//- b.fake
open();
`;

describe('get_symbol_documentation', () => {
  it('takes the comment where the server has none, and says where it looked when there is nothing', async () => {
    await using session = await fakeSession(DOCS);
    const ask = async (args: Readonly<Record<string, unknown>>) =>
      (await session.ask('get_symbol_documentation', args)).split('\n');
    const open = ['function open() {   a.fake:6:10   from its comment', 'Opens 商 🎉.', '', 'Twice.'];
    expect(await ask({ file_path: 'a.fake', symbol: 'open' })).toEqual(open);
    // From a use as well.
    expect((await ask({ file_path: 'b.fake', symbol: 'open' })).slice(1)).toEqual(open.slice(1));
    expect(await ask({ symbol: 'open', limit: 1 })).toEqual([
      open[0],
      'Opens 商 🎉.',
      '2 more lines not shown; pass cursor:"1"',
    ]);
    expect(await ask({ file_path: 'a.fake', symbol: 'bare' })).toEqual([
      'function bare() {   a.fake:8:10',
      'No documentation of bare; looked at fake-lsp ready, the comment above it',
      'next: get_symbol_source a.fake:8:10 may say more',
    ]);
  });

  it('takes what the server says, as JSON and with the signature fenced on request', async () => {
    const value = '```fake\nopen(): void\n```\nOpens the door.';
    await using session = await fakeSession(DOCS, {
      args: ['--output', 'json'],
      scenario: {
        rules: [{ on: 'textDocument/hover', do: { result: { contents: { kind: 'markdown', value } } } }],
      },
    });
    const file = session.workspace.file('a.fake');
    const args = { file_path: 'a.fake', symbol: 'open' };
    expect((await session.call('get_symbol_documentation', args)).json).toEqual({
      symbol: 'open',
      language: 'fake',
      source: 'server',
      signature: 'open(): void',
      doc: 'Opens the door.',
      file,
      line: 6,
      column: 10,
    });
    const fenced = await session.call('get_symbol_documentation', { ...args, format: 'markdown' });
    expect(fenced.json).toMatchObject({ signature: '```fake\nopen(): void\n```' });
  });

  it('does without hover, and refuses what is not there', async () => {
    await using session = await fakeSession(DOCS, {
      args: ['--output', 'json'],
      scenario: { capabilities: { hoverProvider: null } },
    });
    expect(
      (await session.call('get_symbol_documentation', { file_path: 'a.fake', symbol: 'bare' })).json,
    ).toEqual({
      symbol: 'bare',
      language: 'fake',
      source: 'none',
      signature: '',
      doc: '',
      file: session.workspace.file('a.fake'),
      line: 8,
      column: 10,
      tried: ['fake-lsp, which has no hover', 'the comment above it'],
    });
    const none = await session.call('get_symbol_documentation', { symbol: 'nowhere', language_id: 'fake' });
    expect(none).toMatchObject({ isError: true });
    expect(none.text).toContain('no symbol nowhere in the workspace');
  });

  it('asks pydoc about the standard library only, and runs no code of the project for it', async () => {
    await using session = await fakeSession(
      "//- json.py\nopen('ran', 'w')\n//- sideeffect.py\nopen('ran', 'w')\n",
    );
    const known = await session.ask('get_symbol_documentation', {
      symbol: 'json.dumps',
      language_id: 'python',
    });
    expect(known).toMatch(
      /^json\.dumps = dumps\(obj.*from its toolchain\nSerialize ``obj`` to a JSON formatted/,
    );
    for (const symbol of ['sideeffect.run', '--help', '-w'])
      expect(await session.call('get_symbol_documentation', { symbol, language_id: 'python' })).toMatchObject(
        { isError: true },
      );
    expect(() => session.workspace.read('ran')).toThrow('ENOENT');
  });
});
