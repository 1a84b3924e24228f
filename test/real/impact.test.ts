/** The reach of changes with real servers: one session per language, over a library and a repository that uses it. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

interface Caller {
  readonly name: string;
  readonly file: string;
}

interface Impact {
  readonly changed_symbols: readonly { readonly name: string; readonly risk?: string }[];
  readonly affected_symbols: readonly {
    readonly name: string;
    readonly test_callers: readonly Caller[];
    readonly non_test_callers: readonly Caller[];
    readonly own_file_callers: readonly Caller[];
    readonly type_query_count?: number;
    readonly sync_guarded?: boolean;
  }[];
  readonly test_files: readonly string[];
}

interface CrossRepo {
  readonly library_references: readonly Caller[];
  readonly consumer_references: readonly {
    readonly repo: string;
    readonly references: readonly { readonly file: string; readonly line: number; readonly column: number }[];
  }[];
  readonly warnings: readonly string[];
}

interface Case {
  readonly text: string;
  readonly lib: string;
  readonly changed: string;
  /** By symbol: callers, then tests. */
  readonly reach: Readonly<Record<string, readonly [readonly string[], readonly string[]]>>;
  readonly guarded: readonly string[];
  readonly edit: readonly [file: string, from: string, to: string];
  readonly risks: readonly string[];
  readonly shared: string;
  readonly uses: readonly string[];
  prepare?(world: RealWorld): void;
}

const typescript: Case = {
  lib: 'lib/src/shop.ts',
  changed: 'lib/src/shop.ts',
  text: `
    //- lib/package.json
    { "name": "shoplib", "version": "1.0.0", "type": "module", "exports": "./src/shop.ts" }
    //- lib/tsconfig.json
    { "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "allowImportingTsExtensions": true } }
    //- lib/src/shop.ts
    export function price(count: number): number {
      return round(count * 3);
    }
    function round(amount: number): number {
      return Math.round(amount);
    }
    export class Till {
      readonly #sales: number[] = [];
      take(count: number): void {
        this.#sales.push(price(count));
      }
      private forget(): void {}
    }
    const unused = 1;
    export { unused as spare };
    //- lib/src/deep/report.ts
    import { price, Till } from '../shop.ts';
    export function report(counts: readonly number[]): readonly number[] {
      return counts.map((count) => price(count));
    }
    export const till = new Till();
    //- lib/src/index.ts
    export { price } from './shop.ts';
    //- lib/test/shop.test.ts
    import { price, Till } from '../src/shop.ts';
    function it(name: string, run: () => void): void { run(); }
    it('asks for money', () => { price(1); });
    it('takes it', () => { new Till().take(price(2)); });
    //- app/package.json
    { "name": "app", "type": "module" }
    //- app/tsconfig.json
    { "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "allowImportingTsExtensions": true } }
    //- app/src/use.ts
    import { price } from 'shoplib';
    export const bill = price(4);
    //- app/src/more.ts
    import * as shop from 'shoplib';
    export const tip = shop.price(1);
    //- app/src/own.ts
    const price = 3;
    export const double = price * 2;
    `,
  reach: {
    price: [
      ['report', 'Till.take', 'lib/src/index.ts'],
      ["it('asks for money')", "it('takes it')"],
    ],
    Till: [['till'], ["it('takes it')"]],
    'Till.take': [[], ["it('takes it')"]],
    unused: [[], []],
  },
  guarded: [],
  edit: ['lib/src/shop.ts', 'Math.round(amount)', 'Math.floor(amount)'],
  risks: ['round medium'],
  shared: 'price',
  uses: ['app/src/more.ts:2:25', 'app/src/use.ts:1:10', 'app/src/use.ts:2:21'],
  prepare({ workspace }) {
    workspace.write('app/node_modules/.keep', '');
    symlinkSync(workspace.file('lib'), workspace.file('app/node_modules/shoplib'));
  },
};

const python: Case = {
  lib: 'lib/shoplib/shop.py',
  changed: 'lib/shoplib/shop.py',
  text: `
    //- lib/pyproject.toml
    [project]
    name = "shoplib"
    version = "1"
    //- lib/shoplib/__init__.py
    //- lib/shoplib/shop.py
    import threading


    def price(count: int) -> int:
        return _round(count * 3)


    def _round(amount: int) -> int:
        return amount


    class Till:
        def __init__(self) -> None:
            self._lock = threading.Lock()

        def take(self, count: int) -> int:
            return price(count)
    //- lib/shoplib/deep/__init__.py
    //- lib/shoplib/deep/report.py
    from shoplib.shop import Till, price


    def report(counts: list[int]) -> list[int]:
        return [price(count) for count in counts]


    till = Till()
    //- lib/tests/test_shop.py
    from shoplib.shop import Till, price


    def test_price() -> None:
        assert price(1) == 3


    def test_till() -> None:
        assert Till().take(2) == price(2)
    //- app/pyrightconfig.json
    { "extraPaths": ["../lib"] }
    //- app/use.py
    from shoplib.shop import price

    bill = price(4)
    //- app/more.py
    from shoplib import shop


    def tip() -> int:
        return shop.price(1)
    //- app/own.py
    price = 3
    print(price)
    `,
  reach: {
    price: [
      ['report', 'Till.take'],
      ['test_price', 'test_till'],
    ],
    Till: [['till'], ['test_till']],
    'Till.take': [[], ['test_till']],
  },
  guarded: ['Till', 'Till.take'],
  edit: ['lib/shoplib/shop.py', 'return amount', 'return amount + 0'],
  risks: ['_round medium'],
  shared: 'price',
  uses: ['app/more.py:5:17', 'app/use.py:1:26', 'app/use.py:3:8'],
};

const go: Case = {
  lib: 'lib/shop.go',
  changed: 'lib/shop.go',
  text: `
    //- lib/go.mod
    module example.com/lib

    go 1.21
    //- lib/shop.go
    package lib

    import "sync"

    func Price(count int) int {
    	return round(count * 3)
    }

    func round(amount int) int {
    	return amount
    }

    type Till struct {
    	lock  sync.Mutex
    	sales []int
    }

    func (till *Till) Take(count int) {
    	till.sales = append(till.sales, Price(count))
    }
    //- lib/deep/report.go
    package deep

    import "example.com/lib"

    func Report(count int) int {
    	var till lib.Till
    	till.Take(count)
    	return lib.Price(count)
    }
    //- lib/shop_test.go
    package lib

    import "testing"

    func TestPrice(t *testing.T) {
    	Price(1)
    }

    func TestTill(t *testing.T) {
    	var till Till
    	till.Take(Price(2))
    }
    //- app/go.mod
    module example.com/app

    go 1.21

    require example.com/lib v0.0.0

    replace example.com/lib => ../lib
    //- app/main.go
    package main

    import "example.com/lib"

    func main() {
    	println(lib.Price(4))
    }
    `,
  reach: {
    Price: [
      ['Report', 'Till.Take'],
      ['TestPrice', 'TestTill'],
    ],
    Till: [['Report'], ['TestTill']],
    'Till.Take': [['Report'], ['TestTill']],
  },
  guarded: ['Till', 'Till.Take'],
  edit: ['lib/shop.go', 'return amount', 'return amount + 0'],
  risks: ['round medium'],
  shared: 'Price',
  uses: ['app/main.go:6:14'],
};

function tests({ text, lib, changed, reach, guarded, edit, risks, shared, uses, prepare }: Case): void {
  let world: RealWorld;
  let session: RealSession;

  beforeAll(async () => {
    world = realWorld(text);
    prepare?.(world);
    session = await world.session('--daemon', 'never', '-r', '.', '-r', 'lib', '-r', 'app');
  });
  afterAll(async () => {
    await world?.end();
    await world?.[Symbol.asyncDispose]();
  });

  it('blast_radius names callers and credits each test to every symbol that it uses', async () => {
    // Go says INCOMPLETE here, because the module beside it uses the library and is a server's own.
    const { raw } = await session.frontEnd.call('blast_radius', { changed_files: [changed] });
    const { data } = raw.structuredContent as unknown as { data: Impact };
    const inLibrary = (callers: readonly Caller[]) =>
      callers.filter(({ file }) => file.startsWith(world.workspace.file('lib'))).map(({ name }) => name);
    const found = Object.fromEntries(
      data.affected_symbols.map(({ name, non_test_callers, own_file_callers, test_callers }) => [
        name,
        [
          [...inLibrary(non_test_callers), ...inLibrary(own_file_callers)].sort(),
          inLibrary(test_callers).sort(),
        ],
      ]),
    );
    const expected = Object.fromEntries(
      Object.entries(reach).map(([name, [callers, testCallers]]) => [
        name,
        [[...callers].sort(), [...testCallers].sort()],
      ]),
    );
    expect(found).toEqual(expected);
    const isGuarded = data.affected_symbols
      .filter(({ sync_guarded }) => sync_guarded)
      .map(({ name }) => name);
    expect(isGuarded.sort()).toEqual([...guarded].sort());
    expect(data.test_files).toHaveLength(1);
  });

  it('get_cross_repo_references finds the uses in another repository, and none of the same word', async () => {
    const data = (await session.data('get_cross_repo_references', {
      symbol_file: lib,
      symbol: shared,
      consumer_roots: ['app'],
    })) as CrossRepo;
    const [consumer] = data.consumer_references;
    const places = consumer?.references.map(
      ({ file, line, column }) => `${path.relative(world.workspace.root, file)}:${line}:${column}`,
    );
    expect(places).toEqual(uses);
    expect(data.library_references.length).toBeGreaterThan(2);
    expect(data.warnings).toEqual([]);
  });

  it('detect_changes counts only what git says was touched', async () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
        cwd: world.workspace.root,
        env: world.workspace.env(),
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    world.edit(...edit);
    const data = (await session.data('detect_changes')) as Impact;
    expect(data.changed_symbols.map(({ name, risk }) => `${name} ${risk}`)).toEqual(risks);
  });
}

describe('impact in TypeScript', () => tests(typescript));
describe('impact in Python with pyright', () => tests(python));
describeWith(['gopls', 'go'], 'impact in Go with gopls', () => tests(go));

const LOCALS = `
    //- tsconfig.json
    { "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "allowImportingTsExtensions": true } }
    //- package.json
    { "type": "module" }
    //- src/store.ts
    export const store = { get: () => 1 };
    export const kinds = ['a', 'b'] as const;
    export function price(count: number): number { return count; }
    export const own = price(1);
    //- src/types.ts
    import type { kinds, store } from './store.ts';
    export type Kind = (typeof kinds)[number];
    export type Key = keyof typeof store;
    //- src/use.ts
    import { price, store } from './store.ts';
    export type Got = ReturnType<typeof store.get>;
    export function isThere(): boolean { return typeof store === 'object'; }
    [1, 2].forEach((count) => {
      const local = price(count);
      const bag = { deep: price(local) };
      console.log(bag);
    });
    export const handler = { run: (): number => { const inner = price(3); return inner; } };
    `;

describe('callers in TypeScript', () => {
  it('are no local variables and no type queries, and those of the own file are apart', async () => {
    await using world = realWorld(LOCALS);
    const session = await world.session('--daemon', 'never');
    const data = (await session.data('blast_radius', { changed_files: ['src/store.ts'] })) as Impact;
    const named = (callers: readonly Caller[] = []) => callers.map(({ name }) => name).sort();
    const reach = data.affected_symbols.map(
      ({ name, non_test_callers, own_file_callers, type_query_count }) => [
        name,
        named(non_test_callers),
        named(own_file_callers),
        type_query_count ?? 0,
      ],
    );
    expect(reach.sort()).toEqual([
      ['kinds', [], [], 1],
      ['own', [], [], 0],
      ['price', ['handler.run', 'src/use.ts'], ['own'], 0],
      ['store', ['isThere'], [], 2],
    ]);
    await world.end();
  });
});

describe('changes in TypeScript', () => {
  it('on a line with several declarations are those of each of them', async () => {
    await using world = realWorld(`
      //- package.json
      { "type": "module" }
      //- src/a.ts
      export const left = 1, right = 1;
      export function one(): number { return 1; } export function two(): number { return 1; }
      export class Small { act(): number { return 1; } }
      export class Large {
        act(): number { return 1; }
        rest(): number { return 2; }
      }
      export const other = 2;
      `);
    const git = (...args: readonly string[]) =>
      execFileSync('git', args, { cwd: world.workspace.root, env: world.workspace.env() });
    git('init', '-q');
    git('add', '.');
    world.workspace.write('src/a.ts', world.workspace.read('src/a.ts').replaceAll('1;', '7;'));
    const session = await world.session('--daemon', 'never');
    const data = (await session.data('detect_changes')) as Impact;
    expect(data.changed_symbols.map(({ name }) => name).sort()).toEqual(
      ['left', 'right', 'one', 'two', 'Small', 'Small.act', 'Large.act'].sort(),
    );
    await world.end();
  });
});

const CPP = `
    //- src/shop.hpp
    #pragma once
    int price(int count);
    class Till {
     public:
      void take(int count);
     private:
      int sales_ = 0;
    };
    //- src/shop.cpp
    #include "shop.hpp"
    static int rounded(int amount) {
      return amount;
    }
    int price(int count) {
      return rounded(count * 3);
    }
    void Till::take(int count) {
      sales_ += price(count);
    }
    //- app/main.cpp
    #include "../src/shop.hpp"
    int main() {
      Till till;
      till.take(2);
      return price(4);
    }
    //- test/shop_test.cpp
    #include "../src/shop.hpp"
    void test_price() {
      price(1);
    }
    `;

describeWith('clangd', 'impact in C++ with clangd', () => {
  it('knows callers by declaration and definition, and uses in a part of the same project', async () => {
    await using world = realWorld(CPP);
    const directory = world.workspace.root;
    const sources = ['src/shop.cpp', 'app/main.cpp', 'test/shop_test.cpp'];
    const commands = sources.map((file) => ({ directory, file, command: `c++ -std=c++17 -c ${file}` }));
    world.workspace.write('compile_commands.json', JSON.stringify(commands));
    const session = await world.session('--daemon', 'never');
    for (const changed of ['src/shop.hpp', 'src/shop.cpp']) {
      const data = (await session.data('blast_radius', { changed_files: [changed] })) as Impact;
      const price = data.affected_symbols.find(({ name }) => name === 'price');
      const callers = [...(price?.non_test_callers ?? []), ...(price?.own_file_callers ?? [])];
      expect(callers.map(({ name }) => name).sort()).toEqual(['Till.take', 'main']);
      expect(price?.test_callers.map(({ name }) => name)).toEqual(['test_price']);
    }
    const uses = (await session.data('get_cross_repo_references', {
      symbol_file: 'src/shop.hpp',
      symbol: 'price',
      consumer_roots: ['app'],
    })) as CrossRepo;
    expect(uses.consumer_references[0]?.references).toMatchObject([{ line: 5, column: 10 }]);
    await world.end();
  });
});
