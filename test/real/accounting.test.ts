/** Every occurrence of a name is accounted for: what the server lists, what is something else, and what may be a use. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TYPESCRIPT_5 } from '../support/monorepo.ts';
import { type Arguments, type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';

const TYPESCRIPT = `
//- package.json
{ "name": "accounted", "private": true }
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
//- src/scope.ts
export class Scope {
  stop(): void {}
}
export class Other {
  stop(): void {}
}
//- src/use.ts
import { Other, Scope } from './scope';
const scope = new Scope();
scope.stop(); // stop it
new Other().stop();
const anything: any = scope;
anything.stop();
const message = \`please \${scope.stop()} stop\`;
handle(scope.stop);
export function handle(work: () => void): string {
  work();
  return message;
}
//- scripts/build.ts
import { Scope } from '../src/scope';
new Scope().stop();
`;

const PYTHON = `
//- pyrightconfig.json
{ "include": ["app"] }
//- app/__init__.py
//- app/scope.py
class Scope:
    def stop(self) -> None: ...


class Other:
    def stop(self) -> None: ...
//- app/use.py
from app.scope import Other, Scope


def run(untyped, other: Other) -> None:
    scope = Scope()
    scope.stop()  # stop it
    other.stop()
    untyped.stop()
    print(f"{scope.stop()} stop")
    handle(scope.stop)


def handle(work) -> None:
    work()
//- tools/build.py
from app.scope import Scope

Scope().stop()
`;

interface Accounted {
  readonly accounted: Readonly<Record<string, number>>;
  readonly possible: readonly { readonly file: string; readonly line: number; readonly why: string }[];
  readonly data: unknown;
}

async function accounted(session: RealSession, tool: string, args: Arguments): Promise<Accounted> {
  const { raw, text } = await session.frontEnd.call(tool, args);
  expect(raw.isError, text).not.toBe(true);
  return raw.structuredContent as unknown as Accounted;
}

/** Where the names of these sources stand. */
const TYPESCRIPT_PATHS = {
  scope: 'src/scope.ts',
  use: 'src/use.ts',
  build: 'scripts/build.ts',
  untyped: 6,
  line: 3,
  column: 7,
};

const CASES: readonly {
  readonly server: string;
  readonly text: string;
  readonly args: readonly string[];
  readonly paths: Paths;
}[] = [
  {
    server: 'TypeScript 7',
    text: TYPESCRIPT,
    args: ['--typescript', '7'],
    paths: TYPESCRIPT_PATHS,
  },
  {
    server: 'typescript-language-server',
    text: TYPESCRIPT,
    args: ['--typescript', 'own'],
    paths: TYPESCRIPT_PATHS,
  },
  {
    server: 'pyright',
    text: PYTHON,
    args: [],
    paths: {
      scope: 'app/scope.py',
      use: 'app/use.py',
      build: 'tools/build.py',
      untyped: 8,
      line: 6,
      column: 11,
    },
  },
];

interface Paths {
  readonly scope: string;
  readonly use: string;
  readonly build: string;
  /** The line of a use that the server cannot know. */
  readonly untyped: number;
  /** A use. */
  readonly line: number;
  readonly column: number;
}

function worldOf(text: string): RealWorld {
  const world = realWorld(text);
  if (text !== TYPESCRIPT && text !== KEYS_OF_NEW) return world;
  mkdirSync(world.workspace.file('node_modules'));
  symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
  return world;
}

describe.each(CASES)('occurrences with $server', ({ text, args, paths }) => {
  it('are references, other symbols, text, or possible uses that are listed', async () => {
    const world = worldOf(text);
    await using _ = world;
    const session = await world.session(...args);
    const asked = { file_path: paths.scope, symbol: 'Scope.stop' };
    const found = await accounted(session, 'find_references', asked);
    expect(found.accounted).toEqual({
      occurrences: 10,
      references: 5,
      other_symbols: 2,
      in_text: 2,
      possible: 1,
      not_looked_at: 0,
    });
    expect(found.possible).toEqual([
      expect.objectContaining({ line: paths.untyped, why: 'its receiver has no known type' }),
    ]);
    const places = await session.places('find_references', asked);
    expect(places).toHaveLength(4);
    expect(places.some((place) => place.startsWith(`${paths.build}:`))).toBe(true);
    // A use asks the same question: it is listed itself, and the declaration is not.
    const { use: file_path, line, column } = paths;
    expect(await session.places('find_references', { file_path, line, column })).toEqual(places);
    const declared = await session.places('find_references', { ...asked, include_declaration: true });
    expect(declared).toHaveLength(5);
    const renaming = { ...asked, new_name: 'halt', dry_run: true };
    expect((await accounted(session, 'rename_symbol', renaming)).possible).toEqual(found.possible);
    const explored = await accounted(session, 'explore_symbol', asked);
    expect(explored).toMatchObject({ accounted: found.accounted, possible: found.possible });
    expect(explored.data).toMatchObject({ references: { count: 4 } });
    const untyped = { file_path: paths.use, line: paths.untyped, symbol: 'stop' };
    expect(await session.ask('go_to_definition', untyped)).toContain('does not know what stop is taken from');
    await world.end();
  });

  it('are calls or values, and a filter has one of them', async () => {
    const world = worldOf(text);
    await using _ = world;
    const session = await world.session(...args);
    const asked = { file_path: paths.scope, symbol: 'Scope.stop' };
    expect(await session.places('find_references', { ...asked, kind: 'call' })).toHaveLength(3);
    expect(await session.places('find_references', { ...asked, kind: 'value' })).toHaveLength(1);
    expect(await session.places('find_references', { ...asked, kind: 'write' })).toEqual([]);
    const { data } = await accounted(session, 'callers', asked);
    const { incoming } = data as { incoming: readonly { call_sites: readonly unknown[] }[] };
    expect(incoming.flatMap(({ call_sites }) => call_sites)).toHaveLength(3);
    await world.end();
  });
});

const MEMBERS_TS = `
//- package.json
{ "name": "members", "private": true }
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["src"] }
//- src/make.ts
export function make() {
  return { halt() { return 1; } };
}
export class Box {
  constructor(readonly size: number) {}
}
export function local() {
  const extra = 1;
  return extra;
}
//- src/use.ts
import { Box, make } from './make';
declare const anything: any;
make().halt() + new Box(1).size;
anything.halt() + anything.size + anything.extra;
`;

const MEMBERS_PY = `
//- pyproject.toml
//- make.py
class Box:
    def __init__(self, given):
        self.size = given


def make():
    class Local:
        def halt(self):
            return 1

    return Local()


def put(amount):
    extra = amount
    return extra
//- use.py
from make import Box, make, put


def run(anything, amount):
    print(make().halt(), Box(1).size, put(amount=amount))
    anything.halt(anything.size, anything.extra, extra=1)
    anything.put(amount=2)
`;

describe.each([
  {
    what: 'TypeScript 7',
    text: MEMBERS_TS,
    file: 'make.ts',
    names: {
      halt: { line: 2, column: 12, possible: 1, occurrences: 3 },
      size: { line: 5, column: 24, possible: 1, occurrences: 3 },
      extra: { line: 8, column: 9, possible: 0, occurrences: 2 },
    },
  },
  {
    what: 'pyright',
    text: MEMBERS_PY,
    file: 'make.py',
    names: {
      halt: { line: 8, column: 13, possible: 1, occurrences: 3 },
      size: { line: 3, column: 14, possible: 1, occurrences: 3 },
      extra: { line: 15, column: 5, possible: 0, occurrences: 2 },
      amount: { line: 14, column: 9, possible: 1, occurrences: 4 },
    },
  },
] as const)('what functions declare, with $what', ({ text, file, names }) => {
  it('is looked for elsewhere if it is a member or can be named in a call, and only then', async () => {
    await using world = realWorld(text);
    const session = await world.session();
    const file_path = text === MEMBERS_TS ? `src/${file}` : file;
    for (const [name, { line, column, possible, occurrences }] of Object.entries(names)) {
      const { accounted: counts } = await accounted(session, 'find_references', { file_path, line, column });
      expect([name, counts]).toEqual([name, expect.objectContaining({ possible, occurrences })]);
    }
    await world.end();
  });
});

describe('a name whose import leads nowhere', () => {
  it('is no other symbol than those of its name: they are possible', async () => {
    const world = realWorld(`${TYPESCRIPT}
//- src/lost.ts
import { handle } from './nowhere';
handle(() => {});
`);
    await using _ = world;
    const session = await world.session();
    const found = await accounted(session, 'find_references', {
      file_path: 'src/lost.ts',
      line: 2,
      column: 1,
    });
    expect(found.accounted).toMatchObject({ occurrences: 4, references: 2, other_symbols: 0, possible: 2 });
    expect(found.possible.map(({ line }) => line)).toEqual([8, 9]);
    await world.end();
  });
});

const OFTEN = 90;
/** More occurrences of another symbol than one call looks at. */
const COMMON = {
  typescript: `
//- package.json
{ "name": "common", "private": true }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "preserve" }, "include": ["src"] }
//- src/scope.ts
export class Scope {
  stop(): void {}
}
//- src/other.ts
export class Other {
  stop(): void {}
}
${[1, 2, 3, 4, 5]
  .map(
    (n) => `
//- src/use${n}.ts
import { Other } from './other';
const other = new Other();
${'other.stop();\n'.repeat(OFTEN)}`,
  )
  .join('')}`,
  python: `
//- scope.py
class Scope:
    def stop(self) -> None: ...
//- other.py
from scope import Scope


class Other:
    def stop(self) -> None: ...
${[1, 2, 3, 4, 5]
  .map(
    (n) => `
//- use${n}.py
from other import Other

other = Other()
${'other.stop()\n'.repeat(OFTEN)}`,
  )
  .join('')}`,
};
/** By which the uses of the one become uses of the other, although no text with the name changes. */
const DERIVED = {
  'src/other.ts': "import { Scope } from './scope';\nexport class Other extends Scope {}\n",
  'other.py': 'from scope import Scope\n\n\nclass Other(Scope):\n    pass\n',
};

describe.each([
  { what: 'TypeScript 7', text: COMMON.typescript, file: 'src/scope.ts', other: 'src/other.ts' },
  { what: 'pyright', text: COMMON.python, file: 'scope.py', other: 'other.py' },
] as const)('a name too common for one call, with $what', ({ text, file, other }) => {
  it('is looked at further by each call about it, and anew when a file has changed', async () => {
    await using world = realWorld(text);
    const session = await world.session();
    const stop = { file_path: file, symbol: 'Scope.stop' };
    const ask = async () => (await accounted(session, 'find_references', stop)).accounted;
    const left: number[] = [];
    // 451 occurrences at 200 a call, or fewer where the machine is slow.
    do left.push((await ask()).not_looked_at ?? 0);
    while (left.at(-1) !== 0 && left.length < 40);
    expect(left[0]).toBeGreaterThanOrEqual(5 * OFTEN + 1 - 200);
    expect(left.at(-1)).toBe(0);
    expect(left).toEqual(left.toSorted((a, b) => b - a));
    const told = await ask();
    expect(told.not_looked_at).toBeGreaterThan(0);
    world.workspace.write(other, DERIVED[other]);
    let now = await ask();
    for (let call = 0; call < 40 && now.not_looked_at !== 0; call++) now = await ask();
    expect(now).toMatchObject({ references: 5 * OFTEN + 1, other_symbols: 0, not_looked_at: 0 });
    await world.end();
  });
});

const KEYS_OF_NEW = `
//- package.json
{ "name": "keys", "private": true }
//- tsconfig.json
{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true, "allowJs": true }, "include": ["src"] }
//- src/engine.ts
export interface Options { cache?: boolean; cwd?: string }
export class Engine { constructor(readonly options?: Options, readonly more?: number) {} }
export function make(options: Options): Engine { return new Engine(options); }
export class Box<T> { constructor(readonly value: T) {} }
export class Loose { constructor(readonly options: any) {} }
//- src/use.ts
import { Box, Engine, Loose, make } from './engine';
new Engine({ cache: true });
new Engine({ cache: '' });
new Engine({ cache: true, cwd: 1 });
new Engine({ cache: true }, 'much');
make({ cache: '' });
new Box({ cache: '' });
new Loose({ cache: '' });
//- src/plain.js
import { Engine } from './engine';
new Engine({ cache: '' });
`;

describe('code with errors', () => {
  it.each([
    { engine: 'TypeScript 7', version: '7' },
    { engine: 'TypeScript 5.9', version: 'own' },
  ])(
    'lists keys that new passes on as possible uses where an argument does not fit: $engine',
    async ({ version }) => {
      const world = worldOf(KEYS_OF_NEW);
      await using _ = world;
      const session = await world.session('--typescript', version);
      const asked = { file_path: 'src/engine.ts', symbol: 'Options.cache' };
      const found = await accounted(session, 'find_references', asked);
      const named = [
        ...(await session.places('find_references', asked)),
        ...found.possible.map((each) => `${each.file}:${each.line}`),
      ];
      expect(named.map((place) => place.replace(/^.*(src\/\w+\.\w+:\d+).*$/, '$1')).toSorted()).toEqual([
        'src/plain.js:2',
        ...[2, 3, 4, 5, 6].map((line) => `src/use.ts:${line}`),
      ]);
      await world.end();
    },
  );
});
