/** A project with a TypeScript 5 of its own gets the server that runs the project's compiler. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { occurrences, type RealWorld, realWorld } from '../support/real-session.ts';

const TYPESCRIPT_5 = path.resolve(import.meta.dirname, '../../node_modules/typescript5');

function worldWithTypeScript5(): RealWorld {
  const world = realWorld('', { fixture: 'typescript' });
  mkdirSync(world.workspace.file('node_modules'));
  symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
  return world;
}

describe('TypeScript with a compiler of the project', () => {
  it('is navigated, searched and outlined by typescript-language-server', async () => {
    await using world = worldWithTypeScript5();
    const { workspace } = world;
    const session = await world.session('--typescript', 'own');
    const inCheckout = { file_path: 'src/checkout.ts' };

    expect(
      await session.places('go_to_definition', { ...inCheckout, position_pattern: 'new @@Order(' }),
    ).toContain('src/order.ts:13:14');
    expect(await session.data('get_server_capabilities')).toMatchObject({
      server_name: 'typescript-language-server',
      fallback_tools: ['go_to_declaration', 'type_hierarchy'],
      unsupported_tools: [],
    });
    expect(
      await session.places('go_to_type_definition', { ...inCheckout, position_pattern: '@@order.place' }),
    ).toEqual(['src/order.ts:13:14']);
    expect(
      await session.places('go_to_implementation', {
        symbol: 'Discount',
        file_path: 'src/pricing/discount.ts',
      }),
    ).toEqual(['src/pricing/discount.ts:9:14', 'src/pricing/discount.ts:23:14']);
    expect(
      await session.places('find_references', { symbol: 'Product', file_path: 'src/product.ts' }),
    ).toEqual(occurrences(workspace, 'Product', '.ts').filter((place) => place !== 'src/product.ts:3:18'));
    expect(
      await session.places('find_references', { symbol: '商品名', file_path: 'src/unicode.ts' }),
    ).toEqual(occurrences(workspace, '商品名', '.ts').slice(1));
    expect(
      await session.ask('inspect_symbol', { symbol: 'Order.total', file_path: 'src/order.ts' }),
    ).toContain('Order.total(): Money');
    expect(await session.outline('src/order.ts')).toEqual(
      expect.arrayContaining(['Order.addLine', 'OrderLine.quantity', 'linePrice']),
    );
    expect(await session.data('find_symbol', { query: 'Inventory' })).toContainEqual(
      expect.objectContaining({ name: 'Inventory', file: workspace.file('src/inventory.ts'), line: 15 }),
    );
    await world.end();
  });

  it('has its problems reported after every edit, and again after a restart', async () => {
    await using world = worldWithTypeScript5();
    const session = await world.session('--daemon', 'never');
    expect(await session.problems('src/broken.ts')).toEqual(['5 TS2322', '6 TS2339']);
    world.edit('src/broken.ts', 'const count: string', 'const count: number');
    world.edit('src/broken.ts', 'order.missingMethod(count)', 'count');
    expect(await session.problems('src/broken.ts')).toEqual([]);
    expect(await session.ask('restart_lsp_server')).toContain('restarted successfully (typescript)');
    world.edit('src/broken.ts', 'return count;', 'return String(count);');
    expect(await session.problems('src/broken.ts')).toEqual(['6 TS2322']);
    await world.end();
  });
});
