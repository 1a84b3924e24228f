/** Callers, type hierarchies, highlights and names without a file: one session with the real server of each language. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arguments, type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

interface Item {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly container?: string;
  readonly call_sites?: readonly { readonly line: number; readonly column: number }[];
}

type Answered = Readonly<
  Record<'items' | 'incoming' | 'outgoing' | 'supertypes' | 'subtypes', readonly Item[]>
> & {
  readonly concurrent_callers?: readonly { readonly pattern: string; readonly line: number }[];
};

/** A session that all tests of a describe ask. */
function sharing(make: () => RealWorld, ready?: Arguments) {
  let world: RealWorld;
  let session: RealSession;
  beforeAll(async () => {
    world = make();
    session = await world.session();
    if (ready) await session.ask('start_lsp', { ...ready, ready_timeout_seconds: 45 });
  }, 120_000);
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });
  const answered = async (tool: string, args: Arguments) => (await session.data(tool, args)) as Answered;
  return {
    session: () => session,
    answered,
    /** `file:line:column name > call:site call:site`, files outside of the workspace left out. */
    async listed(side: keyof Answered, tool: string, args: Arguments): Promise<readonly string[]> {
      const items = (await answered(tool, args))[side] as readonly Item[];
      const { root } = world.workspace;
      return items
        .filter(({ file }) => file.startsWith(root))
        .map(({ file, line, column, name, call_sites }) => {
          const sites = call_sites?.map((site) => `${site.line}:${site.column}`).join(' ');
          return `${path.relative(root, file)}:${line}:${column} ${name}${sites ? ` > ${sites}` : ''}`;
        });
    },
  };
}

const TIMERS = `
//- src/timers.ts
import { grüße } from './unicode.ts';
export async function tick(): Promise<void> {}

export async function start(): Promise<void> {
	/* 🍵 茶 */ void tick(); grüße('世界');
  setTimeout(() => {
    tick();
  }, 10);
  setTimeout(tick, 10);
  await tick();
}
export class Timer {}
export class Slow extends Timer {}
export class Slower
  extends Slow {}
`;

describe('TypeScript 7', () => {
  const { answered, listed, session } = sharing(() => realWorld(TIMERS, { fixture: 'typescript' }));

  it('lists callers and callees, module code and tests among them', async () => {
    const total = { symbol: 'Order.total', file_path: 'src/order.ts' };
    expect(await listed('incoming', 'find_callers', total)).toEqual([
      'src/checkout.ts:14:17 checkout > 20:30',
      'tests/order.test.ts:1:1 order.test.ts > 8:21 12:66',
    ]);
    expect(await listed('outgoing', 'find_callers', total)).toEqual([
      'src/money.ts:11:17 money > 29:55',
      'src/pricing/discount.ts:6:3 apply > 30:12',
    ]);
    expect(await answered('callers', total)).not.toHaveProperty('outgoing');
    expect(await listed('incoming', 'callers', { symbol: 'grüße' })).toEqual([
      'src/timers.ts:4:23 start > 5:26',
      'src/unicode.ts:1:1 unicode.ts > 13:26',
    ]);
  });

  it('tells which calls run beside their caller', async () => {
    const { concurrent_callers } = await answered('callers', {
      file_path: 'src/timers.ts',
      symbol: 'tick',
      cross_concurrent: true,
    });
    expect(concurrent_callers?.map(({ pattern, line }) => `${line} ${pattern}`)).toEqual([
      '5 void (not awaited)',
      '7 setTimeout',
      '9 setTimeout',
    ]);
  });

  it('has supertypes and subtypes by what declarations name', async () => {
    const repository = { symbol: 'Repository', file_path: 'src/storage/repository.ts' };
    expect(await listed('subtypes', 'type_hierarchy', repository)).toEqual([
      'src/storage/counting-repository.ts:4:14 CountingRepository',
      'src/storage/memory-repository.ts:3:14 MemoryRepository',
    ]);
    const slow = { symbol: 'Slow', file_path: 'src/timers.ts' };
    expect(await listed('supertypes', 'type_hierarchy', slow)).toEqual(['src/timers.ts:12:14 Timer']);
    expect(await listed('subtypes', 'type_hierarchy', slow)).toEqual(['src/timers.ts:14:14 Slower']);
    const { supertypes } = await answered('type_hierarchy', { symbol: 'NotFoundError' });
    expect(supertypes.map(({ name, kind }) => `${kind} ${name}`)).toContain('interface Error');
    expect(await session().ask('type_hierarchy', repository)).not.toContain('MemoryRepository.find');
  });

  it('has highlights, and definitions by name path', async () => {
    expect(
      await session().data('get_document_highlights', { symbol: 'größe', file_path: 'src/unicode.ts' }),
    ).toEqual([
      { line: 5, column: 14, end_line: 5, end_column: 19, kind: 'write' },
      { line: 10, column: 33, end_line: 10, end_column: 38, kind: 'read' },
      { line: 13, column: 73, end_line: 13, end_column: 78, kind: 'read' },
    ]);
    expect(await session().places('go_to_symbol', { symbol_path: 'Order.total' })).toEqual([
      'src/order.ts:28:3',
    ]);
    expect(await session().places('go_to_symbol', { symbol_path: 'grüße' })).toEqual(['src/unicode.ts:9:17']);
    expect(await session().data('go_to_symbol', { symbol_path: 'Nobody.total' })).toEqual([]);
  });
});

describe('pyright', () => {
  const { answered, listed, session } = sharing(() => realWorld('', { fixture: 'python' }));

  it('lists callers and callees, module code and tests among them', async () => {
    const total = { symbol: 'Order.total', file_path: 'corner_shop/order.py' };
    expect(await listed('incoming', 'find_callers', total)).toEqual([
      'corner_shop/checkout.py:18:5 checkout > 23:31',
      'tests/test_order.py:7:5 test_an_order_sums_its_lines > 8:51',
      'tests/test_order.py:11:5 test_a_discount_lowers_the_total > 12:56',
    ]);
    expect(await listed('outgoing', 'find_callers', total)).toContain(
      'corner_shop/order.py:38:5 line_price > 30:29',
    );
    expect(
      await listed('incoming', 'callers', { symbol: 'grüße', file_path: 'corner_shop/unicode_names.py' }),
    ).toEqual(['corner_shop/unicode_names.py:1:1 unicode_names.py > 15:20']);
  });

  it('has supertypes and subtypes by what declarations name', async () => {
    const question = { symbol: 'Repository', file_path: 'corner_shop/storage/repository.py' };
    expect(await listed('subtypes', 'type_hierarchy', question)).toEqual([
      'corner_shop/storage/memory.py:8:7 MemoryRepository',
    ]);
    expect((await answered('type_hierarchy', question)).supertypes.map(({ name }) => name)).toEqual([
      'ABC',
      'Generic',
    ]);
  });

  it('has highlights, and definitions by name path', async () => {
    const highlights = await session().data('get_document_highlights', {
      symbol: 'größe',
      file_path: 'corner_shop/unicode_names.py',
    });
    expect(highlights).toMatchObject([
      { line: 6, column: 1, kind: 'write' },
      { line: 12, column: 34, kind: 'read' },
      { line: 15, column: 60, kind: 'read' },
    ]);
    expect(await session().places('go_to_symbol', { symbol_path: 'Order.total' })).toEqual([
      'corner_shop/order.py:26:9',
    ]);
  });
});

const WORKERS = `
//- work/work.go
package work

import "time"

func Run() {}

func Start() {
	go Run()
	go func() {
		_ = "茶 🍵"; Run()
	}()
	Run()
	time.AfterFunc(time.Second, Run)
}
`;

describeWith(['gopls', 'go'], 'gopls', () => {
  const { answered, listed, session } = sharing(() => realWorld(WORKERS, { fixture: 'go' }));

  it('lists callers and callees, and which calls run beside their caller', async () => {
    const take = { symbol: 'Shelf.Take', file_path: 'stock/shelf.go' };
    expect(await listed('incoming', 'find_callers', take)).toEqual([
      'main.go:18:6 sell > 19:18',
      'stock/shelf_test.go:5:6 TestTakenGoodsAreNoLongerAvailable > 8:18',
    ]);
    expect(await listed('outgoing', 'find_callers', take)).toEqual([
      'stock/shelf.go:16:17 Available > 21:20',
    ]);
    const { concurrent_callers } = await answered('callers', {
      file_path: 'work/work.go',
      symbol: 'Run',
      cross_concurrent: true,
    });
    expect(concurrent_callers?.map(({ pattern, line }) => `${line} ${pattern}`)).toEqual([
      '8 go statement',
      '10 go func',
      '13 time.AfterFunc',
    ]);
  });

  it('has its own type hierarchy, highlights, and definitions by name path', async () => {
    expect(
      await listed('subtypes', 'type_hierarchy', { symbol: 'Store', file_path: 'stock/store.go' }),
    ).toEqual(['stock/shelf.go:4:6 Shelf']);
    expect(
      await listed('supertypes', 'type_hierarchy', { symbol: 'Shelf', file_path: 'stock/shelf.go' }),
    ).toEqual(['stock/store.go:7:6 Store']);
    expect(
      await session().data('get_document_highlights', { file_path: 'work/work.go', line: 10, column: 15 }),
    ).toContainEqual(expect.objectContaining({ line: 10, column: 15, end_column: 18 }));
    expect(await session().places('go_to_symbol', { symbol_path: 'Shelf.Take' })).toEqual([
      'stock/shelf.go:20:17',
    ]);
  });
});

describeWith('clangd', 'clangd', () => {
  const { listed, session } = sharing(() => {
    const world = realWorld('', { fixture: 'cpp' });
    const commands = ['broken', 'main', 'store'].map((name) => ({
      directory: world.workspace.root,
      file: `src/${name}.cpp`,
      arguments: ['c++', '-std=c++17', '-Iinclude', '-c', `src/${name}.cpp`],
    }));
    world.workspace.write('compile_commands.json', JSON.stringify(commands));
    return world;
  });

  it('lists callers and callees', async () => {
    const available = { symbol: 'Shelf.available', file_path: 'src/store.cpp' };
    expect(await listed('incoming', 'find_callers', available)).toEqual(['src/store.cpp:12:13 take > 13:7']);
    const sell = { symbol: 'sell', file_path: 'src/main.cpp' };
    expect(await listed('incoming', 'callers', sell)).toEqual(['src/main.cpp:12:5 main > 15:31']);
  });

  it('has its own type hierarchy, highlights, and the definition rather than the declaration', async () => {
    const inHeader = { file_path: 'include/store.hpp' };
    expect(await listed('subtypes', 'type_hierarchy', { ...inHeader, symbol: 'Store' })).toEqual([
      'include/store.hpp:18:7 Shelf',
    ]);
    expect(await listed('supertypes', 'type_hierarchy', { ...inHeader, symbol: 'Shelf' })).toEqual([
      'include/store.hpp:9:7 Store',
    ]);
    expect(
      await session().data('get_document_highlights', { file_path: 'src/main.cpp', line: 13, column: 15 }),
    ).toMatchObject([{ line: 13 }, { line: 14 }, { line: 15, column: 36 }]);
    expect(await session().places('go_to_symbol', { symbol_path: 'Shelf.receive' })).toEqual([
      'src/store.cpp:5:13',
    ]);
  });
});

const CRATE = `
//- Cargo.toml
[package]
name = "cards"
version = "0.1.0"
edition = "2021"
//- src/main.rs
pub trait Show {
    fn show(&self) -> String;
}
pub trait ShowTwice: Show {}
pub struct Card;
impl Show for Card {
    fn show(&self) -> String {
        String::new()
    }
}
impl ShowTwice for Card {}
fn print(card: &Card) {
    let _ = "茶 🍵"; card.show();
}
fn main() {
    print(&Card);
    std::thread::spawn(|| print(&Card));
}
`;

describeWith('rust-analyzer', 'rust-analyzer', () => {
  const { answered, listed, session } = sharing(() => realWorld(CRATE), { language_id: 'rust' });

  it('lists callers and callees, and which calls run beside their caller', async () => {
    const print = { symbol: 'print', file_path: 'src/main.rs', cross_concurrent: true };
    expect(await listed('incoming', 'find_callers', print)).toEqual(['src/main.rs:15:4 main > 16:5 17:27']);
    expect(await listed('outgoing', 'find_callers', print)).toEqual(['src/main.rs:7:8 show > 13:26']);
    const { concurrent_callers } = await answered('callers', print);
    expect(concurrent_callers?.map(({ pattern, line }) => `${line} ${pattern}`)).toEqual([
      '17 std::thread::spawn',
    ]);
  }, 120_000);

  it('has supertypes and subtypes by impl blocks, highlights, and definitions by name path', async () => {
    const inMain = { file_path: 'src/main.rs' };
    expect(await listed('subtypes', 'type_hierarchy', { ...inMain, symbol: 'Show' })).toEqual([
      'src/main.rs:4:11 ShowTwice',
      'src/main.rs:5:12 Card',
    ]);
    expect(await listed('supertypes', 'type_hierarchy', { ...inMain, symbol: 'Card' })).toEqual([
      'src/main.rs:1:11 Show',
      'src/main.rs:4:11 ShowTwice',
    ]);
    expect(
      await session().data('get_document_highlights', { ...inMain, line: 13, column: 22 }),
    ).toMatchObject([{ line: 12 }, { line: 13, column: 21 }]);
    expect(await session().places('go_to_symbol', { symbol_path: 'Card.show' })).toEqual(['src/main.rs:7:8']);
  }, 120_000);
});
