/** Edits that real servers compute, applied: fixes by their id, imports that follow a moved file, and commands. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

interface OfferedFix {
  readonly title: string;
  readonly edit_id?: string;
  readonly command?: { readonly id: string };
}

interface Outcome {
  readonly applied: boolean;
  readonly edit_id?: string;
  readonly files: readonly { readonly file: string; readonly operation: string }[];
  readonly diagnostics?: { readonly errors_before: number; readonly errors_after: number };
  readonly imports_not_updated?: readonly string[];
  readonly importers?: readonly { readonly file: string; readonly line: number }[];
}

/** One session for all tests of a language; they follow each other on the same files. */
function sharedWorld(
  fixture: 'typescript' | 'python' | 'go',
  prepare: (world: RealWorld) => void = () => {},
) {
  const opened: { world: RealWorld; session: RealSession }[] = [];
  const one = () => {
    const [first] = opened;
    if (!first) throw new Error('the session is opened before the tests');
    return first;
  };
  beforeAll(async () => {
    const world = realWorld('', { fixture });
    prepare(world);
    opened.push({ world, session: await world.session('--daemon', 'never') });
  });
  afterAll(async () => {
    const { world } = one();
    await world.end();
    await world[Symbol.asyncDispose]();
  });
  return {
    get world() {
      return one().world;
    },
    get workspace() {
      return one().world.workspace;
    },
    outcome: async (tool: string, args: Readonly<Record<string, unknown>>) =>
      (await one().session.data(tool, args)) as Outcome,
    fix: async (args: Readonly<Record<string, unknown>>, title: RegExp): Promise<OfferedFix> => {
      const fixes = (await one().session.data('suggest_fixes', args)) as readonly OfferedFix[];
      const found = fixes.find((fix) => title.test(fix.title));
      if (!found) throw new Error(`${title} is not among ${fixes.map((fix) => fix.title).join(', ')}`);
      return found;
    },
    data: (tool: string, args: Readonly<Record<string, unknown>>) => one().session.data(tool, args),
    has: (file: string) => existsSync(one().world.workspace.file(file)),
  };
}

describe.each([
  { name: 'TypeScript 7', prepare: () => {} },
  {
    name: 'typescript-language-server',
    prepare: ({ workspace }: RealWorld) => {
      mkdirSync(workspace.file('node_modules'));
      const compiler = path.resolve(import.meta.dirname, '../../node_modules/typescript5');
      symlinkSync(compiler, workspace.file('node_modules/typescript'));
    },
  },
] as const)('edits of $name', ({ name, prepare }) => {
  const shared = sharedWorld('typescript', prepare);

  it('move a file with its own imports and those of it, and back', async () => {
    const { workspace } = shared;
    const before = workspace.read('src/order.ts');
    const moved = await shared.outcome('move_file', {
      file_path: 'src/order.ts',
      new_path: 'src/sales/order-book.ts',
    });
    expect(moved).toMatchObject({
      applied: true,
      diagnostics: { net_delta: 0, introduced: [], unknown: [] },
    });
    expect(moved.imports_not_updated).toBeUndefined();
    expect(workspace.read('src/shop.ts')).toContain("from './sales/order-book.ts'");
    expect(workspace.read('src/sales/order-book.ts')).toContain("from '../pricing/discount.ts'");
    expect(shared.has('src/order.ts')).toBe(false);
    await shared.outcome('apply_edit', { undo: moved.edit_id });
    expect(workspace.read('src/order.ts')).toBe(before);
    expect(shared.has('src/sales')).toBe(false);
  });

  it('move a folder', async () => {
    const { workspace } = shared;
    const moved = await shared.outcome('move_file', { file_path: 'src/storage', new_path: 'src/deep/store' });
    expect(moved).toMatchObject({ applied: true, diagnostics: { introduced: [], unknown: [] } });
    expect(workspace.read('src/shop.ts')).toContain("from './deep/store/memory-repository.ts'");
    expect(workspace.read('src/deep/store/memory-repository.ts')).toContain("from './repository.ts'");
    expect(shared.has('src/storage')).toBe(false);
  });

  it('add a missing import by the id of the fix', async () => {
    const { workspace, world } = shared;
    world.edit('src/broken.ts', "import { Order } from './order.ts';\n", '');
    const place = { file_path: 'src/broken.ts', position_pattern: '(order: @@Order)' };
    const fix = await shared.fix(place, /import .*order/i);
    const applied = await shared.outcome('apply_edit', { edit_id: fix.edit_id });
    expect(applied.applied).toBe(true);
    expect(workspace.read('src/broken.ts')).toMatch(/import .*\bOrder\b.* from ["']\.\/order(\.ts)?["']/);
  });

  // TypeScript 7 announces no commands.
  if (name === 'typescript-language-server')
    it('organize imports by a command', async () => {
      const { workspace, world } = shared;
      world.edit(
        'src/inventory.ts',
        'import type { Product }',
        "import { add } from './money.ts';\nimport type { Product }",
      );
      const ran = await shared.data('execute_command', {
        command: '_typescript.organizeImports',
        arguments: [workspace.file('src/inventory.ts')],
        file_path: 'src/inventory.ts',
      });
      expect(ran).toMatchObject({ edit: { applied: true } });
      expect(workspace.read('src/inventory.ts')).not.toContain('money.ts');
    });
});

describe('edits of pyright', () => {
  const shared = sharedWorld('python');

  it('do not follow a moved file, which is said with the lines to correct', async () => {
    const { workspace } = shared;
    const move = { file_path: 'corner_shop/money.py', new_path: 'corner_shop/base/cash.py' };
    const shown = await shared.outcome('move_file', move);
    expect(shown.applied).toBe(false);
    expect(shown.imports_not_updated).toEqual(['pyright does not update imports when files move']);
    const importers = shown.importers?.map(
      ({ file, line }) => `${path.relative(workspace.root, file)}:${line}`,
    );
    expect(importers).toEqual([
      'corner_shop/__init__.py:4',
      'corner_shop/order.py:6',
      'corner_shop/pricing/discount.py:5',
      'corner_shop/product.py:5',
      'corner_shop/unicode_names.py:3',
    ]);
    const moved = await shared.outcome('move_file', { ...move, dry_run: false });
    expect(moved).toMatchObject({ applied: true, importers: shown.importers });
    expect(shared.has('corner_shop/base/cash.py')).toBe(true);
  });
});

describeWith(['gopls', 'go'], 'edits of gopls', () => {
  const shared = sharedWorld('go', (world) =>
    world.edit(
      'main.go',
      'func sell(',
      'func loud(text string) string { return strings.ToUpper(text) }\n\nfunc sell(',
    ),
  );

  it('add a missing import by the id of the fix, or by a command', async () => {
    const { workspace } = shared;
    const fix = await shared.fix({ file_path: 'main.go', position_pattern: '@@strings.ToUpper' }, /import/i);
    const applied = await shared.outcome('apply_edit', { edit_id: fix.edit_id });
    expect(applied).toMatchObject({ applied: true, diagnostics: { errors_before: 1, errors_after: 0 } });
    expect(workspace.read('main.go')).toContain('"strings"');
    await shared.outcome('apply_edit', { undo: applied.edit_id });
    const command = {
      command: 'gopls.add_import',
      arguments: [{ ImportPath: 'strings', URI: pathToUri(workspace.file('main.go')) }],
    };
    const shown = await shared.data('execute_command', { ...command, dry_run: true });
    expect(shown).toMatchObject({ server: 'gopls', edit: { applied: false } });
    expect(workspace.read('main.go')).not.toContain('"strings"');
    const ran = await shared.data('execute_command', command);
    expect(ran).toMatchObject({ edit: { applied: true, diagnostics: { errors_after: 0 } } });
  });

  it('come from commands that a fix offers by id, also when they create files', async () => {
    const { workspace } = shared;
    const place = { file_path: 'main.go', position_pattern: 'func @@loud' };
    const fix = await shared.fix(place, /Extract declarations to new file/);
    const ran = await shared.data('execute_command', { command: fix.command?.id });
    expect(ran).toMatchObject({ command: 'gopls.extract_to_new_file', edit: { applied: true } });
    expect(workspace.read('loud.go')).toContain('func loud(');
    expect(workspace.read('main.go')).not.toContain('func loud(');
  });
});
