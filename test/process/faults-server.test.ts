/** Language servers that crash or keep silent, seen by an agent: what it is told, and that the rest goes on. */
import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import { DIRECT_NOTE, described, faultWorld, inspect } from '../support/fault-world.ts';

const TEXT = '//- poison.fake\nboom\n//- bad.fake\nERROR here\n';

describe.each(['never', 'always'] as const)('with daemon %s, a server that', (daemon) => {
  it('crashes at initialize: the answer has its last words and a next step; mended, it works', async () => {
    await using world = faultWorld({
      scenario: { rules: [{ on: 'initialize', do: { stderr: 'no licence found', crash: 3 } }] },
    });
    const session = await world.start({ daemon });
    const { text, isError } = await session.call('inspect_symbol', {
      file_path: 'many.fake',
      line: 1,
      column: 10,
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/exited with code 3.*stderr: no licence found.*(call again|restart_lsp_server)/is);
    expect(text).not.toMatch(/daemon|\n/);
    world.server.rewrite({});
    expect((await session.call('restart_lsp_server')).text).toContain('restarted successfully');
    expect(await inspect(session, 2)).toBe(described(2));
    await world.end();
  });

  it('crashes on one file: the others keep working, and the file is refused until a restart', async () => {
    await using world = faultWorld({
      text: TEXT,
      scenario: {
        rules: [
          { on: 'textDocument/hover', file: 'poison.fake', do: { stderr: 'bad node', crash: 'SIGKILL' } },
        ],
      },
    });
    const session = await world.start({ daemon });
    const poison = () => session.call('inspect_symbol', { file_path: 'poison.fake', line: 1, column: 1 });
    expect(await inspect(session, 1)).toBe(described(1));
    expect(await poison()).toEqual({ isError: true, text: expect.stringMatching(/SIGKILL.*bad node/) });
    expect(await inspect(session, 2)).toBe(described(2));
    expect(await poison()).toEqual({ isError: true, text: expect.stringContaining('died twice') });
    expect(await inspect(session, 3)).toBe(described(3));
    expect(world.serverPids()).toHaveLength(3);
    world.server.rewrite({});
    expect((await session.call('restart_lsp_server')).isError).toBe(false);
    expect((await poison()).text).toContain('boom');
    await world.end();
  });

  it('crashes every few requests: each call is answered all the same', async () => {
    await using world = faultWorld({
      scenario: { rules: [{ on: 'textDocument/hover', every: 4, do: { crash: 1 } }] },
    });
    const session = await world.start({ daemon });
    for (let line = 1; line <= 8; line++) expect(await inspect(session, line)).toBe(described(line));
    expect(world.serverPids()).toHaveLength(3);
    await world.end();
  });

  it('crashes with open documents: they are open in the next one', async () => {
    await using world = faultWorld({ text: TEXT });
    const session = await world.start({ daemon });
    expect((await session.call('open_document', { file_path: 'bad.fake' })).text).toContain('opened');
    const [server = 0] = world.serverPids();
    process.kill(server, 'SIGKILL');
    await world.server.journal.waitFor(['received', 'initialized'], { count: 2 });
    expect(await session.call('get_diagnostics')).toEqual({
      isError: false,
      text: expect.stringContaining('ERROR here'),
    });
    await world.end();
  });

  it.each([
    {
      what: 'a question',
      method: 'textDocument/hover',
      sentence: /textDocument\/hover took longer than [\d.]+ s \(server: .+\)/,
    },
    {
      what: 'initialize',
      method: 'initialize',
      sentence: /initialize took longer than [\d.]+ s \(server: starting.*\)/,
    },
  ])('never answers $what: the call ends and says what it waited for', async ({ method, sentence }) => {
    await using world = faultWorld({ scenario: { rules: [{ on: method, do: { never: true } }] } });
    const session = await world.start({ daemon, env: { AGENT_LSP_CALL_TIMEOUT_MS: '3000' } });
    const { text, isError } = await session.call('inspect_symbol', {
      file_path: 'many.fake',
      line: 1,
      column: 10,
    });
    expect(isError).toBe(true);
    expect(text).toMatch(sentence);
    expect(text).toMatch(/Call again/);
    expect(text).not.toMatch(DIRECT_NOTE);
    if (method !== 'initialize') {
      const symbols = await session.call('list_symbols', { file_path: 'many.fake' });
      expect(symbols.text).toContain('f24');
    }
    await world.end();
  });
});

describe.each(['always', 'never'] as const)('a warm server that takes long, --daemon %s', (daemon) => {
  it('is not waited for: the call gives what the text has, and the next one gets the answer', async () => {
    await using world = faultWorld({ text: '//- a.fake\nfunction alpha\n//- b.fake\nalpha\nalpha\n' });
    const searched = gate(world.workspace.scratch, 'searched');
    world.server.rewrite({ rules: [{ on: 'textDocument/references', do: { gate: searched.path } }] });
    searched.open();
    const session = await world.start({ daemon, env: { AGENT_LSP_PATIENCE_MS: '700' } });
    const search = () => session.call('find_references', { file_path: 'a.fake', symbol: 'alpha' });
    const found = await search();
    expect(found.text).toMatch(/^2 references to alpha .* complete/);
    searched.close();
    const early = await search();
    expect(early.isError).toBe(false);
    expect(early.text.split('\n')[0]).toBe(
      'INCOMPLETE: fake-lsp is still searching for alpha; 3 of 3 occurrences of alpha were not looked at, only listed as possible; retry in 2 s',
    );
    expect(early.text).toMatch(/b\.fake:2/);
    expect(early.text).not.toMatch(/\bcomplete\b/);
    searched.open();
    expect(await search()).toEqual(found);
    expect(world.server.journal.received('textDocument/references')).toHaveLength(2);
    await world.end();
  });

  it('is not waited for while it loads more: the answer is what it has, and says so', async () => {
    await using world = faultWorld({ text: '//- a.fake\nfunction alpha\n//- b.fake\nalpha\nalpha\n' });
    world.server.rewrite({
      rules: [
        { on: 'textDocument/hover', do: [{ progress: { token: 't', begin: 'Loading' } }, { result: null }] },
      ],
    });
    const session = await world.start({ daemon, env: { AGENT_LSP_PATIENCE_MS: '700' } });
    const search = () => session.call('find_references', { file_path: 'a.fake', symbol: 'alpha' });
    const found = await search();
    expect(found.text).toMatch(/^2 references to alpha .* complete/);
    await session.call('inspect_symbol', { file_path: 'a.fake', symbol: 'alpha' });
    const early = await search();
    expect(early.isError).toBe(false);
    expect(early.text).toMatch(
      /^INCOMPLETE: fake-lsp is still indexing, retry in \d+ s\n2 references to alpha /,
    );
    await world.end();
  });

  it('is not waited for by a rename that is only shown, and is by one that writes', async () => {
    await using world = faultWorld({ text: '//- a.fake\nfunction alpha\n' });
    const renamed = gate(world.workspace.scratch, 'renamed');
    world.server.rewrite({ rules: [{ on: 'textDocument/rename', do: { gate: renamed.path } }] });
    const session = await world.start({ daemon, env: { AGENT_LSP_PATIENCE_MS: '700' } });
    await session.call('find_references', { file_path: 'a.fake', symbol: 'alpha' });
    const rename = (more: object) =>
      session.call('rename_symbol', { file_path: 'a.fake', symbol: 'alpha', new_name: 'beta', ...more });
    const early = await rename({ dry_run: true });
    expect(early.isError).toBe(true);
    expect(early.text).toContain('has not answered textDocument/rename');
    const writing = rename({});
    renamed.open();
    expect((await writing).isError).toBe(false);
    await world.end();
  });
});
