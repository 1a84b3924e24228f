/** Packages that cannot be imported before they are built, from their manifests alone. */
import { describe, expect, it } from 'vitest';
import { type UnbuiltPackage, unbuiltPackages } from '../../../../src/shared/projects/unbuilt-packages.ts';
import { createWorkspace, type Workspace } from '../../../support/workspace.ts';

const CORE = `
//- core/package.json
{ "name": "@mono/core", "exports": { ".": { "@mono/source": "./src/index.ts", "default": "./dist/index.js" } } }
//- core/src/index.ts
export {};
//- core/tsconfig.json
{}
//- app/package.json
{ "name": "@mono/app", "main": "./dist/main.js", "dependencies": { "@mono/core": "*", "left-pad": "*" } }
//- tools/package.json
{ "name": "@mono/tools", "main": "./index.js" }
//- tools/index.js
export {};
`;

function unbuilt(workspace: Workspace): readonly UnbuiltPackage[] {
  return unbuiltPackages(
    ['core', 'app', 'tools'].map((directory) => workspace.file(`${directory}/package.json`)),
    new Set([workspace.file('core')]),
  );
}

function named(workspace: Workspace, name: string): UnbuiltPackage {
  const found = unbuilt(workspace).find((each) => each.name === name);
  if (!found) throw new Error(`${name} is not among them`);
  return found;
}

describe('a package that is not built', () => {
  it('is one whose entry is not there, until it is there', async () => {
    await using workspace = createWorkspace(CORE);
    const names = () => unbuilt(workspace).map(({ name }) => name);
    expect(names()).toEqual(['@mono/core', '@mono/app']);
    workspace.write('core/dist/index.js', '');
    expect(names()).toEqual(['@mono/app']);
  });

  it('is none where the types of an import are there, whatever it runs', async () => {
    await using workspace = createWorkspace(`
//- core/package.json
{ "name": "@mono/core", "exports": { "./a": { "types": "./src/a.ts", "default": "./dist/a.js" } } }
//- core/src/a.ts
export {};
//- app/package.json
{ "name": "@mono/app", "types": "./src/app.ts", "main": "./dist/app.js" }
//- app/src/app.ts
export {};
`);
    expect(unbuilt(workspace)).toEqual([]);
  });

  it('is one whose entry has no ending, until its file or its index is there', async () => {
    await using workspace = createWorkspace(`
//- core/package.json
{ "name": "@mono/core", "main": "dist/index", "types": "dist/index" }
//- app/package.json
{ "name": "@mono/app", "main": "lib" }
`);
    expect(unbuilt(workspace).map(({ name }) => name)).toEqual(['@mono/core', '@mono/app']);
    workspace.write('core/dist/index.d.ts', '');
    workspace.write('core/dist/index.d.ts.map', '');
    workspace.write('app/lib/index.js', '');
    expect(unbuilt(workspace)).toEqual([]);
  });

  it('lacks maps where its declarations lead to no sources, and only for what those declare', async () => {
    await using workspace = createWorkspace(CORE);
    workspace.write('core/dist/index.js', '');
    workspace.write('core/dist/index.d.ts', 'export {};\n');
    const { lacks, leadsTo } = named(workspace, '@mono/core');
    expect(lacks).toBe('maps');
    expect(leadsTo(workspace.file('core/src/index.ts'))).toBe(true);
    expect(leadsTo(workspace.file('core/dist/index.d.ts'))).toBe(false);
    workspace.write('core/dist/index.d.ts.map', '{}');
    expect(unbuilt(workspace).map(({ name }) => name)).toEqual(['@mono/app']);
  });

  it('lacks nothing where declarations are written by hand', async () => {
    await using workspace = createWorkspace(CORE);
    workspace.write('tools/index.d.ts', 'export {};\n');
    expect(unbuilt(workspace).map(({ name }) => name)).not.toContain('@mono/tools');
  });

  it('is not told by patterns, data or manifests without a name or an entry', async () => {
    await using workspace = createWorkspace(`
//- core/package.json
{ "name": "@mono/core", "exports": { "./*": "./dist/*.js", "./package.json": "./gone.json" } }
//- app/package.json
{ "main": "./dist/main.js" }
//- tools/package.json
{ "name": "@mono/tools", 
`);
    expect(unbuilt(workspace)).toEqual([]);
  });

  it('is imported by its name or a path below it, and not by examples in comments', async () => {
    await using workspace = createWorkspace(CORE);
    const { isImportedIn } = named(workspace, '@mono/core');
    expect(isImportedIn("import { a } from '@mono/core';")).toBe(true);
    expect(isImportedIn('const a = await import("@mono/core/deep");')).toBe(true);
    expect(isImportedIn("import { a } from '@mono/core-tools';")).toBe(false);
    expect(isImportedIn("/**\n * import { a } from '@mono/core';\n */")).toBe(false);
    expect(isImportedIn("// import { a } from '@mono/core';")).toBe(false);
  });

  it('leads to its own files and to those of packages that it needs', async () => {
    await using workspace = createWorkspace(CORE);
    const inCore = workspace.file('core/src/index.ts');
    expect(named(workspace, '@mono/app').leadsTo(inCore)).toBe(true);
    expect(named(workspace, '@mono/core').leadsTo(inCore)).toBe(true);
    expect(named(workspace, '@mono/core').leadsTo(workspace.file('app/src/main.ts'))).toBe(false);
    expect(named(workspace, '@mono/app').leadsTo(workspace.file('tools/index.js'))).toBe(false);
  });

  it.each([
    {
      by: 'a path mapping',
      config: { compilerOptions: { paths: { '@mono/*': ['./*/src'] } } },
      expected: true,
    },
    {
      by: 'a mapping of its name',
      config: { compilerOptions: { paths: { '@mono/core': ['./core/src'] } } },
      expected: true,
    },
    {
      by: 'a mapping of others',
      config: { compilerOptions: { paths: { '@other/*': ['./*/src'] } } },
      expected: false,
    },
    {
      by: 'a condition',
      config: { compilerOptions: { customConditions: ['@mono/source'] } },
      expected: true,
    },
    {
      by: 'another condition',
      config: { compilerOptions: { customConditions: ['@other/source'] } },
      expected: false,
    },
    { by: 'a reference', config: { references: [{ path: './core' }] }, expected: true },
    { by: 'nothing', config: {}, expected: false },
  ])('is found all the same by $by, or not', async ({ config, expected }) => {
    await using workspace = createWorkspace(CORE);
    const file = workspace.write('tsconfig.json', JSON.stringify(config));
    expect(named(workspace, '@mono/core').isFoundBy(file)).toBe(expected);
  });

  it('is not found by a file of no project', async () => {
    await using workspace = createWorkspace(CORE);
    expect(named(workspace, '@mono/core').isFoundBy(undefined)).toBe(false);
  });
});
