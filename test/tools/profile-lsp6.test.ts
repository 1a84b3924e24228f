/** `--tools lsp6` through MCP: the six tools over the fake server. */
import { describe, expect, it } from 'vitest';
import { fakeSession, SAMPLE } from './fake-session.ts';

const LSP6 = { args: ['--tools', 'lsp6'] };
const AT_STOP = { path: 'src/use.fake', line: 2, character: 8 };

describe('six tools', () => {
  it('are listed, and nothing else is', async () => {
    await using session = await fakeSession(SAMPLE, LSP6);
    const { tools } = await session.frontEnd.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'lsp_definition',
      'lsp_references',
      'lsp_hover',
      'lsp_symbols',
      'lsp_document_symbols',
      'lsp_rename',
    ]);
  });

  it('find what the tools of ours find, in lines of the six', async () => {
    await using session = await fakeSession(SAMPLE, LSP6);
    expect(await session.ask('lsp_definition', AT_STOP)).toBe('src/client.fake:2:2');
    expect((await session.ask('lsp_references', AT_STOP)).split('\n')).toEqual([
      'src/client.fake:2:2',
      ...[2, 4, 5, 6, 7].map((line) => `src/use.fake:${line}:${line === 2 ? 7 : 9}`),
      'test/client.test.fake:1:7',
    ]);
    expect(await session.ask('lsp_hover', AT_STOP)).toBe('client.stop();');
    expect(await session.ask('lsp_symbols', { query: 'Stoppable' })).toBe(
      'interface Stoppable  src/client.fake:8:17',
    );
    expect(await session.ask('lsp_symbols', { query: 'nowhere' })).toBe('No results found.');
    expect(await session.ask('lsp_document_symbols', { path: 'src/client.fake' })).toMatch(
      /^class Client {2}src\/client\.fake:1:13\nmethod stop {2}src\/client\.fake:2:2\n/,
    );
    expect(await session.ask('lsp_rename', { ...AT_STOP, new_name: 'halt' })).toMatch(
      /^7 edits in 3 files:\nsrc\/client\.fake:2:2: stop -> halt\nsrc\/use\.fake:2:7: stop -> halt\n/,
    );
  });

  it('keep denied what is denied under the name of the tool behind', async () => {
    await using session = await fakeSession(SAMPLE, {
      ...LSP6,
      config: { permissions: { deny: ['find_references'] } },
    });
    const answer = await session.call('lsp_references', AT_STOP);
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/find_references is denied/) });
  });
});
