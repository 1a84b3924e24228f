/** Searches by name in roots of several languages: each is asked, or named as not asked, and nothing is taken for a language that it is not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const CERTIFICATES = `
//- pyproject.toml
[project]
name = "shop"
version = "1"
//- Makefile
all: certs/server.pem certs/client.pem
certs/%.pem:
	openssl req -x509 -newkey rsa:2048 -nodes -keyout $@ -out $@ -subj /CN=$*
//- shop/__init__.py
//- shop/cart.py
class Cart:
    def total(self) -> int:
        return 1
//- tests/test_cart.py
from shop.cart import Cart


def test_total() -> None:
    assert Cart().total() == 1
`;

describe('a Python project with a Makefile for certificates', () => {
  let world: RealWorld;
  beforeAll(() => {
    world = realWorld(CERTIFICATES);
  });
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });

  it('is a project in Python alone, and searches in it are complete', async () => {
    const session = await world.session('--daemon', 'never');
    expect(await session.data('detect_lsp_servers')).toMatchObject({ workspace_languages: ['python'] });
    // Neither would be there if the answer did not claim to be complete.
    expect(await session.data('find_symbol', { symbol: 'Cart' })).toMatchObject([
      { name: 'Cart', kind: 'class', line: 1, column: 7 },
    ]);
    expect(await session.data('find_symbol', { symbol: 'server_pem' })).toEqual([]);
  });
});

const SEVERAL = `
//- pyproject.toml
[project]
name = "ledger"
version = "1"
//- ledger.py
class Ledger:
    pass
//- go.mod
module ledger

go 1.22
//- ledger.go
package ledger

type Ledger struct{}
//- web/ledger.ts
export class Ledger {}
//- native/ledger.cpp
class Ledger {};
//- native/compile_commands.json
[]
//- tools/ledger.rb
class Ledger
end
//- settings/ledger.yaml
Ledger: true
`;

describeWith(['gopls', 'clangd'], 'a root of several languages', () => {
  let world: RealWorld;
  beforeAll(() => {
    world = realWorld(SEVERAL);
    world.workspace.write(
      `${world.workspace.scratch}/config.json`,
      JSON.stringify({ servers: [{ language_id: 'ruby', command: ['no-such-server'] }] }),
    );
  });
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });
  const open = () => world.session('--daemon', 'never', '--config', `${world.workspace.scratch}/config.json`);

  const FILES = ['ledger.go', 'ledger.py', 'native/ledger.cpp', 'web/ledger.ts'];
  const filesOf = (data: unknown) =>
    (data as { file: string }[]).map(({ file }) => file.slice(world.workspace.root.length + 1)).sort();

  it('has an answer of each, and names the one whose server is missing only where that may have the name', async () => {
    const session = await open();
    const answer = await session.frontEnd.call('find_symbol', { symbol: 'Ledger' });
    expect(filesOf(answer.json)).toEqual(FILES);
    expect(answer.raw.structuredContent).toMatchObject({ complete: false });
    expect(JSON.stringify(answer.raw.structuredContent)).toMatch(
      /ruby was not searched: 1 file may have it, such as tools\/ledger\.rb; no server found/,
    );
    const nothing = await session.frontEnd.call('find_symbol', { symbol: 'noSuchName' });
    expect(nothing.json).toEqual([]);
    expect(JSON.stringify(nothing.raw.structuredContent)).not.toMatch(/ruby|yaml/);
  });

  it.each(FILES)('has the same answer when %s was asked about first', async (file) => {
    const session = await open();
    await session.ask('list_symbols', { file_path: file });
    const answer = await session.frontEnd.call('find_symbol', { symbol: 'Ledger' });
    expect(filesOf(answer.json)).toEqual(FILES);
  });
});
