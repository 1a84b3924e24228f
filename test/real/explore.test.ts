/** Sources, documentation, exploration and editing contexts from real servers; one session for each language. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arguments, type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import type { WorkspaceOptions } from '../support/workspace.ts';

interface Source {
  readonly symbol_name: string;
  readonly symbol_kind: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly source: string;
}

/** A world and a session that all tests of a describe share. */
function shared(text: string, options?: WorkspaceOptions) {
  let world: RealWorld | undefined;
  let session: RealSession | undefined;
  beforeAll(async () => {
    world = realWorld(text, options);
    session = await world.session();
  });
  afterAll(async () => {
    await world?.end();
    await world?.[Symbol.asyncDispose]();
  });
  const there = () => {
    if (!session || !world) throw new Error('the session was not started');
    return { session, workspace: world.workspace };
  };
  return {
    there,
    data: (tool: string, args: Arguments) => there().session.data(tool, args),
    async source(args: Arguments): Promise<string> {
      const { raw } = await there().session.frontEnd.call('get_symbol_source', args);
      const { data } = raw.structuredContent as { data: { symbols: readonly Source[] } };
      const [first] = data.symbols;
      return `${first?.symbol_kind} ${first?.symbol_name} ${first?.start_line}-${first?.end_line}\n${first?.source}`;
    },
    async callersIn(file_path: string): Promise<Readonly<Record<string, readonly number[]>>> {
      const { raw } = await there().session.frontEnd.call('get_editing_context', { file_path });
      const { data } = raw.structuredContent as { data: { symbols: readonly EditingSymbol[] } };
      return Object.fromEntries(
        data.symbols.flatMap(({ name, callers }) =>
          callers ? [[name, [callers.non_test_callers.count, callers.test_callers.count]]] : [],
        ),
      );
    },
  };
}

interface EditingSymbol {
  readonly name: string;
  readonly callers?: {
    readonly non_test_callers: { readonly count: number };
    readonly test_callers: { readonly count: number };
  };
}

describe('exploring TypeScript', () => {
  const world = shared(
    '//- src/odd.ts\n// Prüft 数 🎉.\nexport const afterEmoji = "🎉"; export function behind() { return afterEmoji; }\n',
    { fixture: 'typescript' },
  );

  it('lists declarations only', async () => {
    expect(await world.there().session.outline('src/order.ts')).toEqual([
      'OrderLine',
      'OrderLine.product',
      'OrderLine.quantity',
      'OrderState',
      'Order',
      'Order.lines',
      'Order.state',
      'Order.#discount',
      'Order.constructor',
      'Order.addLine',
      'Order.total',
      'Order.place',
      'Order.cancel',
      'linePrice',
    ]);
  });

  it('shows sources with their comments, also of what is only imported', async () => {
    const total =
      'method Order.total 27-31\n  /** The sum of all lines after the discount. */\n  total(): Money {\n    const sum = this.lines.map(linePrice).reduce(add, money(0));\n    return this.#discount.apply(sum);\n  }';
    expect(await world.source({ file_path: 'src/order.ts', symbol: 'Order.total' })).toBe(total);
    expect(await world.source({ file_path: 'src/order.ts', position_pattern: 'reduce(@@add' })).toBe(total);
    expect(await world.source({ file_path: 'src/checkout.ts', symbol: 'Order' })).toMatch(
      /^class Order 13-41\nexport class Order \{/,
    );
    expect(await world.source({ file_path: 'src/odd.ts', symbol: 'behind' })).toBe(
      'function behind 1-2\n// Prüft 数 🎉.\nexport const afterEmoji = "🎉"; export function behind() { return afterEmoji; }',
    );
  });

  it('knows the documentation', async () => {
    expect(
      await world.data('get_symbol_documentation', { file_path: 'src/order.ts', symbol: 'Order.total' }),
    ).toMatchObject({
      source: 'server',
      doc: 'The sum of all lines after the discount.',
      line: 28,
      column: 3,
    });
    expect(
      await world.data('get_symbol_documentation', { file_path: 'src/order.ts', symbol: 'linePrice' }),
    ).toMatchObject({
      source: 'none',
      signature: expect.stringContaining('linePrice(line: OrderLine): Money'),
    });
  });

  it('explores a method and an interface', async () => {
    const { workspace } = world.there();
    expect(
      await world.data('explore_symbol', { file_path: 'src/order.ts', symbol: 'Order.total' }),
    ).toMatchObject({
      callers: [
        { name: 'checkout', file: workspace.file('src/checkout.ts'), line: 14, column: 17 },
        { file: workspace.file('tests/order.test.ts') },
      ],
      callers_count: 2,
      test_callers_count: 1,
      references: { count: 3, test_count: 2 },
    });
    expect(await world.data('explore', { symbol: 'Repository' })).toMatchObject({
      source: { symbol_name: 'Repository', start_line: 1, end_line: 7 },
      implementations_count: 2,
      references: { count: 10 },
    });
  });

  it('shows what depends on a file', async () => {
    expect(await world.callersIn('src/order.ts')).toMatchObject({
      Order: [3, 2],
      'Order.total': [1, 1],
      'Order.cancel': [0, 0],
      linePrice: [2, 0],
    });
    const first = (await world.data('get_editing_context', { file_path: 'src/order.ts' })) as {
      etag: string;
    };
    expect(
      await world.data('get_editing_context', { file_path: 'src/order.ts', if_none_match: first.etag }),
    ).toMatchObject({ status: 'not_modified' });
  });
});

describe('exploring Python', () => {
  const world = shared('', { fixture: 'python' });

  it('shows sources with decorators, and docstrings', async () => {
    expect(await world.source({ file_path: 'corner_shop/order.py', symbol: 'OrderLine' })).toBe(
      'class OrderLine 11-14\n@dataclass(frozen=True)\nclass OrderLine:\n    product: Product\n    quantity: int',
    );
    expect(
      await world.data('get_symbol_documentation', {
        file_path: 'corner_shop/order.py',
        symbol: 'Order.total',
      }),
    ).toMatchObject({ source: 'server', doc: 'The sum of all lines after the discount.' });
  });

  it('lists no locals, explores a method and shows what depends on a file', async () => {
    expect(await world.there().session.outline('corner_shop/order.py')).not.toContain('Order.total.line');
    expect(
      await world.data('explore_symbol', { file_path: 'corner_shop/inventory.py', symbol: 'Inventory.take' }),
    ).toMatchObject({
      callers: [{ name: 'Order.place' }, {}].map(() => expect.anything()),
      callers_count: 2,
      test_callers_count: 1,
      references: { count: 2, test_count: 1 },
    });
    expect(await world.callersIn('corner_shop/inventory.py')).toMatchObject({ 'Inventory.take': [1, 1] });
  });
});

describeWith(['gopls', 'go'], 'exploring Go', () => {
  const world = shared('', { fixture: 'go' });

  it('takes documentation from go doc, also of the standard library', async () => {
    expect(
      await world.data('get_symbol_documentation', { file_path: 'stock/shelf.go', symbol: 'Shelf' }),
    ).toMatchObject({ source: 'toolchain', doc: 'Shelf is a Store in memory.' });
    expect(
      await world.data('get_symbol_documentation', { file_path: 'main.go', position_pattern: 'fmt.@@Print' }),
    ).toMatchObject({ source: 'toolchain', doc: expect.stringContaining('formats') });
    expect(
      await world.data('get_symbol_documentation', { symbol: 'strings.Cut', language_id: 'go' }),
    ).toMatchObject({ source: 'toolchain', signature: expect.stringMatching(/^func Cut\(s, sep string\)/) });
    expect(
      await world.data('get_symbol_documentation', { file_path: 'stock/shelf.go', symbol: 'Shelf.Take' }),
    ).toMatchObject({ source: 'none', signature: 'func (s *Shelf) Take(name string, quantity int) error' });
  });

  it('shows sources, explores a method and shows what depends on a file', async () => {
    expect(await world.source({ file_path: 'pricing/discount.go', symbol: 'Percentage' })).toBe(
      'struct Percentage 9-10\n// Percentage takes off a part.\ntype Percentage struct{ Percent int }',
    );
    expect(
      await world.data('explore_symbol', { file_path: 'stock/shelf.go', symbol: 'Shelf.Take' }),
    ).toMatchObject({ callers_count: 2, test_callers_count: 1, references: { count: 2, test_count: 1 } });
    expect(await world.callersIn('stock/shelf.go')).toMatchObject({ 'Shelf.Take': [1, 1], NewShelf: [1, 1] });
  });
});

describeWith('clangd', 'exploring C++', () => {
  const world = shared('', { fixture: 'cpp' });

  it('shows sources and documentation of headers', async () => {
    expect(await world.source({ file_path: 'include/pricing.hpp', symbol: 'total' })).toMatch(
      /^function shop\.total 5-8\n\/\/\/ The price of several pieces, in cents\.\ntemplate /,
    );
    expect(
      await world.data('get_symbol_documentation', { file_path: 'include/store.hpp', symbol: 'Store.take' }),
    ).toMatchObject({ doc: 'Takes goods away; false if there are not enough, and then nothing is taken.' });
    const text = await world
      .there()
      .session.ask('explore_symbol', { file_path: 'src/main.cpp', symbol: 'sell' });
    expect(text).toContain('"callers_count":1');
  });
});

describeWith('rust-analyzer', 'exploring Rust', () => {
  const world = shared(`
//- Cargo.toml
[package]
name = "corner_shop"
version = "0.1.0"
edition = "2021"
//- src/main.rs
mod stock;

fn main() {
    stock::Shelf::default().receive("tea 🍵", 1);
}
//- src/stock.rs
use std::collections::HashMap;

/// A store in memory.
#[derive(Default)]
pub struct Shelf {
    items: HashMap<String, u32>,
}

impl Shelf {
    /// Puts goods on it.
    pub fn receive(&mut self, name: &str, quantity: u32) {
        *self.items.entry(name.to_string()).or_default() += quantity;
    }
}
`);

  it('shows sources with attributes, documentation and what depends on a file', async () => {
    expect(await world.source({ file_path: 'src/stock.rs', position_pattern: 'struct @@Shelf' })).toBe(
      'struct Shelf 3-7\n/// A store in memory.\n#[derive(Default)]\npub struct Shelf {\n    items: HashMap<String, u32>,\n}',
    );
    expect(
      await world.data('get_symbol_documentation', { file_path: 'src/stock.rs', symbol: 'Shelf.receive' }),
    ).toMatchObject({
      source: 'server',
      signature: expect.stringMatching(/^pub fn receive\(&mut self/),
      doc: 'Puts goods on it.',
    });
    expect(await world.callersIn('src/stock.rs')).toMatchObject({ 'Shelf.receive': [1, 0] });
  });
});
