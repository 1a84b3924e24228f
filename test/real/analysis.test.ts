/** What servers offer to whoever writes code, asked of real ones: one session per language, shared by its tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

type Item = Readonly<Record<string, unknown>> & { readonly label?: string; readonly title?: string };

/** Starts the session before the tests of a describe and ends it after them. */
function sharedSession(make: () => RealWorld): {
  data<T>(tool: string, args: object): Promise<T>;
  of(): RealSession;
} {
  let world: RealWorld;
  let session: RealSession;
  beforeAll(async () => {
    world = make();
    session = await world.session('--daemon', 'never');
  });
  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });
  return { of: () => session, data: async (tool, args) => (await session.data(tool, { ...args })) as never };
}

const labelled = (items: readonly Item[], label: string) => items.find((item) => item.label === label);
const words = (tokens: readonly Item[]) =>
  tokens.map(({ text, type, modifiers }) => [text, type, ...(modifiers as string[])].join(' '));

describe('TypeScript 7', () => {
  const { data, of } = sharedSession(() => {
    const world = realWorld('', { fixture: 'typescript' });
    world.workspace.write(
      'src/fix.ts',
      "import { Order, linePrice } from './order.ts';\nexport const order = new Order();\nexport const text = '😀' + formatMoney(order.total());\n",
    );
    return world;
  });

  it('completes members with types and documentation on request', async () => {
    const at = { file_path: 'src/checkout.ts', position_pattern: 'order.@@place(' };
    const { items } = await data<{ items: Item[] }>('get_completions', at);
    expect(items.map(({ label }) => label).sort()).toEqual([
      'addLine',
      'cancel',
      'lines',
      'place',
      'state',
      'total',
    ]);
    const { items: found } = await data<{ items: Item[] }>('get_completions', {
      ...at,
      prefix: 'tot',
      docs: true,
    });
    expect(found).toEqual([
      {
        label: 'total',
        kind: 'method',
        detail: '(method) Order.total(): Money',
        documentation: 'The sum of all lines after the discount.',
      },
    ]);
  });

  it('shows the signature of a call and the parameter that is written', async () => {
    expect(
      await data('get_signature_help', {
        file_path: 'src/checkout.ts',
        position_pattern: 'inventory.receive(product, @@10',
      }),
    ).toMatchObject({
      signatures: [
        {
          label: 'receive(product: Product, quantity: number): void',
          parameters: [{ label: 'product: Product' }, { label: 'quantity: number' }],
          active_parameter: 1,
        },
      ],
    });
    expect(await data('get_signature_help', { file_path: 'src/checkout.ts', line: 1 })).toEqual({
      signatures: [],
      active_signature: 0,
    });
  });

  it('offers to import a name that is missing, behind an emoji, and changes nothing', async () => {
    const fixes = await data<Item[]>('suggest_fixes', { file_path: 'src/fix.ts', start_line: 3 });
    expect(fixes).toContainEqual({
      title: 'Add import from "./money.ts"',
      kind: 'quickfix',
      diagnostics: [expect.objectContaining({ code: 'TS2304', line: 3, column: 28, end_column: 39 })],
      changes: { edits: 1, files: [expect.objectContaining({ edits: 1 })] },
      edit_id: expect.stringMatching(/^e\d+$/),
    });
    const organize = await data<Item[]>('suggest_fixes', {
      file_path: 'src/fix.ts',
      only: 'source.organizeImports',
    });
    expect(organize.map(({ kind }) => kind)).toEqual(['source.organizeImports']);
    expect(await of().problems('src/fix.ts')).toContain('3 TS2304');
  });

  it('shows inferred types and names of parameters', async () => {
    expect(await data('get_inlay_hints', { file_path: 'src/checkout.ts', start_line: 15 })).toEqual([
      { line: 15, column: 27, label: 'discount:', kind: 'parameter' },
      { line: 15, column: 71, label: 'percent:', kind: 'parameter' },
    ]);
  });

  it('says what words stand for', async () => {
    const tokens = await data<Item[]>('get_semantic_tokens', {
      file_path: 'src/checkout.ts',
      start_line: 15,
    });
    expect(words(tokens)).toEqual(
      expect.arrayContaining(['order variable declaration readonly', 'Order class', 'basket parameter']),
    );
  });
});

describe('Python with pyright', () => {
  const { data, of } = sharedSession(() => realWorld('', { fixture: 'python' }));
  const inCheckout = { file_path: 'corner_shop/checkout.py' };

  it('completes members and shows signatures', async () => {
    const { items } = await data<{ items: Item[] }>('get_completions', {
      ...inCheckout,
      position_pattern: 'order.@@place(',
      prefix: 'tot',
      docs: true,
    });
    expect(items).toEqual([
      expect.objectContaining({
        label: 'total',
        kind: 'method',
        documentation: expect.stringContaining('The sum of all lines after the discount.'),
      }),
    ]);
    expect(
      await data('get_signature_help', { ...inCheckout, position_pattern: 'receive(product, @@10' }),
    ).toMatchObject({
      signatures: [
        { parameters: [{ label: 'product: Product' }, { label: 'quantity: int' }], active_parameter: 1 },
      ],
    });
  });

  it('offers nothing for its errors, and says what it lacks', async () => {
    const broken = { file_path: 'corner_shop/broken.py', start_line: 7, end_line: 8 };
    expect(await data('suggest_fixes', broken)).toEqual([]);
    expect(await of().refused('get_inlay_hints', inCheckout)).toContain('does not support');
    expect(await of().refused('get_semantic_tokens', inCheckout)).toContain('does not support');
  });
});

describeWith(['gopls', 'go'], 'Go with gopls', () => {
  const { data } = sharedSession(() => realWorld('', { fixture: 'go' }));
  const inMain = { file_path: 'main.go' };

  it('completes, shows signatures and hints, behind emoji too', async () => {
    const { items } = await data<{ items: Item[] }>('get_completions', {
      ...inMain,
      position_pattern: 'shelf.@@Receive(',
      docs: true,
    });
    expect(labelled(items, 'Take')).toMatchObject({
      kind: 'method',
      detail: 'func(name string, quantity int) error',
    });
    expect(
      await data('get_signature_help', { ...inMain, position_pattern: '"tea 🍵", @@2); err' }),
    ).toMatchObject({ signatures: [{ active_parameter: 2 }] });
    expect(await data('get_inlay_hints', { ...inMain, start_line: 13 })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 13, column: 34, label: 'quantity:', kind: 'parameter' }),
      ]),
    );
  });

  it('names tokens by a legend that it registers later', async () => {
    const tokens = await data<Item[]>('get_semantic_tokens', { ...inMain, start_line: 22 });
    expect(words(tokens)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^total variable definition/),
        expect.stringMatching(/^Percentage type/),
      ]),
    );
  });

  it('lists refactorings and their edits', async () => {
    const fixes = await data<Item[]>('suggest_fixes', {
      ...inMain,
      position_pattern: 'pricing.@@Total(350',
      only: 'refactor',
    });
    expect(fixes.map(({ title }) => title)).toContain('Inline call to Total');
    expect(fixes.find(({ title }) => title === 'Inline call to Total')).toMatchObject({
      changes: { files: [{ file: expect.stringMatching(/main\.go$/) }] },
    });
  });
});

describeWith('clangd', 'C++ with clangd', () => {
  const { data } = sharedSession(() => realWorld('', { fixture: 'cpp' }));
  const inMain = { file_path: 'src/main.cpp' };

  it('completes, shows signatures, hints and tokens', async () => {
    const { items } = await data<{ items: Item[] }>('get_completions', {
      ...inMain,
      position_pattern: 'shelf.@@receive(',
    });
    expect(items.find(({ label }) => label?.startsWith('receive'))).toMatchObject({ kind: 'method' });
    expect(await data('get_signature_help', { ...inMain, position_pattern: '"tea 🍵", @@2)' })).toMatchObject(
      { signatures: [{ active_parameter: 2 }] },
    );
    expect(await data('get_inlay_hints', { ...inMain, start_line: 14 })).toEqual([
      { line: 14, column: 17, label: 'name:', kind: 'parameter' },
      { line: 14, column: 27, label: 'quantity:', kind: 'parameter' },
    ]);
    const tokens = await data<Item[]>('get_semantic_tokens', { ...inMain, start_line: 9 });
    expect(words(tokens)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^total function/),
        expect.stringMatching(/^quantity parameter/),
      ]),
    );
  });

  it('lists what it would do about a selection', async () => {
    const fixes = await data<Item[]>('suggest_fixes', { ...inMain, start_line: 9 });
    expect(fixes).toContainEqual(
      expect.objectContaining({ title: 'Extract to function', command: expect.anything() }),
    );
  });
});

describeWith('rust-analyzer', 'Rust with rust-analyzer', () => {
  const { data } = sharedSession(() =>
    realWorld(`
    //- Cargo.toml
    [package]
    name = "shop"
    version = "0.1.0"
    edition = "2021"
    //- src/main.rs
    /// Adds two numbers.
    fn add(left: u32, right: u32) -> u32 {
        left + right
    }

    fn main() {
        let tea = "🍵"; let sum = add(1, 2);
        println!("{tea} {sum}");
    }
    `),
  );
  const inMain = { file_path: 'src/main.rs' };

  it('completes, shows signatures, hints, tokens and refactorings', async () => {
    expect(await data('get_signature_help', { ...inMain, position_pattern: 'add(1, @@2)' })).toMatchObject({
      signatures: [{ label: 'fn add(left: u32, right: u32) -> u32', active_parameter: 1 }],
    });
    const { items } = await data<{ items: Item[] }>('get_completions', {
      ...inMain,
      position_pattern: 'sum = ad@@d(',
      docs: true,
    });
    expect(labelled(items, 'add')).toMatchObject({
      kind: 'function',
      documentation: 'Adds two numbers.',
    });
    expect(await data('get_inlay_hints', { ...inMain, start_line: 7 })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 7, column: 28, label: ': u32', kind: 'type' }),
        expect.objectContaining({ line: 7, column: 38, label: 'right:', kind: 'parameter' }),
      ]),
    );
    expect(words(await data('get_semantic_tokens', { ...inMain, start_line: 7 }))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^sum variable declaration/),
        expect.stringMatching(/^add function/),
      ]),
    );
    const fixes = await data<Item[]>('suggest_fixes', {
      ...inMain,
      position_pattern: 'let @@sum = add',
      only: 'refactor',
    });
    expect(fixes.find(({ title }) => title === 'Inline variable')).toMatchObject({
      changes: { files: [{ file: expect.stringMatching(/main\.rs$/) }] },
    });
  });
});
