/** Sessions that work in two folders, with real servers: one server for both where it takes folders, else one for each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesOfTest } from '../support/processes.ts';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const GO = `
//- go.mod
module example.com/lib

go 1.20
//- greet.go
package lib

// Greet greets.
func Greet() string { return "hello" }

var first = Greet()
//- ../app/go.mod
module example.com/app

go 1.20

require example.com/lib v0.0.0

replace example.com/lib => ../work
//- ../app/main.go
package main

import "example.com/lib"

func onlyInApp() string { return lib.Greet() }

func main() { println(onlyInApp()) }
`;

const PYTHON = `
//- shop/__init__.py

//- shop/money.py
def price() -> int:
    return 1

first = price()
//- ../app/pyrightconfig.json
{ "extraPaths": ["../work"] }
//- ../app/use.py
from shop.money import price

def only_in_app() -> None:
    print(price())
`;

const TYPESCRIPT = `
//- package.json
{ "name": "shop" }
//- tsconfig.json
{ "include": ["src"] }
//- src/money.ts
export function price(): number {
  return 1;
}
export const first = price();
//- ../app/package.json
{ "name": "app" }
//- ../app/tsconfig.json
{ "include": ["src"] }
//- ../app/src/use.ts
import { price } from '../../work/src/money';
export const onlyInApp: number = price();
`;

/** A session in `work` that has had a question about it before `app` was added. */
function twoFolders(text: string, first: { readonly file_path: string; readonly symbol: string }) {
  let world: RealWorld;
  let session: RealSession;
  let added: string;
  beforeAll(async () => {
    world = realWorld(text);
    session = await world.session();
    await session.places('find_references', first);
    added = await session.ask('add_workspace_folder', { path: '../app' });
  });
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });
  return {
    app: (name: string) => world.workspace.file(`../app/${name}`),
    edit: (...edit: Parameters<RealWorld['edit']>) => world.edit(...edit),
    places: (...call: Parameters<RealSession['places']>) => session.places(...call),
    problems: (file: string) => session.problems(file),
    data: (...call: Parameters<RealSession['data']>) => session.data(...call),
    ask: (...call: Parameters<RealSession['ask']>) => session.ask(...call),
    added: () => added,
    /** Without those that servers start themselves. */
    servers: (command: RegExp) => {
      const found = processesOfTest(world.workspace.testId).filter((each) => command.test(each.command));
      return found.filter(({ parent }) => !found.some(({ pid }) => pid === parent));
    },
  };
}

describeWith(['gopls', 'go'], 'Go in two folders', () => {
  const two = twoFolders(GO, { file_path: 'greet.go', symbol: 'Greet' });
  const use = () => ({ file_path: two.app('main.go'), position_pattern: 'lib.@@Greet' });

  it('is served by one gopls, which knows both', async () => {
    expect(two.added()).toContain('the go server may favour');
    expect(await two.places('go_to_definition', use())).toEqual(['greet.go:4:6']);
    expect(await two.places('find_references', use())).toEqual(['../app/main.go:5:38', 'greet.go:6:13']);
    expect(await two.data('find_symbol', { query: 'onlyInApp' })).toEqual([
      expect.objectContaining({ file: two.app('main.go'), line: 5, column: 6 }),
    ]);
    expect(two.servers(/\bgopls\b/)).toHaveLength(1);
  });

  it('is accounted for in the other folder, where gopls does not search it', async () => {
    expect(await two.places('find_references', { file_path: 'greet.go', symbol: 'Greet' })).toEqual([
      '../app/main.go:5:38',
      'greet.go:6:13',
    ]);
    expect(
      await two.places('find_references', { file_path: two.app('main.go'), symbol: 'onlyInApp' }),
    ).toEqual(['../app/main.go:7:23']);
  });

  it('follows edits in the added folder, and forgets the folder when it is removed', async () => {
    expect(await two.problems(two.app('main.go'))).toEqual([]);
    two.edit('greet.go', 'func Greet() string { return "hello" }', 'func Greet() int { return 1 }');
    expect(await two.problems(two.app('main.go'))).toEqual(['5 IncompatibleAssign']);
    await two.ask('remove_workspace_folder', { path: '../app' });
    expect(await two.data('find_symbol', { query: 'onlyInApp' })).toEqual([]);
  });
});

describe('Python in two folders', () => {
  const two = twoFolders(PYTHON, { file_path: 'shop/money.py', symbol: 'price' });
  const use = () => ({ file_path: two.app('use.py'), position_pattern: 'print(@@price' });

  it('is served by one pyright with the settings of each folder', async () => {
    expect(two.added()).toContain('the python server may favour');
    // Only the settings of this folder say where the module is.
    expect(await two.problems(two.app('use.py'))).toEqual([]);
    expect(await two.places('go_to_definition', use())).toEqual(['shop/money.py:1:5']);
    expect(await two.data('find_symbol', { query: 'only_in_app' })).toEqual([
      expect.objectContaining({ file: two.app('use.py'), line: 3, column: 5 }),
    ]);
    expect(two.servers(/pyright.*langserver|langserver.*stdio/)).toHaveLength(1);
  });

  it('is accounted for in either folder, where pyright does not search the other', async () => {
    const all = ['../app/use.py:1:24', '../app/use.py:4:11', 'shop/money.py:4:9'];
    const declared = { file_path: 'shop/money.py', symbol: 'price' };
    expect(await two.places('find_references', declared)).toEqual(all);
    expect(await two.places('find_references', use())).toEqual(all);
  });

  it('forgets the folder when it is removed', async () => {
    await two.ask('remove_workspace_folder', { path: '../app' });
    expect(await two.data('find_symbol', { query: 'only_in_app' })).toEqual([]);
    expect(await two.places('find_references', { file_path: 'shop/money.py', symbol: 'price' })).toEqual([
      'shop/money.py:4:9',
    ]);
  });
});

describe('TypeScript in two folders', () => {
  const two = twoFolders(TYPESCRIPT, { file_path: 'src/money.ts', symbol: 'price' });

  it('has a server for each, and finds uses across them', async () => {
    expect(two.added()).not.toContain('favour');
    const all = ['../app/src/use.ts:1:10', '../app/src/use.ts:2:34', 'src/money.ts:4:22'];
    expect(await two.places('find_references', { file_path: 'src/money.ts', symbol: 'price' })).toEqual(all);
    expect(
      await two.places('find_references', {
        file_path: two.app('src/use.ts'),
        position_pattern: '= @@price()',
      }),
    ).toEqual(all);
    expect(await two.data('find_symbol', { query: 'onlyInApp' })).toEqual([
      expect.objectContaining({ file: two.app('src/use.ts'), line: 2, column: 14 }),
    ]);
    expect(await two.problems(two.app('src/use.ts'))).toEqual([]);
  });
});
