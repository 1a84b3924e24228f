/** What answers show of the sources: lines beside their own position, innermost containers, and one target for one symbol. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startFrontEnd } from '../support/mcp-client.ts';
import { type Arguments, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import type { Workspace } from '../support/workspace.ts';

type Ask = (tool: string, args: Arguments) => Promise<string>;

async function withSession(
  text: string,
  args: readonly string[],
  body: (ask: Ask, workspace: Workspace) => Promise<void>,
  prepare: (workspace: Workspace) => void = () => {},
): Promise<void> {
  await using world = realWorld(text);
  prepare(world.workspace);
  const { workspace } = world;
  await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never', ...args] });
  await body(async (tool, input) => (await frontEnd.call(tool, input)).text, workspace);
  await frontEnd.close();
  await world.end();
}

/** `34:11` to the text beside it; each must be a part of the line at that position. */
function shownBeside(answer: string, workspace: Workspace): ReadonlyMap<string, string> {
  const beside = new Map<string, string>();
  let file = '';
  for (const line of answer.split('\n')) {
    file = /^(\S+) \(\d+\)/.exec(line)?.[1] ?? file;
    const shown = /^ {2}(\d+:\d+(?:, \d+:\d+)*)(?: in \S+)? {2}(.+)$/.exec(line);
    for (const at of shown?.[1]?.split(', ') ?? []) {
      const source = workspace.read(file).split('\n')[Number(at.split(':')[0]) - 1] ?? '';
      const text = (shown?.[2] ?? '').replace(/^…|…$/g, '');
      expect(source.replace(/\s+/g, ' '), `${file}:${at}`).toContain(text);
      beside.set(`${file}:${at}`, shown?.[2] ?? '');
    }
  }
  return beside;
}

/** The container that an answer names for a position. */
function containerIn(answer: string, at: string): string | undefined {
  const beside = new RegExp(`^ {2}(?:.*, )?${at}(?:, [\\d:, ]+)? in (\\S+) `, 'm').exec(answer)?.[1];
  const behind = new RegExp(`(?:also|;|,) ${at}(?:, [\\d:]+)* ([^\\s;,]+)(?:;|$)`, 'm').exec(answer)?.[1];
  const folded = new RegExp(`more in (\\S+): .*\\b${at}\\b`).exec(answer)?.[1];
  return beside ?? behind ?? folded;
}

const TYPESCRIPT = `
//- package.json
{ "type": "module" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true } }
//- src/scope.ts
export class Scope {
  stop(): void;
  stop(now: boolean): void;
  stop(now?: boolean): void {
    const inner = () => { log(now); };
    inner();
  }
  get size(): number { return log(1); }
}
export function log(_: unknown): number { return 1; }
export interface Merged { a: number }
export interface Merged { b: number }
export interface Both { c: number }
export const Both = { c: 1 };
class Late { x = 1 }
export { Late };
//- src/index.ts
export { Scope } from './scope.ts';
import { Late, Merged, Scope } from './scope.ts';
export { Late, Merged };
export const scope = new Scope();
//- src/outer.ts
import { Both, Scope } from './scope.ts';
export function outer(scope: Scope, child: Scope) {
  const unmount = (each: Scope) => {
    each.stop();
  };
  function nested() {
    child.stop();
    [1].forEach(() => { scope.stop(); });
  }
  const value = scope.stop();
  const table = { run() { scope.stop(true); } };
  class Local { method() { scope.stop(); } }
  const all = [unmount, nested, value, table, Local, Both, scope.stop(), child.stop(), scope.size, child.size];
  return all;
}
export const typed: Both = { c: 1 };
//- src/use.test.ts
import { Scope } from './index.ts';
declare function describe(name: string, run: () => void): void;
declare function it(name: string, run: () => void): void;
describe('Scope', () => {
  const scope = new Scope();
  const child = scope;
  it('stops', () => {
    scope.stop();
  });
  it('stops another', () => {
    child.stop();
    scope.stop();
    child.stop();
    scope.stop();
  });
});
`;

const TYPESCRIPT_5 = path.resolve(import.meta.dirname, '../../node_modules/typescript5');

function ownTypeScript({ file }: Workspace): void {
  mkdirSync(file('node_modules'));
  symlinkSync(TYPESCRIPT_5, file('node_modules/typescript'));
}

const TYPESCRIPTS: readonly {
  readonly server: string;
  readonly args: readonly string[];
  readonly prepare: (workspace: Workspace) => void;
}[] = [
  { server: 'TypeScript 7', args: [], prepare: () => {} },
  { server: 'typescript-language-server', args: ['--typescript', 'own'], prepare: ownTypeScript },
];

describe.each(TYPESCRIPTS)('with $server', ({ args, prepare }) => {
  it('lines of source stand beside their own positions, with what the name is taken from', () =>
    withSession(
      TYPESCRIPT,
      args,
      async (ask, workspace) => {
        const stop = { symbol: 'stop#3', file_path: 'src/scope.ts', tests: 'show' };
        const answer = await ask('find_references', stop);
        expect(answer).toMatch(/^13 references to stop/);
        const beside = shownBeside(answer, workspace);
        expect(beside.get('src/use.test.ts:8:11')).toBe('scope.stop();');
        expect(beside.get('src/use.test.ts:12:11')).toBe('scope.stop();');
        expect(beside.get('src/use.test.ts:11:11') ?? 'child.stop();').toBe('child.stop();');
        const sizes = shownBeside(
          await ask('find_references', { symbol: 'size', file_path: 'src/scope.ts' }),
          workspace,
        );
        expect(sizes.get('src/outer.ts:13:94')).toContain('scope.size');
        expect(sizes.get('src/outer.ts:13:106')).toContain('child.size');
      },
      prepare,
    ));

  it('containers are the innermost functions with their class, in every call', () =>
    withSession(
      TYPESCRIPT,
      args,
      async (ask) => {
        const stop = { symbol: 'stop#3', file_path: 'src/scope.ts', tests: 'show' };
        const answer = await ask('find_references', stop);
        for (const [at, container] of [
          ['4:10', 'outer.unmount'],
          ['7:11', 'outer.nested'],
          ['8:31', 'outer.nested'],
          ['10:23', 'outer'],
          ['11:33', 'table.run'],
          ['12:34', 'Local.method'],
        ] as const)
          expect([at, containerIn(answer, at)]).toEqual([at, container]);
        expect(await ask('find_references', stop)).toBe(answer);
        const callers = await ask('find_callers', { symbol: 'stop#3', file_path: 'src/scope.ts' });
        for (const label of ['outer.unmount', 'outer.nested', 'table.run', 'Local.method'])
          expect(callers).toMatch(new RegExp(`^  \\w+ ${label.replace('.', '\\.')} \\d`, 'm'));
        const log = { symbol: 'log', file_path: 'src/scope.ts' };
        expect(await ask('find_references', log)).toContain('5:27 in Scope.stop.inner  ');
        expect(await ask('find_callers', log)).toMatch(/ Scope\.stop\.inner 5:11 calls at 5:27/);
      },
      prepare,
    ));

  it('overloads, merged declarations and re-exports are one target, a type is asked for with its value', () =>
    withSession(
      TYPESCRIPT,
      args,
      async (ask) => {
        const inScope = { file_path: 'src/scope.ts' };
        expect(await ask('find_references', { ...inScope, symbol: 'Scope.stop' })).toMatch(
          /^13 references to stop \(src\/scope\.ts:4:3\)/,
        );
        expect(await ask('go_to_symbol', { symbol_path: 'Scope.stop' })).toContain('src/scope.ts:4:3');
        expect(await ask('inspect_symbol', { symbol: 'Merged' })).toContain('src/scope.ts:11:18');
        expect(await ask('inspect_symbol', { ...inScope, symbol: 'Late' })).toContain('src/scope.ts:15:7');
        for (const symbol of ['Scope', 'Late', 'Merged'])
          expect(await ask('find_references', { file_path: 'src/index.ts', symbol })).toMatch(
            new RegExp(`^\\d+ references? to ${symbol} `),
          );
        // Each of them has uses that the other has not.
        const both = { ...inScope, symbol: 'Both' };
        const uses = await ask('find_references', both);
        expect(uses).toMatch(/^3 references to Both \(src\/scope\.ts:13:18, 14:14\) .*; 5 of 5 .*complete/);
        expect(await ask('rename_symbol', { ...both, new_name: 'Pair', dry_run: false })).toMatch(
          /would change 5 places in 2 files[\s\S]*it renames all 2 of Both/,
        );
        expect(await ask('prepare_rename', both)).toContain(
          'Both (src/scope.ts:13:18-22, 14:14-18) can be renamed, all together',
        );
        const explored = await ask('explore_symbol', both);
        expect(explored).toMatch(/\nalso const Both\b.* {3}src\/scope\.ts:14:14\n/);
        expect(explored).toMatch(/\nreferences: 3\b/);
        expect(await ask('safe_delete_symbol', both)).toMatch(/^Both is used in 3 places/);
        expect(await ask('inspect_symbol', both)).toMatch(/^AMBIGUOUS: 2 places fit Both in src\/scope\.ts/);
      },
      prepare,
    ));
});

const PYTHON = `
//- shop/__init__.py
from .shelf import Shelf as Shelf, price as price
//- shop/shelf.py
from typing import Union, overload


class Shelf:
    @overload
    def take(self, what: int) -> int: ...
    @overload
    def take(self, what: str) -> str: ...
    def take(self, what: Union[int, str]) -> Union[int, str]:
        def inner() -> int:
            return price(what)
        inner()
        return what

    @property
    def size(self) -> int:
        return price(1)

    @size.setter
    def size(self, value: int) -> None:
        price(value)


def price(_: object) -> int:
    return 1
//- shop/spare.py
import sys

if sys.platform.startswith("win"):
    LIMIT = 1

    def spare() -> int:
        return 1

else:
    LIMIT = 2

    def spare() -> int:
        return LIMIT
//- shop/till.py
from . import Shelf


def fill(shelf: Shelf, spare: Shelf) -> None:
    def nested() -> None:
        shelf.take(1)
        spare.take(1)
    nested()


class Till:
    def run(self, shelf: Shelf) -> None:
        shelf.take("a")


def keep(work):
    return work


def close() -> None:
    class Night:
        @keep
        def guard(self) -> None: ...
`;

describe('with pyright', () => {
  it('containers have their class, also in functions that pyright does not list', () =>
    withSession(PYTHON, [], async (ask, workspace) => {
      const price = { symbol: 'price', file_path: 'shop/shelf.py' };
      const uses = await ask('find_references', price);
      expect(uses).toContain('11:20 in Shelf.take.inner  return price(what)');
      expect(uses).toContain('17:16 in Shelf.size  return price(1)');
      expect(uses).toContain('21:9 in Shelf.size  price(value)');
      shownBeside(uses, workspace);
      const callers = await ask('find_callers', price);
      expect(callers).toMatch(/ Shelf\.take\.inner 10:13 calls at 11:20/);
      expect(callers).toMatch(/ Shelf\.size 16:9 calls at 17:16/);
      const taken = await ask('find_references', { symbol: 'take', file_path: 'shop/shelf.py' });
      expect(taken).toContain('6:15 in fill.nested  shelf.take(1)');
      expect(taken).toContain('7:15 in fill.nested  spare.take(1)');
      expect(taken).toContain('13:15 in Till.run  shelf.take("a")');
      // What decorates a method is called where its class is declared.
      const keep = { symbol: 'keep', file_path: 'shop/till.py' };
      expect(await ask('find_references', keep)).toContain('22:10 in close.Night  @keep');
      expect(await ask('find_callers', keep)).toContain(' close 20:5 calls at 22:10');
    }));

  it('overloads and a class with its re-exports are one target', () =>
    withSession(PYTHON, [], async (ask) => {
      for (const [symbol, at] of [
        ['take', 'shop/shelf.py:9:9'],
        ['Shelf.take', 'shop/shelf.py:9:9'],
        ['Shelf', 'shop/shelf.py:4:7'],
        ['price', 'shop/shelf.py:24:5'],
      ] as const) {
        expect(await ask('inspect_symbol', { symbol })).toContain(at);
        expect(await ask('go_to_symbol', { symbol_path: symbol })).toContain(at);
      }
    }));

  it('what is declared on two branches is deleted on both, and shown first', () =>
    withSession(PYTHON, [], async (ask, workspace) => {
      const spare = { symbol: 'spare', file_path: 'shop/spare.py' };
      const shown = await ask('safe_delete_symbol', spare);
      expect(shown).toContain('it deletes all 2 of spare: 6:9, 12:9');
      const [id] = /(?<=edit_id[":= ]+)[\w-]+/.exec(shown) ?? [];
      await ask('apply_edit', { edit_id: id });
      expect(workspace.read('shop/spare.py')).toBe(
        'import sys\n\nif sys.platform.startswith("win"):\n    LIMIT = 1\n\nelse:\n    LIMIT = 2\n',
      );
    }));
});

describeWith('gopls', 'with gopls', () => {
  it('containers are methods with their type', () =>
    withSession(
      `
      //- go.mod
      module shop

      go 1.20
      //- shop.go
      package shop

      type Shelf struct{}

      func price() int { return 1 }

      func (s *Shelf) Take() int {
      	inner := func() int { return price() }
      	return inner()
      }
      `,
      [],
      async (ask) => {
        const uses = await ask('find_references', { symbol: 'price', file_path: 'shop.go' });
        expect(uses).toContain(' in Shelf.Take  inner := func() int { return price() }');
      },
    ));
});

describeWith('clangd', 'with clangd', () => {
  it('containers are methods with their class, inside of it and apart from it', () =>
    withSession(
      `
      //- compile_flags.txt
      -std=c++17
      //- shop.cpp
      int price() { return 1; }
      struct Shelf {
        int take() { return price(); }
        int put();
      };
      int Shelf::put() {
        return price() + 1;
      }
      `,
      [],
      async (ask) => {
        const uses = await ask('find_references', { symbol: 'price', file_path: 'shop.cpp' });
        expect(uses).toContain(' in Shelf.take  int take() { return price(); }');
        expect(uses).toContain(' in Shelf.put  return price() + 1;');
      },
    ));
});
