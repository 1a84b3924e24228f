/** The oracle on small repositories in which the truth can be read. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import ts from 'typescript5';
import { afterEach, describe, expect, it } from 'vitest';
import { isUsable } from '../../support/judge/oracle/compiler.ts';
import { declarationsIn } from '../../support/judge/oracle/declarations.ts';
import { truthOf } from '../../support/judge/oracle/find-truth.ts';
import { classAt } from '../../support/judge/oracle/place-class.ts';
import { isShadow } from '../../support/judge/oracle/shadows.ts';
import { sourcesBehind, targetsOf } from '../../support/judge/oracle/unbuilt-packages.ts';
import { TOOLS, type Tool, type Truth } from '../../support/judge/truth.ts';

const made: string[] = [];
afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

function truthAbout(texts: Readonly<Record<string, string>>): Truth {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-judge-')));
  made.push(root);
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return truthOf({ root, symbols: 20, seed: 1, tools: TOOLS });
}

function expected({ questions }: Truth, tool: Tool, name: string): string[] {
  const found = questions.find((each) => each.tool === tool && each.name === name && !each.isAtUse);
  return (found?.expected ?? []).map(
    ({ file, line, class: kind, needsBuild }) => `${file}:${line} ${kind}${needsBuild ? ' unbuilt' : ''}`,
  );
}

describe('the oracle', () => {
  it('finds uses in other projects and in files of none, with the options of their own projects', () => {
    const truth = truthAbout({
      'lib/tsconfig.json': '{ "include": ["*.ts"] }',
      'lib/lib.ts': 'export function shared() {}\n',
      'app/tsconfig.json':
        '{ "compilerOptions": { "paths": { "~lib": ["../lib/lib.ts"] } }, "include": ["app.ts"] }',
      'app/app.ts': `import { shared } from '~lib';\nshared();\n`,
      'app/loose.mjs': `import { shared } from '../lib/lib.ts';\nshared();\n`,
    });
    expect(truth.remarks[0]).toContain('1 files are in none');
    expect(expected(truth, 'references', 'shared').sort()).toEqual([
      'app/app.ts:1 import',
      'app/app.ts:2 call',
      'app/loose.mjs:1 import',
      'app/loose.mjs:2 call',
      'lib/lib.ts:1 definition',
    ]);
    expect(expected(truth, 'callers', 'shared').sort()).toEqual([
      'app/app.ts:2 call',
      'app/loose.mjs:2 call',
    ]);
  });

  it('follows references to the source, and says what only a build would show', () => {
    const project = (references: string) =>
      `{ "compilerOptions": { "composite": true, "outDir": "dist", "module": "esnext", "moduleResolution": "bundler" }, "include": ["*.ts"], "references": [${references}] }`;
    const use = `import { shared } from '../lib/dist/lib';\nshared();\n`;
    const truth = truthAbout({
      'lib/tsconfig.json': project(''),
      'lib/lib.ts': 'export function shared() {}\n',
      'near/tsconfig.json': project('{ "path": "../lib" }'),
      'near/near.ts': use,
      'far/tsconfig.json': project(''),
      'far/far.ts': use,
    });
    expect(expected(truth, 'callers', 'shared').sort()).toEqual([
      'far/far.ts:2 call unbuilt',
      'near/near.ts:2 call',
    ]);
  });

  it('knows implementations and all declarations of a name', () => {
    const truth = truthAbout({
      'tsconfig.json': '{ "include": ["*.ts"] }',
      'a.ts': 'export interface Shape {\n  area(): number;\n}\n',
      'b.ts': `import type { Shape } from './a';\nexport class Square implements Shape {\n  area() { return 1; }\n}\n`,
    });
    expect(expected(truth, 'implementations', 'Shape')).toEqual(['b.ts:2 declaration']);
    expect(expected(truth, 'symbols', 'area').sort()).toEqual(['a.ts:2 member', 'b.ts:3 member']);
  });
});

describe('at a use', () => {
  const texts = {
    'tsconfig.json': '{ "include": ["*.ts"] }',
    'a.ts': `export abstract class Base {
  abstract parse(): void;
}
export class Sub extends Base {
  parse(): void {}
}
export function go(base: Base) {
  base.parse();
}
export function twice(value: string): void;
export function twice(value: number): void;
export function twice(_value: unknown): void {}
`,
    'b.ts': `import { twice } from './a';\ntwice(1);\n`,
  };

  it('a member of a base is its own declaration, also when an override was drawn', () => {
    const { questions } = truthAbout(texts);
    const parse = questions.filter(({ tool, name }) => tool === 'references' && name === 'parse');
    expect(parse).toHaveLength(2);
    for (const { isAtUse, expected: places } of parse) {
      const base = places.find(({ line }) => line === 2);
      if (isAtUse) expect(base?.class).toBe('definition');
    }
  });

  it('of merged declarations one is the definition, and the other may be listed', () => {
    const { questions } = truthAbout({
      'tsconfig.json': '{ "include": ["*.ts"] }',
      'a.ts':
        'export class Linter { constructor(_a: number) {} }\nexport namespace Linter {\n  export type Config = 1;\n}\n',
      'b.ts': `import { Linter } from './a';\nnew Linter(1);\n`,
    });
    const found = questions.find(({ tool, name }) => tool === 'definition' && name === 'Linter');
    const lines = new Set(found?.expected.map(({ line, class: kind }) => `${line} ${kind}`));
    expect(lines).toEqual(new Set(['1 definition', '2 declaration']));
  });

  it('of a class and its constructor either is the definition of what is made', () => {
    const { questions } = truthAbout({
      'a.ts': 'export class Box {\n  constructor(readonly size: number) {}\n}\n',
      'b.ts': `import { Box } from './a';\nnew Box(1);\n`,
    });
    const found = questions.find(
      ({ tool, name, at }) => tool === 'definition' && name === 'Box' && at.line === 2,
    );
    expect(found?.expected.map(({ line }) => line).sort()).toEqual([1, 2]);
    expect(new Set(found?.expected.map(({ group }) => group)).size).toBe(1);
  });

  it('any overload is the definition', () => {
    const { questions } = truthAbout(texts);
    const found = questions.find(({ tool, name }) => tool === 'definition' && name === 'twice');
    expect(found?.expected.map(({ line }) => line)).toEqual([10, 11, 12]);
    expect(new Set(found?.expected.map(({ group }) => group)).size).toBe(1);
  });
});

describe('packages that are not built', () => {
  it('have their sources behind what their manifest names', () => {
    expect(sourcesBehind('./dist/esm/map.d.ts')).toEqual([
      'dist/esm/map',
      'src/esm/map',
      'esm/map',
      'src/map',
      'map',
    ]);
    const exports = { '.': { types: './dist/a.d.ts' }, './*': { import: './dist/*.js' } };
    expect(targetsOf({ exports }, '.')).toEqual(['./dist/a.d.ts']);
    expect(targetsOf({ exports }, './map')).toEqual(['./dist/map.js']);
    expect(targetsOf({ exports: { import: './a.js' } }, '.')).toEqual(['./a.js']);
    expect(targetsOf({ main: 'index.js' }, '.')).toEqual(['index.js']);
    expect(targetsOf({ main: 'index.js' }, './map')).toEqual([]);
  });

  it('are used all the same', () => {
    const truth = truthAbout({
      'package.json': '{ "name": "ours", "exports": { "./map": "./dist/map.js" } }',
      'tsconfig.json':
        '{ "compilerOptions": { "noEmit": true, "module": "esnext", "moduleResolution": "bundler" } }',
      'src/map.ts': 'export function shared() {}\n',
      'test/use.ts': `import { shared } from 'ours/map';\nshared();\n`,
    });
    expect(truth.remarks[1]).toContain('0 imports');
    expect(expected(truth, 'callers', 'shared')).toEqual(['test/use.ts:2 call unbuilt']);
  });
});

describe('a rename', () => {
  it('follows re-exports, and leaves what has another name', () => {
    const truth = truthAbout({
      'tsconfig.json': '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }',
      'a.ts': 'export function shared() {}\n',
      'index.ts': `export { shared } from './a';\n`,
      'use.ts': `import { shared } from './index';\nimport { shared as other } from './a';\nshared();\nother();\n`,
    });
    expect(expected(truth, 'rename', 'shared').sort()).toEqual([
      'a.ts:1 declaration',
      'index.ts:1 export',
      'use.ts:1 import',
      'use.ts:2 import',
      'use.ts:3 call',
    ]);
  });
});

describe('a rename of a member', () => {
  it('changes where it is taken apart, and not the variable that comes of it', () => {
    const truth = truthAbout({
      'tsconfig.json': '{}',
      'a.ts':
        'export interface Box {\n  quux: number;\n}\nexport const f = (box: Box) => {\n  const { quux } = box;\n  return quux;\n};\n',
    });
    expect(expected(truth, 'rename', 'quux')).toEqual(['a.ts:2 declaration', 'a.ts:5 use']);
  });
});

describe('classes of places', () => {
  const text = `import { run as go } from './a';
go(); new go.Thing(); (go as any)(); go\`x\`; value.go; ({ go });
class A { constructor() {} }
/** {@link go go[]} */
export default go;`;
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.ESNext, true);
  it.each([
    { words: 'run as', kind: 'import' },
    { words: 'go();', kind: 'call' },
    { words: 'Thing', kind: 'new' },
    { words: 'go as any', kind: 'call' },
    { words: 'go`x`', kind: 'tag' },
    { words: 'go; ({', kind: 'property' },
    { words: 'go });', kind: 'shorthand' },
    { words: 'constructor', kind: 'keyword' },
    { words: 'go go[]', kind: 'comment' },
    { words: 'go;', kind: 'property' },
  ])('$words is a $kind', ({ words, kind }) => expect(classAt(ts, file, text.indexOf(words))).toBe(kind));
});

describe('declarations', () => {
  it('are told apart: what files declare, and what is inside of code', () => {
    const text = `export const { left } = pair; const fs = require('fs');
export class Box { constructor(private width: number) { const inner = 1; } get size() { return 1; } }
export const settings = { depth: 1 };
function hidden() {}
settings.height = 2; const more = { [settings.length]: 1 };`;
    const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext, true);
    const found = declarationsIn(ts, file).map(({ name, class: kind, isCandidate }) => [
      name,
      kind,
      isCandidate,
    ]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['left', 'top-level', false],
        ['fs', 'import', false],
        ['Box', 'top-level', true],
        ['width', 'member', false],
        ['inner', 'local', false],
        ['size', 'member', true],
        ['depth', 'literal-member', false],
        ['hidden', 'top-level', false],
        ['height', 'assigned', false],
        ['length', 'assigned', false],
      ]),
    );
  });
});

it('sets aside what would hide a package of the repository from all others', () => {
  const packages = new Set(['ours']);
  expect(isShadow(ts, `declare module 'ours' {}\n`, packages)).toBe(true);
  expect(isShadow(ts, `import 'a';\ndeclare module 'ours' {}\n`, packages)).toBe(false);
  expect(isShadow(ts, `declare module '*.svg' {}\n`, packages)).toBe(false);
});

it.each([
  { version: '4.9.5', expected: false },
  { version: '5.1.3', expected: true },
  { version: '6.0.3', expected: true },
  { version: '7.0.2', expected: false },
])('TypeScript $version can judge: $expected', ({ version, expected }) =>
  expect(isUsable(version)).toBe(expected),
);
