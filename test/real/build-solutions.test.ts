/** TypeScript solutions: each project that the references lead to is checked, and nothing is written beside the sources. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';

/** `app` uses `core` by its path and `util` by the name of its package, of which nothing was built. */
const SOLUTION = `
//- tsconfig.json
{ "files": [], "references": [{ "path": "./packages/app" }, { "path": "./tools/tsconfig.tools.json" }] }
//- tsconfig.base.json
{ "compilerOptions": { "composite": true, "strict": true, "types": [], "lib": ["es5"], "skipLibCheck": true,
  "module": "nodenext" } }
//- package.json
{ "name": "all", "type": "module", "private": true, "workspaces": ["packages/*"] }
//- packages/core/tsconfig.json
{ "extends": "../../tsconfig.base.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }
//- packages/core/package.json
{ "name": "core", "type": "module" }
//- packages/core/src/index.ts
export const width: number = 1;
//- packages/util/tsconfig.json
{ "extends": "../../tsconfig.base.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }
//- packages/util/package.json
{ "name": "util-kit", "type": "module", "exports": "./dist/index.js", "types": "./dist/index.d.ts" }
//- packages/util/src/index.ts
export const double = (value: number): number => value * 2;
//- packages/app/tsconfig.json
{ "extends": "../../tsconfig.base.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"],
  "references": [{ "path": "../core" }, { "path": "../util" }] }
//- packages/app/package.json
{ "name": "app", "type": "module" }
//- packages/app/src/index.ts
import { double } from 'util-kit';
import { width } from '../../core/src/index.js';
export const total: number = double(width);
//- tools/tsconfig.tools.json
{ "compilerOptions": { "noEmit": true, "incremental": true, "strict": true, "types": [], "lib": ["es5"],
  "tsBuildInfoFile": "../node_modules/.tmp/tools.tsbuildinfo" }, "include": ["*.ts"] }
//- tools/make.ts
export const tool = 1;
`;

interface Build {
  readonly success: boolean;
  readonly errors: readonly { readonly file?: string; readonly line?: number; readonly message: string }[];
  readonly projects_checked?: number;
  readonly projects_not_checked?: readonly { readonly project: string; readonly reason: string }[];
}

const INSTALLED = path.resolve(import.meta.dirname, '../../node_modules');

describe.each(['typescript', 'typescript5'])('a solution with %s', (compiler) => {
  let world: RealWorld;
  let session: RealSession;

  beforeAll(async () => {
    world = realWorld(SOLUTION);
    mkdirSync(world.workspace.file('node_modules'));
    symlinkSync(path.join(INSTALLED, compiler), world.workspace.file('node_modules/typescript'));
    symlinkSync('../packages/util', world.workspace.file('node_modules/util-kit'));
    session = await world.session('--daemon', 'never');
  }, 60_000);

  afterAll(async () => {
    await world.end();
    await world[Symbol.asyncDispose]();
  });

  const files = () => readdirSync(world.workspace.root, { recursive: true }).map(String).sort();
  const build = async () =>
    (await session.frontEnd.call('run_build', {}, { timeoutMs: 100_000 })).json as Build;

  it('is clean where the compiler finds nothing, and leaves no file behind', async () => {
    const before = files();
    expect(await build()).toMatchObject({
      success: true,
      errors: [],
      projects_checked: 4,
      projects_not_checked: [],
    });
    expect(files()).toEqual(before);
  }, 120_000);

  it('has the errors of each project at its own place, and names what could not be checked first', async () => {
    world.edit('packages/util/src/index.ts', 'value * 2', 'String(value)');
    world.edit('packages/app/src/index.ts', 'total: number', 'total: string');
    world.edit('tsconfig.json', '"./packages/app"', '"./packages/gone" }, { "path": "./packages/app"');
    const { json, text } = await session.frontEnd.call('run_build', {}, { timeoutMs: 100_000 });
    const { success, errors, ...rest } = json as Build;
    expect(success).toBe(false);
    const places = errors.map(
      ({ file = '', line }) => `${path.relative(world.workspace.root, file)}:${line}`,
    );
    expect(places).toContain('packages/util/src/index.ts:1');
    expect(places).toContain('packages/app/src/index.ts:3');
    // The third is about the project that is not there.
    expect(places).toHaveLength(3);
    expect(rest).toMatchObject({
      projects_checked: 4,
      projects_not_checked: [{ project: 'packages/gone', reason: 'does not exist' }],
    });
    expect(text).toContain('INCOMPLETE: 1 of 5 projects were not checked: packages/gone (does not exist)');
  }, 120_000);
});

describe('an incremental project', () => {
  it('is checked without leaving a file that says what was seen', async () => {
    const world = realWorld(`
    //- tsconfig.json
    { "compilerOptions": { "composite": true, "types": [], "outDir": "out" }, "include": ["*.ts"] }
    //- a.ts
    export const a = 1;
    `);
    await using _gone = world;
    const before = readdirSync(world.workspace.root);
    const session = await world.session('--daemon', 'never');
    expect(await session.data('run_build')).toMatchObject({ success: true });
    expect(readdirSync(world.workspace.root)).toEqual(before);
    await world.end();
  }, 60_000);
});
