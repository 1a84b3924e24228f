/** health_check through MCP, and the figures of calls that it shows. */
import { describe, expect, it } from 'vitest';
import { fakeSession, SAMPLE } from './fake-session.ts';

const SECRET = 'hunter2-very-secret';

describe('health_check', () => {
  it('tells versions, servers, figures and settings, and starts nothing', async () => {
    await using session = await fakeSession(SAMPLE, { args: ['--output', 'json'] });
    const before = await session.call('health_check');
    expect(before.json).toMatchObject({
      versions: { agent_lsp: expect.any(String), node: process.versions.node },
      uptime_seconds: expect.any(Number),
      checkers: [{ name: 'pyright', available: true, version: expect.stringMatching(/^\d/) }],
      servers: [],
      pool: { servers_of_session: 0, most_idle_per_language: 3, shared: { brokers: 0, running: 0 } },
      metrics: { enabled: true, calls: 0, errors: 0, tools: [] },
      config: { tools: 'auto', permission: 'write', check_timeout_seconds: 30, idle_timeout_minutes: 30 },
    });
    expect(session.server.journal.entries()).toEqual([]);
  });

  it('counts and times the calls of the session, each failure as one', async () => {
    await using session = await fakeSession(SAMPLE, { args: ['--output', 'json'] });
    await session.call('list_symbols', { file_path: 'src/client.fake' });
    await session.call('list_symbols', { file_path: 'src/use.fake' });
    await session.call('list_symbols', { file_path: 'src/missing.fake' });
    const { json } = await session.call('health_check');
    expect(json).toMatchObject({
      servers: [{ language: 'fake', state: 'ready', mode: 'direct' }],
      metrics: { calls: 3, errors: 1 },
    });
    const { tools } = (json as { metrics: { tools: readonly Record<string, number | string>[] } }).metrics;
    expect(tools).toEqual([
      {
        tool: 'list_symbols',
        count: 3,
        error_rate: 0.333,
        average_ms: expect.any(Number),
        minimum_ms: expect.any(Number),
        maximum_ms: expect.any(Number),
      },
    ]);
    const [figures] = tools;
    expect(Number(figures?.minimum_ms)).toBeLessThanOrEqual(Number(figures?.average_ms));
    expect(Number(figures?.average_ms)).toBeLessThanOrEqual(Number(figures?.maximum_ms));
  });

  it('counts the tokens that answers have saved, each file once, and not those of other answers', async () => {
    const long = `export function first() {\n}\n${'// what nobody needs to read\n'.repeat(200)}`;
    await using session = await fakeSession(`${SAMPLE}\n//- src/long.fake\n${long}`, {
      args: ['--output', 'json'],
    });
    const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
    const savings = async () => (await session.call('health_check')).json as { token_savings: object };
    expect((await savings()).token_savings).toMatchObject({ answers: 0, files: 0, tokens_saved: 0 });

    const outline = await session.call('list_symbols', { file_path: 'src/long.fake' });
    await session.call('find_references', { file_path: 'src/long.fake', symbol: 'first' });
    const source = await session.call('get_symbol_source', { file_path: 'src/long.fake', symbol: 'first' });
    const sent = [outline, source].map(({ raw }) =>
      tokens(raw.content.map((part) => ('text' in part ? part.text : '')).join('\n')),
    );
    const returned = sent.reduce((sum, each) => sum + each);
    const full = tokens(session.workspace.read('src/long.fake'));
    expect((await savings()).token_savings).toEqual({
      answers: 2,
      files: 1,
      tokens_returned: returned,
      tokens_full_files: full,
      tokens_saved: full - returned,
      estimated_as: 'bytes / 4',
    });
  });

  it('says when answers were longer than the files', async () => {
    await using session = await fakeSession(SAMPLE);
    for (let times = 0; times < 3; times++)
      await session.call('get_symbol_source', { file_path: 'src/client.fake', symbol: 'Client' });
    expect(await session.ask('health_check')).toMatch(
      /tokens \(bytes \/ 4\) of 3 outlines, sources and contexts: \d+, \d+ more than the \d+ of 1 whole file;/,
    );
  });

  it('shows no variable and no option of a server, where keys are kept', async () => {
    await using session = await fakeSession(SAMPLE, {
      config: {
        servers: [
          {
            language_id: 'go',
            env: { API_KEY: SECRET },
            settings: { key: SECRET },
            initialization_options: { key: SECRET },
          },
        ],
      },
    });
    const { text, raw } = await session.call('health_check');
    expect(text).toContain('permission write');
    expect(JSON.stringify(raw)).not.toContain(SECRET);
  });

  it('counts nothing where that is switched off', async () => {
    await using session = await fakeSession(SAMPLE, { config: { metrics: false } });
    await session.call('list_symbols', { file_path: 'src/client.fake' });
    expect(await session.ask('health_check')).toContain('calls are not counted');
  });

  it.each([
    { what: 'the file', options: { config: { health_check: false } } },
    { what: 'the environment', options: { env: { AGENT_LSP_HEALTH_CHECK: 'false' } } },
  ])('is not there when $what switches it off', async ({ options }) => {
    await using session = await fakeSession(SAMPLE, options);
    const { tools } = await session.frontEnd.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('health_check');
    expect(await session.call('health_check')).toMatchObject({ isError: true });
  });
});
