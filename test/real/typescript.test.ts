/** A TypeScript project without a TypeScript of its own: the embedded server, shared between sessions. */
import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { occurrences, realWorld, sharedServers } from '../support/real-session.ts';

describe('TypeScript with the embedded server', () => {
  it('is navigated, searched and outlined', async () => {
    await using world = realWorld('', { fixture: 'typescript' });
    const { workspace } = world;
    const session = await world.session();
    const inCheckout = { file_path: 'src/checkout.ts' };

    expect(await session.data('get_server_capabilities', inCheckout)).toMatchObject({
      server_name: 'typescript-go',
      server_version: expect.stringMatching(/^7\./),
      supported_tools: expect.arrayContaining(['find_references', 'go_to_implementation']),
      fallback_tools: ['go_to_declaration', 'type_hierarchy'],
      unsupported_tools: ['execute_command'],
    });
    expect(
      await session.places('go_to_definition', { ...inCheckout, position_pattern: 'new @@Order(' }),
    ).toContain('src/order.ts:13:14');
    expect(
      await session.places('go_to_type_definition', {
        ...inCheckout,
        position_pattern: 'for (const @@product of basket',
      }),
    ).toEqual(['src/product.ts:3:18']);
    expect(
      await session.places('go_to_implementation', {
        symbol: 'Repository',
        file_path: 'src/storage/repository.ts',
      }),
    ).toEqual(['src/storage/counting-repository.ts:4:14', 'src/storage/memory-repository.ts:3:14']);
    expect(
      await session.places('go_to_implementation', {
        symbol: 'Discount.apply',
        file_path: 'src/pricing/discount.ts',
      }),
    ).toEqual(['src/pricing/discount.ts:18:3', 'src/pricing/discount.ts:26:3']);
    const declared = await session.frontEnd.call('go_to_declaration', {
      ...inCheckout,
      position_pattern: 'new @@Order(',
    });
    expect(declared.text).toContain(workspace.file('src/order.ts'));
    expect(JSON.stringify(declared.raw)).toContain(
      'typescript-go has no declarations; this is the definition',
    );

    for (const [symbol, file_path] of [
      ['Order', 'src/order.ts'],
      ['Product', 'src/product.ts'],
      ['formatMoney', 'src/money.ts'],
    ] as const)
      expect(
        await session.places('find_references', { symbol, file_path, include_declaration: true }),
      ).toEqual(occurrences(workspace, symbol, '.ts'));

    expect(await session.ask('inspect_symbol', { symbol: 'Order.total', file_path: 'src/order.ts' })).toMatch(
      /Order\.total\(\): Money.*The sum of all lines after the discount/s,
    );
    expect(await session.outline('src/pricing/discount.ts')).toEqual(
      expect.arrayContaining(['Discount.apply', 'PercentageDiscount.constructor', 'NoDiscount.label']),
    );
    expect(await session.data('find_symbol', { query: 'Inventory' })).toContainEqual(
      expect.objectContaining({ name: 'Inventory', file: workspace.file('src/inventory.ts'), line: 15 }),
    );
    await world.end();
  });

  it('counts imports and re-exports as uses', async () => {
    await using world = realWorld('', { fixture: 'typescript' });
    const session = await world.session();
    const uses = occurrences(world.workspace, 'Product', '.ts');
    expect(
      await session.places('find_references', { symbol: 'Product', file_path: 'src/product.ts' }),
    ).toEqual(uses.filter((place) => place !== 'src/product.ts:3:18'));
    await world.end();
  });

  it('is understood in UTF-16 columns, behind emoji and in names of any script', async () => {
    await using world = realWorld('', { fixture: 'typescript' });
    const { workspace } = world;
    const session = await world.session();
    const file_path = 'src/unicode.ts';
    for (const symbol of ['größe', '商品名', 'grüße']) {
      const places = occurrences(workspace, symbol, '.ts').filter((place) => place.startsWith(file_path));
      expect(
        await session.places('find_references', { symbol, file_path, include_declaration: true }),
      ).toEqual(places);
      const [, line, column] = places.at(-1)?.split(':').map(Number) ?? [];
      expect(await session.places('go_to_definition', { file_path, line, column })).toEqual([places[0]]);
    }
    expect(
      await session.ask('inspect_symbol', { file_path, position_pattern: 'const @@afterEmoji' }),
    ).toContain('const afterEmoji: number');
    await world.end();
  });

  it('has its problems reported as the files are on disk at that moment', async () => {
    await using world = realWorld('', { fixture: 'typescript' });
    const session = await world.session();
    expect(await session.problems('src/broken.ts')).toEqual(['5 TS2322', '6 TS2339']);
    world.edit('src/broken.ts', 'const count: string', 'const count: number');
    world.edit('src/broken.ts', 'order.missingMethod(count)', 'count');
    expect(await session.problems('src/broken.ts')).toEqual([]);
    world.edit('src/broken.ts', 'return count;', 'return String(count);');
    expect(await session.problems('src/broken.ts')).toEqual(['6 TS2322']);

    // A file that is open in the server, but not the one that is asked about.
    expect(await session.problems('src/order.ts')).toEqual([]);
    expect(await session.problems('src/checkout.ts')).toEqual([]);
    world.edit('src/order.ts', 'addLine(product', 'appendLine(product');
    expect(await session.problems('src/checkout.ts')).toEqual(['16 TS2339']);
    await world.end();
  });

  it('is served by one server for all sessions, which stays when they leave and restarts for all', async () => {
    await using world = realWorld('', { fixture: 'typescript' });
    const { workspace } = world;
    const question = { symbol: 'linePrice', file_path: 'src/order.ts' };
    const first = await world.session();
    const answer = await first.places('find_references', question);
    const [shared] = await sharedServers(workspace);
    expect(shared).toMatchObject({ language: 'typescript', sessions: [expect.anything()] });

    const second = await world.session();
    expect(await second.places('find_references', question)).toEqual(answer);
    await first.frontEnd.close();
    expect(await second.places('find_references', question)).toEqual(answer);
    expect((await sharedServers(workspace)).map(({ server }) => server)).toEqual([shared?.server]);

    expect(await second.ask('restart_lsp_server')).toContain('restarted successfully (typescript)');
    const [restarted] = await sharedServers(workspace);
    expect(restarted?.pid).toBe(shared?.pid);
    expect(restarted?.server.pid).not.toBe(shared?.server.pid);
    expect(isAlive(shared?.server.pid ?? 0)).toBe(false);
    expect(await second.places('find_references', question)).toEqual(answer);
    await world.end();
  });
});
