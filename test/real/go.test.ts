/** A Go module with gopls: as our own process, and as one that somebody else runs and several sessions use. */
import { spawn } from 'node:child_process';
import net from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { isAlive } from '../support/processes.ts';
import { occurrences, realWorld, sharedServers } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import type { Workspace } from '../support/workspace.ts';

describeWith(['gopls', 'go'], 'Go with gopls', ({ gopls }) => {
  it('is navigated, searched, outlined and checked by a process of the session', async () => {
    await using world = realWorld('', { fixture: 'go' });
    const { workspace } = world;
    const session = await world.session();
    const inMain = { file_path: 'main.go' };

    expect(
      await session.places('find_references', {
        symbol: 'NewShelf',
        file_path: 'stock/shelf.go',
        include_declaration: true,
      }),
    ).toEqual(occurrences(workspace, 'NewShelf', '.go'));
    expect(
      await session.places('find_references', { symbol: 'Shelf.Take', file_path: 'stock/shelf.go' }),
    ).toEqual(['main.go:19:18', 'stock/shelf_test.go:8:18']);
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: 'pricing.@@Total(' }),
    ).toEqual(['pricing/discount.go:17:6']);
    expect(
      await session.places('go_to_definition', { ...inMain, position_pattern: '"tea 🍵", 2); @@err' }),
    ).toEqual(['main.go:13:5']);
    expect(
      await session.places('go_to_type_definition', { ...inMain, position_pattern: '@@shelf := ' }),
    ).toEqual(['stock/shelf.go:4:6']);
    expect(
      await session.places('go_to_implementation', { symbol: 'Store', file_path: 'stock/store.go' }),
    ).toEqual(['stock/shelf.go:4:6']);
    // gopls has no declarations apart from definitions.
    expect(
      await session.places('go_to_declaration', { ...inMain, position_pattern: '@@shelf.Receive' }),
    ).toEqual(['main.go:11:2']);
    expect(await session.ask('inspect_symbol', { symbol: 'Sum', file_path: 'pricing/discount.go' })).toMatch(
      /func Sum\[N int \| float64\]\(numbers \.\.\.N\) N.*Sum adds numbers of any kind/s,
    );
    expect(await session.outline('stock/shelf.go')).toEqual([
      'Shelf',
      'Shelf.items',
      'Shelf.(*Shelf).Receive',
      'Shelf.(*Shelf).Available',
      'Shelf.(*Shelf).Take',
      'NewShelf',
    ]);
    expect(await session.data('find_symbol', { query: 'OutOfStockError' })).toContainEqual(
      expect.objectContaining({ file: workspace.file('stock/store.go'), line: 13, column: 6 }),
    );
    expect(await session.data('get_server_capabilities')).toMatchObject({
      server_name: 'gopls',
      server_version: expect.stringMatching(/^v?\d+\.\d+/),
      fallback_tools: ['format_range', 'go_to_declaration'],
      unsupported_tools: [],
    });
    expect(await sharedServers(workspace)).toEqual([]);

    expect(await session.problems('main.go')).toEqual([]);
    world.edit('main.go', 'pricing.Total(350,', 'pricing.Total("350",');
    expect(await session.problems('main.go')).toEqual(['22 IncompatibleAssign']);
    world.edit('main.go', '"350"', '350');
    expect(await session.problems('main.go')).toEqual([]);
    expect(await session.ask('restart_lsp_server')).toContain('restarted successfully (go)');
    world.edit('main.go', 'shelf := stock', 'shelf, unused := stock');
    expect((await session.problems('main.go')).length).toBeGreaterThan(0);
    await world.end();
  });

  it('is answered by a gopls that somebody else runs, for two sessions at once, and left running', async () => {
    await using world = realWorld('', { fixture: 'go' });
    const { workspace } = world;
    const { pid, address } = await listen(gopls, workspace);
    const sessions = [await world.session(), await world.session()];
    const [first, second] = sessions;
    for (const session of sessions)
      expect(await session.ask('start_lsp', { language_id: 'go', connect: address })).toContain(
        `Connected to existing language server at ${address}`,
      );
    const question = { symbol: 'NewShelf', file_path: 'stock/shelf.go', include_declaration: true };
    const answers = await Promise.all(sessions.map((session) => session.places('find_references', question)));
    for (const answer of answers) expect(answer).toEqual(occurrences(workspace, 'NewShelf', '.go'));
    expect(await first?.problems('main.go')).toEqual([]);

    expect(await first?.ask('restart_lsp_server')).toContain('restarted successfully (go)');
    await first?.frontEnd.close();
    expect(isAlive(pid)).toBe(true);
    expect(await second?.places('find_references', question)).toEqual(answers[1]);
    await second?.frontEnd.close();
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await world.end();
  });
});

/** gopls does not say which port it took, so a free one is looked for first. */
async function listen(gopls: string, workspace: Workspace): Promise<{ pid: number; address: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  const { pid = 0 } = spawn(gopls, [`-listen=${address}`], { env: workspace.env(), stdio: 'ignore' });
  await until(() => answers(address), { what: `gopls at ${address}` });
  return { pid, address };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

function answers(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = net.connect({ host, port: Number(port) });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
