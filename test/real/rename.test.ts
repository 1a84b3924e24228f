/** Renames over several files by real servers, and back again to the same bytes. One session for each language. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Arguments,
  occurrences,
  type RealSession,
  type RealWorld,
  realWorld,
} from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import type { Workspace, WorkspaceOptions } from '../support/workspace.ts';

interface Case {
  readonly text?: string;
  readonly options?: WorkspaceOptions;
  readonly extension: string;
  /** The symbol that is renamed; its name stands nowhere else in the sources. */
  readonly target: Arguments;
  readonly oldName: string;
  readonly newName: string;
  /** What it cannot be called, with the reason. */
  readonly noNames: Readonly<Record<string, string>>;
  /** What the workspace needs to be known as a whole. */
  prepare?(workspace: Workspace): void;
  /** A place that no name of the workspace stands at. */
  readonly keyword: Arguments;
}

const TYPESCRIPT: Case = {
  options: { fixture: 'typescript' },
  extension: '.ts',
  target: { file_path: 'src/inventory.ts', symbol: 'Inventory.take' },
  oldName: 'take',
  newName: 'grab',
  noNames: { 'grab-it': 'no name in typescript' },
  keyword: { file_path: 'src/inventory.ts', line: 9, column: 38 },
};

const PYTHON: Case = {
  options: { fixture: 'python' },
  extension: '.py',
  target: { file_path: 'corner_shop/inventory.py', symbol: 'Inventory.take' },
  oldName: 'take',
  newName: 'grab',
  noNames: { 'grab it': 'no name in python', yield: 'a reserved word of python' },
  keyword: { file_path: 'corner_shop/inventory.py', line: 1, column: 1 },
};

const GO: Case = {
  options: { fixture: 'go' },
  extension: '.go',
  target: { file_path: 'pricing/discount.go', symbol: 'Percentage' },
  oldName: 'Percentage',
  newName: 'Share',
  noNames: { '2Share': 'no name in go', range: 'a reserved word of go' },
  keyword: { file_path: 'main.go', line: 1, column: 1 },
};

const CPP: Case = {
  options: { fixture: 'cpp' },
  // Headers as well.
  extension: 'pp',
  target: { file_path: 'include/pricing.hpp', symbol: 'Percentage' },
  oldName: 'Percentage',
  newName: 'Share',
  noNames: { 'Sha-re': 'no name in cpp', while: 'a reserved word of cpp' },
  keyword: { file_path: 'src/main.cpp', line: 1, column: 2 },
  prepare({ root, write }) {
    const commands = ['main', 'store'].map((name) => ({
      directory: root,
      file: `src/${name}.cpp`,
      command: `c++ -std=c++17 -Iinclude -c src/${name}.cpp`,
    }));
    write('compile_commands.json', JSON.stringify(commands));
  },
};

const RUST: Case = {
  text: `
//- Cargo.toml
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
//- src/main.rs
mod stock;

fn main() {
    let shelf = stock::Shelf { amount: 3 };
    println!("🍵 {}", shelf.amount_left());
}
//- src/stock.rs
pub struct Shelf {
    pub amount: u32,
}

impl Shelf {
    pub fn amount_left(&self) -> u32 {
        self.amount
    }
}
`,
  extension: '.rs',
  target: { file_path: 'src/stock.rs', symbol: 'amount_left' },
  oldName: 'amount_left',
  newName: 'left',
  noNames: { 'left!': 'no name in rust' },
  keyword: { file_path: 'src/stock.rs', line: 5, column: 1 },
};

const LONG = { timeout: 180_000 };

function renames({ text = '', options, prepare, ...expected }: Case): Around {
  const { extension, target, oldName, newName, noNames, keyword } = expected;
  let world: RealWorld;
  let session: RealSession;
  beforeAll(async () => {
    world = realWorld(text, options);
    prepare?.(world.workspace);
    session = await world.session();
  }, 180_000);
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  }, 60_000);

  it('says what can be renamed, and refuses the rest with a reason', LONG, async () => {
    expect(await session.data('prepare_rename', target)).toMatchObject({
      renamable: true,
      placeholder: oldName,
    });
    const before = sources(world);
    expect(await session.data('prepare_rename', keyword)).toMatchObject({
      renamable: false,
      reason: expect.stringMatching(/\S/),
    });
    expect(await session.refused('rename_symbol', { ...keyword, new_name: 'other' })).toContain(
      'cannot be renamed',
    );
    for (const [noName, reason] of Object.entries(noNames))
      expect(await session.refused('rename_symbol', { ...target, new_name: noName, dry_run: true })).toMatch(
        new RegExp(
          `^${oldName} \\(.*\\) was not renamed: "${noName}" is ${reason}\\. Nothing was written\\..*$`,
        ),
      );
    expect(sources(world)).toEqual(before);
  });

  it('renames in all files without new errors, and back to the same bytes', LONG, async () => {
    const before = sources(world);
    const places = occurrences(world.workspace, oldName, extension);
    const files = new Set(places.map((place) => place.split(':')[0])).size;
    expect(files).toBeGreaterThan(1);
    const there = (await session.data('rename_symbol', { ...target, new_name: newName })) as Outcome;
    expect(there.applied).toBe(true);
    expect(there.files).toHaveLength(files);
    expect(there.diagnostics).toMatchObject({ net_delta: 0, introduced: [] });
    const changed = there.files.map(({ file }) => readFileSync(file, 'utf8'));
    expect(changed.every((each) => each.includes(newName))).toBe(true);
    const [first = ''] = occurrences(world.workspace, newName, extension);
    const [file, line, column] = first.split(':');
    const at = { file_path: file, line: Number(line), column: Number(column) };
    const back = (await session.data('rename_symbol', { ...at, new_name: oldName })) as Outcome;
    expect(back.files).toHaveLength(files);
    expect(sources(world)).toEqual(before);
    expect(occurrences(world.workspace, oldName, extension)).toEqual(places);
  });

  return {
    get world() {
      return world;
    },
    get session() {
      return session;
    },
  };
}

interface Around {
  readonly world: RealWorld;
  readonly session: RealSession;
}

interface Outcome {
  readonly applied: boolean;
  readonly edit_id?: string;
  readonly files: readonly { readonly file: string }[];
  readonly diagnostics?: unknown;
}

/** Every file with its bytes. */
function sources({ workspace }: RealWorld): Record<string, string> {
  const names = readdirSync(workspace.root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const own = files.filter((file) => !/\/(target|\.git|\.cache)\//.test(file));
  return Object.fromEntries(own.map((file) => [file, readFileSync(file, 'latin1')]));
}

describe('renaming with TypeScript 7', () => {
  const around = renames(TYPESCRIPT);

  it('sends those who rename a file where it is imported to move_file', LONG, async () => {
    const imported = { file_path: 'src/inventory.ts', position_pattern: "from './@@product.ts'" };
    expect(await around.session.data('prepare_rename', imported)).toMatchObject({
      renamable: false,
      reason: 'it is the name of a file, which move_file renames, and imports follow',
    });
    const before = sources(around.world);
    expect(await around.session.refused('rename_symbol', { ...imported, new_name: 'goods' })).toContain(
      'move_file',
    );
    expect(sources(around.world)).toEqual(before);
  });

  it('shows first what another type no longer fits, in a file with neither name', LONG, async () => {
    const { write, file } = around.world.workspace;
    write('src/clock.ts', 'export interface Clock {\n  now(): number;\n}\n');
    write('src/fixed.ts', 'export const fixed = { now: () => 3 };\n');
    write(
      'src/clocks.ts',
      [
        "import type { Clock } from './clock.js';",
        "import { fixed } from './fixed.js';",
        'export const clock: Clock = fixed;\n',
      ].join('\n'),
    );
    const now = { file_path: 'src/clock.ts', symbol: 'Clock.now' };
    const error = { file: file('src/clocks.ts'), line: 3, code: 'TS2741' };
    await shownFirst(around, { ...now, new_name: 'tick' }, error);
  });
});

/** Nothing is written, and apply_edit makes it all the same and says the same error. */
async function shownFirst({ world, session }: Around, args: Arguments, error: object): Promise<void> {
  const before = sources(world);
  const shown = (await session.data('rename_symbol', { ...args, dry_run: false })) as Outcome;
  const introduced = [expect.objectContaining(error)];
  expect(shown).toMatchObject({ applied: false, diagnostics: { introduced } });
  expect(sources(world)).toEqual(before);
  const applied = await session.data('apply_edit', { edit_id: shown.edit_id });
  expect(applied).toMatchObject({ applied: true, diagnostics: { introduced } });
  expect(sources(world)).not.toEqual(before);
}

describe('renaming with pyright', () => {
  const around = renames(PYTHON);

  it('shows first what Python calls by its name', LONG, async () => {
    const init = { file_path: 'corner_shop/inventory.py', symbol: 'Inventory.__init__' };
    const shown = await around.session.ask('rename_symbol', { ...init, new_name: 'start' });
    expect(shown).toContain('shown first: __init__ means something by its name');
    expect(around.world.workspace.read('corner_shop/inventory.py')).toContain('def __init__');
  });

  it('shows first what a class no longer fits that has the name by itself', LONG, async () => {
    const { write, file } = around.world.workspace;
    write(
      'corner_shop/clock.py',
      [
        'from typing import Protocol\n\n',
        'class Clock(Protocol):',
        '    def now(self) -> int: ...\n\n',
        'def read(clock: Clock) -> int:',
        '    return clock.now()\n',
      ].join('\n'),
    );
    write(
      'corner_shop/fixed.py',
      [
        'from corner_shop.clock import read\n\n',
        'class Fixed:',
        '    def now(self) -> int:',
        '        return 3\n\n',
        'READ = read(Fixed())\n',
      ].join('\n'),
    );
    const now = { file_path: 'corner_shop/clock.py', symbol: 'Clock.now' };
    const error = { file: file('corner_shop/fixed.py'), line: 9, code: 'reportArgumentType' };
    await shownFirst(around, { ...now, new_name: 'tick' }, error);
  });
});

describeWith(['gopls', 'go'], 'renaming with gopls', () => {
  renames(GO);
});

describeWith('clangd', 'renaming with clangd', () => {
  renames(CPP);
});

describeWith(['rust-analyzer', 'cargo'], 'renaming with rust-analyzer', () => {
  renames(RUST);
});
