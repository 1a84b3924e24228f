/** Workspaces of other languages with two members: one server searches both. */
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { occurrences, type RealWorld, realWorld, sharedServers } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import type { Workspace } from '../support/workspace.ts';

interface Asked {
  readonly world: RealWorld;
  readonly file: string;
  readonly symbol: string;
  readonly extension: string;
  /** A file of the other member. */
  readonly user: string;
}

/** Asked from one member and then from the other, so that a server per member would show. */
async function expectOneServer({ world, file, symbol, extension, user }: Asked): Promise<void> {
  const session = await world.session('--daemon', 'always');
  const question = { file_path: file, symbol, include_declaration: true };
  const truth = occurrences(world.workspace, symbol, extension);
  expect(await session.places('find_references', question)).toEqual(truth);
  expect(await session.places('find_references', question)).toEqual(truth);
  const [declared] = truth.filter((place) => place.startsWith(`${file}:`));
  const use = world.workspace
    .read(user)
    .split('\n')
    .findIndex((line) => line.includes(`${symbol}(`));
  const column = (world.workspace.read(user).split('\n')[use] ?? '').indexOf(`${symbol}(`) + 1;
  expect(await session.places('go_to_definition', { file_path: user, line: use + 1, column })).toEqual([
    declared,
  ]);
  expect(await sharedServers(world.workspace)).toHaveLength(1);
  await world.end();
}

describeWith(['gopls', 'go'], 'two modules of a go.work', () => {
  it('are searched by one gopls', async () => {
    await using world = realWorld(`
      //- go.work
      go 1.21

      use (
      	./core
      	./app
      )
      //- core/go.mod
      module example.com/core

      go 1.21
      //- core/core.go
      package core

      func NetPrice(amount int) int {
      	return amount - 1
      }
      //- app/go.mod
      module example.com/app

      go 1.21
      //- app/main.go
      package main

      import "example.com/core"

      func main() {
      	println(core.NetPrice(1), core.NetPrice(2))
      }
    `);
    await expectOneServer({
      world,
      file: 'core/core.go',
      symbol: 'NetPrice',
      extension: '.go',
      user: 'app/main.go',
    });
  });
});

describeWith(['rust-analyzer', 'cargo'], 'two members of a Cargo workspace', () => {
  it('are searched by one rust-analyzer', async () => {
    await using world = realWorld(`
      //- Cargo.toml
      [workspace]
      resolver = "2"
      members = ["core", "app"]
      //- core/Cargo.toml
      [package]
      name = "shop_core"
      version = "0.1.0"
      edition = "2021"
      //- core/src/lib.rs
      pub fn net_price(amount: i64) -> i64 {
          amount - 1
      }
      //- app/Cargo.toml
      [package]
      name = "app"
      version = "0.1.0"
      edition = "2021"

      [dependencies]
      shop_core = { path = "../core" }
      //- app/src/main.rs
      use shop_core::net_price;

      fn main() {
          println!("{}", net_price(1) + net_price(2));
      }
    `);
    await expectOneServer({
      world,
      file: 'core/src/lib.rs',
      symbol: 'net_price',
      extension: '.rs',
      user: 'app/src/main.rs',
    });
  });
});

describe('two members of a uv workspace', () => {
  it('are searched by one pyright', async () => {
    await using world = realWorld(`
      //- pyproject.toml
      [project]
      name = "shop"
      version = "0"

      [tool.uv.workspace]
      members = ["packages/*"]
      //- .venv/pyvenv.cfg
      home = /usr/bin
      //- packages/core/pyproject.toml
      [project]
      name = "shop-core"
      version = "0"
      //- packages/core/src/shop_core/__init__.py
      def net_price(amount: int) -> int:
          return amount - 1
      //- packages/app/pyproject.toml
      [project]
      name = "shop-app"
      version = "0"
      dependencies = ["shop-core"]
      //- packages/app/src/shop_app/__init__.py
      from shop_core import net_price

      total = net_price(1) + net_price(2)
    `);
    installMembers(world.workspace, 'packages/core/src', 'packages/app/src');
    await expectOneServer({
      world,
      file: 'packages/core/src/shop_core/__init__.py',
      symbol: 'net_price',
      extension: '.py',
      user: 'packages/app/src/shop_app/__init__.py',
    });
  });
});

/** What `uv sync` does: the interpreter of the environment finds the sources of all members. It needs no Python here. */
function installMembers(workspace: Workspace, ...sources: readonly string[]): void {
  const paths = { path: sources.map((each) => workspace.file(each)), prefix: workspace.file('.venv') };
  const script = `#!/bin/sh
case "$*" in
  *version_info*) echo '[3, 11, 7, "final", 0]' ;;
  *) echo '${JSON.stringify(paths)}' ;;
esac
`;
  chmodSync(workspace.write('.venv/bin/python', script), 0o755);
}
