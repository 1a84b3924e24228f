/** A rename has the places that the references have: through re-exports, in stubs, and in files of no project. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TYPESCRIPT_5 } from '../support/monorepo.ts';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';

const REEXPORTS = `
//- package.json
{ "name": "reexports", "private": true }
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
//- src/a.ts
export function stop(): void {}
//- src/index.ts
export { stop } from './a';
//- src/renamed.ts
export { stop as halt } from './index';
//- src/use.ts
import * as all from './index';
import { stop } from './index';
import { halt } from './renamed';
stop();
all.stop();
halt();
export const handlers = { stop };
export { stop };
//- src/further.ts
import { stop } from './use';
stop();
`;

const PYTHON = `
//- pyrightconfig.json
{ "include": ["app"] }
//- app/__init__.py
//- app/scope.py
class Scope:
    pass


def make_scope():
    return Scope()
//- app/scope.pyi
class Scope: ...

def make_scope() -> Scope: ...
//- tools/build.py
from app.scope import Scope, make_scope

make_scope()
Scope()
//- README.md
Call \`make_scope()\` first, and nothing that make_scopes would.
`;

interface Edited {
  readonly files: readonly { readonly file: string; readonly edits: number }[];
}

async function preview(session: RealSession, args: Readonly<Record<string, unknown>>): Promise<Edited> {
  return (await session.data('rename_symbol', { ...args, dry_run: true, trial_ms: 30_000 })) as Edited;
}

function placesIn(world: RealWorld, { files }: Edited): Readonly<Record<string, number>> {
  const entries = files.map(({ file, edits }) => [file.slice(world.workspace.root.length + 1), edits]);
  return Object.fromEntries(entries.sort());
}

describe.each(['7', 'own'])('a re-exported name, --typescript %s', (typescript) => {
  it('is renamed wherever it goes, and from wherever it is asked', async () => {
    const world = realWorld(REEXPORTS);
    await using _ = world;
    mkdirSync(world.workspace.file('node_modules'));
    symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
    const session = await world.session('--typescript', typescript);
    const declared = { file_path: 'src/a.ts', symbol: 'stop', new_name: 'end' };
    const everywhere = {
      'src/a.ts': 1,
      'src/further.ts': 2,
      'src/index.ts': 1,
      'src/renamed.ts': 1,
      'src/use.ts': 5,
    };
    expect(placesIn(world, await preview(session, declared))).toEqual(everywhere);
    const used = { file_path: 'src/use.ts', line: 4, column: 1, new_name: 'end' };
    expect(placesIn(world, await preview(session, used))).toEqual(everywhere);
    const here = await preview(session, { ...used, through_exports: false });
    expect(Object.keys(placesIn(world, here))).toEqual(['src/use.ts']);
    await session.data('rename_symbol', { ...declared, trial_ms: 30_000 });
    expect(world.workspace.read('src/index.ts')).toBe("export { end } from './a';\n");
    expect(world.workspace.read('src/renamed.ts')).toBe("export { end as halt } from './index';\n");
    expect(world.workspace.read('src/use.ts')).toContain(
      'export const handlers = { stop: end };\nexport { end };',
    );
    expect(await session.problems('src/use.ts')).toEqual([]);
    expect(await session.problems('src/further.ts')).toEqual([]);
    await world.end();
  });
});

const REQUIRED = `
//- package.json
{ "name": "required", "private": true }
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
//- src/scope.ts
export class Scope {
  stop(): void {}
}
//- src/use.ts
import { Scope } from './scope';
const { stop } = new Scope();
stop();
//- scripts/plain.js
const { Scope } = require('../src/scope');
new Scope().stop();
`;

describe.each(['7', 'own'])('a use that no list of the server has, --typescript %s', (typescript) => {
  it('is renamed or named, and has a name of its own where it takes one', async () => {
    const world = realWorld(REQUIRED);
    await using _ = world;
    mkdirSync(world.workspace.file('node_modules'));
    symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
    const session = await world.session('--typescript', typescript);
    const named = { file_path: 'src/scope.ts', symbol: 'Scope', new_name: 'Area', dry_run: true };
    const answer = await session.ask('rename_symbol', named);
    const [left, renamed] = [
      'shown first: it leaves 2 references as they were, such as scripts/plain.js:1:9',
      "+const { Area } = require('../src/scope');\\n+new Area()",
    ];
    // Asked there, TypeScript 7 renames the local name alone.
    expect(answer).toContain(typescript === '7' ? left : renamed);
    expect(answer).not.toContain(typescript === '7' ? renamed : left);
    const member = { file_path: 'src/scope.ts', symbol: 'Scope.stop', new_name: 'halt', dry_run: true };
    expect(await session.ask('rename_symbol', member)).not.toContain('it leaves');
    await world.end();
  });
});

it('renames such uses in as many files as have them, each of which the server has to be asked about', async () => {
  const world = realWorld(REQUIRED);
  await using _ = world;
  mkdirSync(world.workspace.file('node_modules'));
  symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
  const script = "const { Scope } = require('../src/scope');\nnew Scope().stop();\n";
  for (let index = 0; index < 10; index++) world.workspace.write(`scripts/more${index}.js`, script);
  const session = await world.session('--typescript', 'own');
  const named = { file_path: 'src/scope.ts', symbol: 'Scope', new_name: 'Area', dry_run: true };
  expect(await session.ask('rename_symbol', named)).not.toContain('it leaves');
  await world.end();
});

describe('a name of an installed package', () => {
  it('is renamed where it is imported, and the package stays as it is', async () => {
    const world = realWorld(`
//- package.json
{ "name": "imports", "private": true }
//- tsconfig.json
{ "compilerOptions": { "module": "preserve", "strict": true }, "include": ["src"] }
//- node_modules/lib/package.json
{ "name": "lib", "version": "1.0.0", "types": "index.d.ts" }
//- node_modules/lib/index.d.ts
export declare function stop(): void;
//- src/use.ts
import { stop } from 'lib';
stop();
`);
    await using _ = world;
    const session = await world.session();
    const text = await session.ask('rename_symbol', {
      file_path: 'src/use.ts',
      line: 2,
      column: 1,
      new_name: 'end',
      dry_run: true,
      trial_ms: 30_000,
    });
    expect(text).toContain("+import { stop as end } from 'lib';");
    expect(text).not.toContain('node_modules');
    await world.end();
  });
});

describe('a Python name outside of what pyright includes', () => {
  it('is renamed in its stub and in files of no project, and in documents when asked', async () => {
    const world = realWorld(PYTHON);
    await using _ = world;
    const session = await world.session();
    const asked = { file_path: 'app/scope.py', symbol: 'make_scope' };
    expect(await session.places('find_references', asked)).toEqual([
      'tools/build.py:1:30',
      'tools/build.py:3:1',
    ]);
    const renamed = { ...asked, new_name: 'new_scope' };
    const everywhere = { 'app/scope.py': 1, 'app/scope.pyi': 1, 'tools/build.py': 2 };
    expect(placesIn(world, await preview(session, renamed))).toEqual(everywhere);
    const edit = await preview(session, { ...renamed, mentions: 'change' });
    expect(placesIn(world, edit)).toEqual({ 'README.md': 1, ...everywhere });
    await world.end();
  });

  it('is used in its stub where the stub does not declare it, also in the same column', async () => {
    const world = realWorld(PYTHON);
    await using _ = world;
    world.workspace.write('app/scope.pyi', `${world.workspace.read('app/scope.pyi')}f = make_scope\n`);
    const session = await world.session();
    const places = ['app/scope.pyi:4:5', 'tools/build.py:1:30', 'tools/build.py:3:1'];
    const asked = { file_path: 'app/scope.py', symbol: 'make_scope' };
    expect(await session.places('find_references', asked)).toEqual(places);
    expect(await session.places('find_references', { ...asked, file_path: 'app/scope.pyi' })).toEqual(places);
    const declared = await session.places('find_references', { ...asked, include_declaration: true });
    expect(declared).toEqual(['app/scope.py:5:5', 'app/scope.pyi:3:5', ...places]);
    await world.end();
  });

  it('is found by a part of it', async () => {
    const world = realWorld(PYTHON);
    await using _ = world;
    world.workspace.write('tools/loose.py', 'def only_here():\n    pass\n');
    const session = await world.session();
    expect(await session.places('find_symbol', { query: 'only_her' })).toEqual(['tools/loose.py:1:5']);
    await world.end();
  });
});

describe('a function that an untyped value may call', () => {
  it('is not deleted before the place was shown', async () => {
    const world = realWorld(PYTHON);
    await using _ = world;
    world.workspace.write('app/untyped.py', 'def run(thing):\n    thing.lonely()\n');
    world.workspace.write('app/lonely.py', 'class Lonely:\n    def lonely(self):\n        pass\n');
    const session = await world.session();
    const text = await session.ask('safe_delete_symbol', {
      file_path: 'app/lonely.py',
      symbol_path: 'Lonely.lonely',
    });
    expect(text).toContain('shown first: it may be used at app/untyped.py:2:11');
    expect(world.workspace.read('app/lonely.py')).toContain('def lonely');
    await world.end();
  });
});
