import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type FakeSession, type FakeSessionOptions, fakeSession } from './fake-session.ts';

const REPOS = `
//- lib/shop.fake
export function price() {
}
price();
//- app/use.fake
price();
price();
//- app/own.fake
const other = 1; // price
//- quiet/none.fake
const nothing = 1;
`;

/** Each root has its own server, which knows the library only by where definitions lead. */
async function reposSession(options: FakeSessionOptions = {}): Promise<FakeSession> {
  const session = await fakeSession(REPOS, {
    ...options,
    args: ['-r', 'lib', '-r', 'app', '-r', 'quiet', ...(options.args ?? [])],
  });
  const uri = pathToFileURL(session.workspace.file('lib/shop.fake')).href;
  const range = { start: { line: 0, character: 16 }, end: { line: 0, character: 21 } };
  const definition = 'textDocument/definition';
  const use = (line: number) => ({
    uri: pathToFileURL(session.workspace.file('app/use.fake')).href,
    range: { start: { line, character: 0 }, end: { line, character: 5 } },
  });
  session.server.rewrite({
    rules: [
      { on: definition, file: 'app/own.fake', do: { result: null } },
      { on: definition, file: 'app/use.fake', do: { result: [{ uri, range }] } },
      { on: 'textDocument/references', file: 'app/use.fake', do: { result: [use(1), use(0)] } },
    ],
  });
  return session;
}

describe('get_cross_repo_references', () => {
  const question = { symbol_file: 'shop.fake', symbol: 'price' };

  it('asks the server of each repository and says which use is whose', async () => {
    await using session = await reposSession();
    const { root } = session.workspace;
    const text = await session.ask('get_cross_repo_references', {
      ...question,
      consumer_roots: [`${root}/app`, `${root}/quiet`],
    });
    expect(text.split('\n')).toEqual([
      `price (shop.fake:1:17): 1 reference in the library, 2 in ${root}/app, 0 in ${root}/quiet; fake-lsp ready, complete; root ${root}/lib`,
      'shop.fake (1)',
      '  3:1  price();',
      `consumer ${root}/app (2)`,
      `${root}/app/use.fake (2)`,
      '  1:1, 2:1  price();',
      `consumer ${root}/quiet (0)`,
      'next: blast_radius shop.fake before a change',
    ]);
  });

  it('answers in JSON in both of its shapes', async () => {
    await using session = await reposSession({ args: ['--output', 'json'] });
    const { workspace } = session;
    const { json } = await session.call('get_cross_repo_references', {
      ...question,
      consumer_roots: [workspace.file('app')],
    });
    const place = (file: string, line: number) => ({ file: workspace.file(file), line, column: 1 });
    const whole = (file: string, line: number) => ({ ...place(file, line), end_line: line, end_column: 6 });
    expect(json).toEqual({
      symbol: 'price',
      library_references: [whole('lib/shop.fake', 3)],
      consumer_references: [
        { repo: workspace.file('app'), references: [whole('app/use.fake', 1), whole('app/use.fake', 2)] },
      ],
      references: [
        { ...place('lib/shop.fake', 3), repo: 'primary' },
        { ...place('app/use.fake', 1), repo: workspace.file('app') },
        { ...place('app/use.fake', 2), repo: workspace.file('app') },
      ],
      summary: `price (shop.fake:1:17): 1 reference in the library, 2 in ${workspace.file('app')}`,
      warnings: [],
    });
  });

  it('says when a name is mentioned and leads elsewhere, and pages', async () => {
    await using session = await reposSession();
    const app = session.workspace.file('app');
    const args = { ...question, consumer_roots: [app] };
    expect(await session.ask('get_cross_repo_references', { ...args, limit: 1 })).toContain(
      '2 more references not shown; pass cursor:"1"',
    );
    session.server.rewrite({
      rules: [{ on: 'textDocument/definition', file: '/app/', do: { result: null } }],
    });
    await session.ask('restart_lsp_server');
    expect(await session.ask('get_cross_repo_references', args)).toContain(
      `${app} mentions price in 2 files, but it leads to the library in none`,
    );
  });

  it('is incomplete, not empty, when the server of a consumer fails', async () => {
    await using session = await reposSession();
    session.server.rewrite({
      rules: [{ on: 'textDocument/definition', file: '/app/', do: { error: { code: 1, message: 'odd' } } }],
    });
    const text = await session.ask('get_cross_repo_references', {
      ...question,
      consumer_roots: [session.workspace.file('app')],
    });
    expect(text).toMatch(/^INCOMPLETE: .*app: fake: .*odd/);
  });

  it('refuses roots that are not allowed, not there, or none at all', async () => {
    await using session = await reposSession();
    for (const [consumer_roots, message] of [
      [[session.workspace.scratch], 'outside of the roots that this session was started with'],
      [[session.workspace.file('app/use.fake')], 'is no directory'],
      [[], 'consumer_roots'],
    ] as const) {
      const { isError, text } = await session.call('get_cross_repo_references', {
        ...question,
        consumer_roots,
      });
      expect(isError).toBe(true);
      expect(text).toContain(message);
    }
  });
});
