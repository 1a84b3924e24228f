import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseRunners } from '../../../../../src/frontend/features/builds/choose-runner.ts';
import type { Task } from '../../../../../src/shared/languages/runner-rows.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

interface Question {
  readonly task?: Task;
  readonly from?: string;
  readonly family?: string;
  readonly preferred?: string;
}

/** What would run of each system, where, and what would be left out: `vitest and go test in web, not make test`. */
async function chosen(
  text: string,
  { task = 'test', from = '.', family, preferred }: Question = {},
): Promise<string> {
  await using workspace = createWorkspace(text);
  const { cwd, systems, leftOut } = chooseRunners({
    task,
    start: workspace.file(from),
    boundary: workspace.root,
    family,
    preferred,
  });
  const without = leftOut.length === 0 ? '' : `, not ${leftOut.map(({ name }) => name).join(' or ')}`;
  return `${systems.map(([{ name }]) => name).join(' and ')} in ${path.relative(workspace.root, cwd) || '.'}${without}`;
}

function manifest(fields: object): string {
  return `//- package.json\n${JSON.stringify(fields)}\n`;
}

describe('the test runner of a JavaScript project', () => {
  it('is the one that the script calls, before one that is only installed', async () => {
    const both = { devDependencies: { vitest: '4', jest: '30' } };
    expect(await chosen(manifest({ ...both, scripts: { test: 'jest --ci' } }))).toBe('jest in .');
    expect(await chosen(manifest(both))).toBe('vitest in .');
    expect(await chosen(manifest({ scripts: { test: 'c8 mocha' } }))).toBe('mocha in .');
    expect(await chosen(manifest({ scripts: { test: 'bun test' } }))).toBe('bun test in .');
  });

  it('is Node’s own where the script says so, or where there is no script', async () => {
    const script = { test: 'node --import tsx --test test/*.ts' };
    expect(await chosen(manifest({ scripts: script }))).toBe('npm test (node --test) in .');
    expect(await chosen(manifest({ name: 'plain' }))).toBe('node --test in .');
  });

  it('is the script itself where nothing better is known', async () => {
    expect(await chosen(manifest({ scripts: { test: 'make-sure' } }))).toBe('npm test in .');
    const placeholder = { test: 'echo "Error: no test specified" && exit 1' };
    await expect(chosen(manifest({ scripts: placeholder }))).rejects.toThrow('nothing to test');
  });
});

describe('among several projects', () => {
  const monorepo = `
  //- package.json
  { "devDependencies": { "vitest": "4" } }
  //- packages/a/package.json
  { "name": "a", "scripts": { "test": "vitest run" } }
  //- packages/a/src/x.ts
  //- packages/b/package.json
  { "name": "b", "scripts": { "lint": "biome" } }
  //- api/go.mod
  module m
  //- api/Makefile
  test:
  //- tools/pyproject.toml
  //- tools/tests/test_a.py
  `;

  it('the nearest decides', async () => {
    expect(await chosen(monorepo, { from: 'packages/a/src' })).toBe('vitest in packages/a');
    expect(await chosen(monorepo)).toBe('vitest in .');
  });

  it('a project comes before the directory of its tests', async () => {
    expect(await chosen(monorepo, { from: 'tools/tests' })).toBe('pytest in tools');
    expect(await chosen('//- sub/tests/test_a.py\n', { from: 'sub/tests' })).toBe('pytest in sub/tests');
  });

  it('the language that was asked for or that the file has comes first', async () => {
    expect(await chosen(monorepo, { from: 'api' })).toBe('go test in api, not make test');
    expect(await chosen(monorepo, { from: 'api', family: 'cpp' })).toBe('make test in api');
    expect(await chosen(monorepo, { from: 'api', preferred: 'typescript' })).toBe('vitest in .');
    expect(await chosen(monorepo, { from: 'api', preferred: 'ruby' })).toBe('go test in api, not make test');
  });
});

describe('several build systems in one directory', () => {
  const build = { task: 'build' } as const;

  it('are all meant, each by the best of its runners', async () => {
    const roots = '//- tsconfig.json\n{}\n//- pyproject.toml\n[tool.mypy]\n//- go.mod\nmodule m\n';
    expect(await chosen(roots, build)).toBe('go build and mypy and tsc in .');
    expect(await chosen(roots, { ...build, family: 'python' })).toBe('mypy in .');
    expect(await chosen(roots, { ...build, preferred: 'typescript' })).toBe('tsc in .');
    expect(await chosen('//- Cargo.toml\n//- package.json\n{ "scripts": { "test": "vitest" } }\n')).toBe(
      'cargo test and vitest in .',
    );
  });

  it('are not those that only call or serve the others, which are named', async () => {
    expect(await chosen('//- go.mod\nmodule m\n//- Makefile\nall:\n\tgo build ./...\n', build)).toBe(
      'go build in ., not make',
    );
    expect(await chosen('//- go.mod\nmodule m\n//- Makefile\nall:\n\t$(CC) a.c\n', build)).toBe(
      'go build and make in .',
    );
    const tools = '//- go.mod\nmodule m\n//- package.json\n{ "devDependencies": { "eslint": "9" } }\n';
    expect(await chosen(tools, build)).toBe('go build in ., not eslint');
    expect(await chosen(tools)).toBe('go test in ., not node --test');
  });
});

describe('a build', () => {
  it('follows references where a tsconfig has them', async () => {
    const build = { task: 'build' } as const;
    expect(await chosen('//- tsconfig.json\n{}\n', build)).toBe('tsc in .');
    expect(await chosen('//- tsconfig.json\n{ "references": [] }\n', build)).toBe('tsc --build in .');
    expect(await chosen(manifest({ scripts: { build: 'vite build' } }), build)).toBe('npm run build in .');
  });

  it('of Python is by mypy where that is configured', async () => {
    expect(await chosen('//- pyproject.toml\n[tool.mypy]\nstrict = true\n', { task: 'build' })).toBe(
      'mypy in .',
    );
    expect(await chosen('//- pyproject.toml\n[project]\n', { task: 'build' })).toBe('pyright in .');
  });
});
