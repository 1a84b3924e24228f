/** What servers leave out of an answer across projects though they know it, and the answer has all the same. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TYPESCRIPT_5 } from '../support/monorepo.ts';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';

const TSCONFIG = `{ "compilerOptions": { "target": "es2022", "module": "preserve", "strict": true }, "include": ["*.ts"] }`;

/** The last project knows an heir of Shape only, and the one before it calls a property through a cast. */
const PROJECTS = `
//- package.json
{ "name": "projects", "private": true, "workspaces": ["*"] }
//- core/tsconfig.json
${TSCONFIG}
//- core/shape.ts
export abstract class Shape {
  #sides = 0;
  abstract area(): number;
  get sides(): number {
    return this.#sides;
  }
}
export interface Hooks {
  onArea: (area: number) => void;
}
//- square/tsconfig.json
${TSCONFIG}
//- square/square.ts
import { type Hooks, Shape } from '../core/shape';
export class Square extends Shape {
  area(): number {
    return 1;
  }
}
export function tell(hooks: Hooks): void {
  hooks.onArea(1);
  (hooks.onArea as Function)(2);
  const other = hooks.onArea;
  void other;
}
//- rounded/tsconfig.json
${TSCONFIG}
//- rounded/rounded.ts
import { Square } from '../square/square';
export const rounded = class extends Square {};
`;

/** Two classes that know nothing of each other, but of the same package. */
const TIED = `
//- package.json
{ "name": "tied", "private": true, "workspaces": ["*"] }
//- node_modules/views/package.json
{ "name": "views", "types": "index.d.ts" }
//- node_modules/views/index.d.ts
/** {@link View.render} is called for each. */
export class View {
  render(): string;
}
//- left/tsconfig.json
${TSCONFIG}
//- left/left.ts
import { View } from 'views';
export class Left extends View {
  render(): string {
    return 'left';
  }
}
//- right/tsconfig.json
${TSCONFIG}
//- right/right.ts
import { View } from 'views';
export class Right extends View {
  render(): string {
    return 'right';
  }
}
export const shown = (view: View) => view.render();
//- site/package.json
{ "name": "site" }
//- site/package-lock.json
{}
//- site/footer.js
const { View } = require('views');
class Footer extends View {
  render() {
    return 'footer';
  }
}
module.exports = Footer;
`;

/** Something that is installed needs an older version of the package that is worked on, which has not been built. */
const COPIED = `
//- package.json
{ "name": "maker", "version": "2.0.0", "types": "dist/index.d.ts" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "preserve", "outDir": "dist" }, "include": ["src"] }
//- src/index.ts
export function create(): { make(): string } {
  return { make: () => 'new' };
}
//- node_modules/maker/package.json
{ "name": "maker", "version": "1.0.0", "types": "dist/index.d.ts" }
//- node_modules/maker/dist/index.d.ts
export declare function create(): { make(): string };
//- tests/spy.js
const maker = require('maker');
maker.create().make();
`;

/** At the top of a file some outlines have what an object takes over as a symbol of that name. */
const TAKEN_OVER = `export const settings = { size: 1 };
export const given = 1;
export function made(): number {
  return 1;
}
keep({ ...settings, colour: 2 });
keep({ given });
keep({ made });
function keep(_: unknown): void {}
`;

/** Installed apart, so that each has a server of its own for questions about its files. */
const APART = `
//- package.json
{ "name": "top" }
//- package-lock.json
{}
//- tsconfig.json
${TSCONFIG}
//- top.ts
export function apartAtTop(): number {
  return 1;
}
//- examples/one/package.json
{ "name": "one" }
//- examples/one/package-lock.json
{}
//- examples/one/tsconfig.json
${TSCONFIG}
//- examples/one/one.ts
export function apartInOne(): number {
  return 1;
}
`;

const MARKED = `const mark = (..._: unknown[]) => (..._all: unknown[]) => {};
@mark('measure')
export class MarkedSquare {
  @mark({ measure: 1 }) @mark(
    'MarkedSquare',
  )
  measure(): number {
    return 1;
  }
}
`;

function projects(
  typescript: 'auto' | 'own',
  text = PROJECTS,
): { world: RealWorld; args: readonly string[] } {
  const world = realWorld(text);
  mkdirSync(world.workspace.file('node_modules'), { recursive: true });
  symlinkSync(TYPESCRIPT_5, world.workspace.file('node_modules/typescript'));
  return { world, args: ['--typescript', typescript] };
}

describe.each(['auto', 'own'] as const)('several projects, --typescript %s', (typescript) => {
  it('have implementations of implementations, also those without a name', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    const shape = { file_path: 'core/shape.ts', symbol: 'Shape' };
    const found = await session.places('go_to_implementation', shape);
    expect(found).toEqual(expect.arrayContaining(['square/square.ts:2:14', 'rounded/rounded.ts:2:24']));
    expect(await session.places('go_to_implementation', shape)).toEqual(found);
    await world.end();
  });

  it('have callers of a property, also through a cast, and nothing that only reads it', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    const text = await session.ask('find_callers', { file_path: 'core/shape.ts', symbol: 'Hooks.onArea' });
    const [data = ''] = text.split('\n');
    expect(JSON.parse(data)).toMatchObject({
      incoming: [{ name: 'tell', call_sites: [{ line: 8 }, { line: 9 }] }],
    });
    await world.end();
  });

  it('have what a class of a package ties together, from any of them', async () => {
    const { world, args } = projects(typescript, TIED);
    await using _ = world;
    const session = await world.session(...args);
    const right = ['right/right.ts:3:3', 'right/right.ts:7:43'];
    const ofLeft = { file_path: 'left/left.ts', symbol: 'Left.render' };
    expect(await session.places('find_references', ofLeft)).toEqual([...right, 'site/footer.js:3:3']);
    // Locked apart, and so served by another.
    const ofSite = { file_path: 'site/footer.js', symbol: 'Footer.render' };
    expect(await session.places('find_references', ofSite)).toEqual(['left/left.ts:3:3', ...right]);
    await world.end();
  });

  it('say that an import of what is not built leads to a copy that something else has installed', async () => {
    const { world, args } = projects(typescript, COPIED);
    await using _ = world;
    const session = await world.session(...args);
    const use = { file_path: 'tests/spy.js', line: 2, column: 16 };
    for (const tool of ['find_references', 'go_to_definition'])
      expect(await session.ask(tool, use), tool).toMatch(/1 file .* imports maker, not built here/);
    await world.end();
  });

  it('are searched as they are after a file was deleted and written again', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    const { workspace } = world;
    const question = { file_path: 'core/shape.ts', symbol: 'Shape' };
    const before = await session.places('find_references', question);
    expect(before).toEqual(['square/square.ts:1:22', 'square/square.ts:2:29']);
    const text = workspace.read('core/shape.ts');
    workspace.remove('core/shape.ts');
    await session.ask('get_diagnostics', { file_path: 'square/square.ts' });
    workspace.write('core/shape.ts', text);
    expect(await session.places('find_references', question)).toEqual(before);
    await world.end();
  });

  it('are renamed as they are after a file was deleted and written again', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    const { workspace } = world;
    const question = { file_path: 'core/shape.ts', symbol: 'Shape' };
    await session.places('find_references', question);
    const text = workspace.read('core/shape.ts');
    workspace.remove('core/shape.ts');
    await session.ask('get_diagnostics', { file_path: 'square/square.ts' });
    workspace.write('core/shape.ts', text);
    await session.data('rename_symbol', { ...question, new_name: 'Figure' });
    expect(workspace.read('square/square.ts')).toContain('class Square extends Figure');
    await world.end();
  });

  it('have symbols of the text on disk after a rename was only tried out', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    // In no project, so that it has one of its own, which nobody asks about after the trial.
    world.workspace.write('loose.ts', "import { Shape } from './core/shape';\nexport const loose = Shape;\n");
    const session = await world.session(...args);
    const question = { file_path: 'core/shape.ts', symbol: 'Shape' };
    await session.data('rename_symbol', { ...question, new_name: 'Figure', dry_run: true, trial_ms: 30_000 });
    const found = await session.data('find_symbol', { query: 'Shape' });
    expect(found).toMatchObject([{ name: 'Shape', line: 1 }]);
    expect(await session.data('find_symbol', { query: 'Figure' })).toEqual([]);
    await world.end();
  });

  it('have members where their names stand, below what decorates them', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    world.workspace.write('square/marked.ts', MARKED);
    const found = await session.data('find_symbol', { query: 'measure' });
    expect(found).toMatchObject([{ name: 'measure', line: 7 }]);
    const shown = await session.data('find_symbol', { query: 'MarkedSquare' });
    expect(shown).toMatchObject([{ name: 'MarkedSquare', line: 3 }]);
    await world.end();
  });

  it('have what an object takes over as uses', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    world.workspace.write('core/taken.ts', TAKEN_OVER);
    const session = await world.session(...args);
    const uses = (symbol: string) =>
      session.places('find_references', { file_path: 'core/taken.ts', symbol });
    expect(await uses('settings')).toEqual(['core/taken.ts:6:11']);
    expect(await uses('given')).toEqual(['core/taken.ts:7:8']);
    expect(await uses('made')).toEqual(['core/taken.ts:8:8']);
    await world.end();
  });

  it('lead from the mark of a private name to its declaration', async () => {
    const { world, args } = projects(typescript);
    await using _ = world;
    const session = await world.session(...args);
    const mark = { file_path: 'core/shape.ts', line: 5, column: 17 };
    expect(await session.places('go_to_definition', mark)).toEqual(['core/shape.ts:2:3']);
    await world.end();
  });
});

/** Each project only knows the heir of the one before it. */
function chain(length: number): string {
  const heirs = Array.from(
    { length },
    (_, index) => `
//- p${index + 1}/tsconfig.json
${TSCONFIG}
//- p${index + 1}/heir.ts
import { Heir${index} } from '../p${index}/heir';
export class Heir${index + 1} extends Heir${index} {}`,
  );
  return `
//- package.json
{ "name": "chain", "private": true, "workspaces": ["*"] }
//- p0/tsconfig.json
${TSCONFIG}
//- p0/heir.ts
export abstract class Heir0 {}${heirs.join('')}
`;
}

describe('a chain of projects', () => {
  it('has all heirs, or says that some may be missing, and all when asked again', async () => {
    await using world = realWorld(chain(9));
    const session = await world.session();
    const asked = async () => {
      const text = await session.ask('go_to_implementation', { file_path: 'p0/heir.ts', symbol: 'Heir0' });
      const found = text.match(/p[1-9]\/heir\.ts/g) ?? [];
      return { found: new Set(found).size, isWhole: !text.includes('INCOMPLETE') };
    };
    const answers = [await asked()];
    while (!answers.at(-1)?.isWhole && answers.length < 5) answers.push(await asked());
    expect(answers.filter(({ found, isWhole }) => isWhole && found < 9)).toEqual([]);
    expect(answers.at(-1)).toEqual({ found: 9, isWhole: true });
    await world.end();
  });
});

describe('packages of one root', () => {
  it('have the same symbols whatever was asked before, though installed apart', async () => {
    await using world = realWorld(APART);
    const namesLike = async (session: RealSession, query: string) =>
      ((await session.data('find_symbol', { query, language_id: 'typescript' })) as { name: string }[])
        .map(({ name }) => name)
        .sort();
    const session = await world.session();
    expect(await session.outline('examples/one/one.ts')).toEqual(['apartInOne']);
    expect(await namesLike(session, 'apartAt')).toEqual(['apartAtTop']);
    const all = await namesLike(session, 'apart');
    expect(all).toEqual(['apartAtTop', 'apartInOne']);
    expect(await namesLike(await world.session(), 'apart')).toEqual(all);
    await world.end();
  });
});
