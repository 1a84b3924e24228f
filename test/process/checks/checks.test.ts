/** The checks are only worth something if they find faults: each is given a tree with one planted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useChecks } from '../../support/checks.ts';
import { plantedTree } from '../../support/planted-tree.ts';

const { findingsOf, problemsOf } = useChecks();

const packages = [
  'zod',
  'yargs',
  'pino',
  'pidusage',
  'proper-lockfile',
  'vscode-jsonrpc',
  '@modelcontextprotocol/server',
];
const dependencies = JSON.stringify({
  dependencies: Object.fromEntries(packages.map((name) => [name, '1'])),
});

describe('architecture', () => {
  it('finds a forbidden import planted into a copy of this tree', async () => {
    const root = plantedTree(
      {
        'src/broker/planted.ts': 'export interface Planted { readonly a: 1 }\n',
        'src/frontend/tools/planted.ts': `\nimport type { Planted } from '../../broker/planted.ts';\nexport type A = Planted;\n`,
      },
      { copy: ['src', 'package.json'] },
    );
    expect(await problemsOf('architecture', root)).toContainEqual(
      expect.stringMatching(
        /^src\/frontend\/tools\/planted\.ts:2 {2}src\/frontend\/tools has no door to src\/broker; /,
      ),
    );
  });

  const target = {
    'src/broker/a.ts': 'export const a = 0;\n',
    'src/frontend/a.ts': '',
    'src/frontend/link/a.ts': '',
  };
  const more = {
    'src/main.ts': '',
    'src/frontend/mcp/a.ts': '',
    'src/frontend/tools/a.ts': '',
    'src/frontend/features/rename/tools.ts': '',
    'src/shared/languages/a.ts': '',
  };
  it.each([
    ['src/shared/x.ts', `spawn('a', { shell: true });`, 'contains “shell: true”'],
    ['src/shared/x.ts', `exec('rm ' + file);`, 'contains “exec('],
    ['src/shared/x.ts', `import '../broker/a.ts';`, 'has no door to src/broker'],
    ['src/shared/x.ts', `export { a } from '../frontend/a.ts';`, 'has no door to src/frontend'],
    ['src/broker/x.ts', `import type { a } from '../frontend/a.ts';`, 'has no door to src/frontend'],
    ['src/frontend/x.ts', `const a = await import('../broker/a.ts');`, 'has no door to src/broker'],
    ['src/frontend/x.ts', `type A = import('../broker/a.ts').A;`, 'has no door to src/broker'],
    ['src/frontend/x.ts', `import { a } from './tools/a.ts';`, 'has no door to src/frontend/tools'],
    [
      'src/frontend/features/rename/x.ts',
      `import { a } from './tools.ts';`,
      'only the registry imports the literals of tools',
    ],
    ['src/broker/x.ts', `export const a = 1;`, 'exports a, and so does src/broker/a.ts'],
    ['src/broker/x.ts', `let count = 0;`, 'keeps state for the whole process'],
    ['src/broker/x.ts', `const seen = new Map<string, number>();`, 'keeps state for the whole process'],
    ['src/frontend/tools/x.ts', `import { a } from '../link/a.ts';`, 'has no door to src/frontend/link'],
    ['src/frontend/tools/x.ts', `import { a } from '../mcp/a.ts';`, 'has no door to src/frontend/mcp'],
    ['src/shared/base/x.ts', `import { a } from '../languages/a.ts';`, 'has no door to src/shared/languages'],
    ['src/shared/wire/x.ts', `import { a } from '../languages/a.ts';`, 'has no door to src/shared/languages'],
    ['src/shared/host/x.ts', `import { a } from '../languages/a.ts';`, 'has no door to src/shared/languages'],
    ['src/shared/x.ts', `import { a } from '../../test/a.ts';`, 'imports test/a.ts'],
    ['src/broker/x.ts', `import { z } from 'zod';`, 'must not import zod'],
    ['src/broker/x.ts', `import yargs from 'yargs/yargs';`, 'must not import yargs/yargs'],
    [
      'src/broker/x.ts',
      `import type { A } from 'vscode-jsonrpc/node';`,
      'must not import vscode-jsonrpc/node',
    ],
    [
      'src/broker/x.ts',
      `import { a } from '@modelcontextprotocol/server';`,
      'must not import @modelcontextprotocol/server',
    ],
    ['src/broker/x.ts', `import lock from 'proper-lockfile';`, 'must not import proper-lockfile'],
    ['src/frontend/x.ts', `import pidusage from 'pidusage';`, 'must not import pidusage'],
    ['src/shared/base/x.ts', `import pino from 'pino';`, 'may import only types from pino'],
    [
      'src/broker/x.ts',
      `import left from 'left-pad';`,
      'imports left-pad, which package.json does not declare',
    ],
    ['src/broker/x.ts', `import { spawn } from 'child_process';`, 'must not import node:child_process'],
    ['src/broker/x.ts', `import net from 'node:net';`, 'must not import node:net'],
    [
      'src/broker/x.ts',
      `import { setTimeout } from 'node:timers/promises';`,
      'must not import node:timers/promises',
    ],
    ['src/broker/x.ts', `process.exit(1);`, 'must not use process.exit'],
    ['src/broker/x.ts', `const { env: all } = process;`, 'must not use process.env'],
    ['src/broker/x.ts', `const home = globalThis.process['env'].HOME;`, 'must not use process.env'],
    ['src/broker/x.ts', `setTimeout(() => {}, 1);`, 'must not use setTimeout'],
    ['src/broker/x.ts', `const later = globalThis.setInterval;`, 'must not use setInterval'],
    ['src/broker/x.ts', `await import(name);`, 'import() of a computed name'],
    ['src/broker/x.ts', `export * from './a.ts';`, 'export * hides'],
    ['src/broker/index.ts', ``, 'is a barrel'],
    ['src/broker/x.ts', `// ${'TO'}DO: finish`, `contains “${'TO'}DO”`],
    ['src/frontend/tools/x.ts', `const gap = 'INCOMPLETE: not ready';`, 'render/incomplete.ts alone writes'],
    ['src/frontend/tools/x.ts', 'const wait = /retry in (\\d+) s/;', 'and no code reads it back'],
    ['src/other/x.ts', ``, 'belongs to no room'],
    ['src/broker/x.ts', `const is = link.language === 'rust';`, 'compares a language with rust'],
    ['src/broker/x.ts', `switch (plan.language) { case 'go': }`, 'compares a language with go'],
    ['src/broker/x.ts', `const a = { go: 1, rust: 2 };`, 'has a table by language: go, rust'],
    ['src/broker/x.ts', `const b = new Set(['go']);`, 'has a table by language: go'],
    ['src/broker/x.ts', `const c = ['c', 'php'].includes(d);`, 'has a table by language: c, php'],
    ['src/shared/languages/x.ts', `const is = family.id === 'go';`, 'make it a fact of the descriptors'],
    ['src/broker/x.ts', `const is = file.endsWith('.py');`, 'knows files of a language by py'],
    ['src/broker/x.ts', `const is = /_gen\\.(rs|go)$/.test(file);`, 'knows files of a language by rs, go'],
    ['src/broker/x.ts', `const is = plan.serverId === 'gopls';`, 'compares a language with gopls'],
    ['test/unit/broker/x.test.ts', `it.skip.only('a', () => {});`, 'it.only leaves the other tests out'],
    ['test/unit/broker/x.test.ts', `vi.mock('../a.ts');`, 'unit tests share a process'],
    ['test/unit/broker/x.test.ts', `process.env.HOME = '/';`, 'unit tests share a process'],
    ['test/unit/gone/x.test.ts', `it('works', () => {});`, 'belongs to no room'],
    ['test/unit/x.test.ts', `it('works', () => {});`, 'belongs to no room'],
    ['test/unit/broker/x.test.ts', `import { a } from '../../../scripts/a.ts';`, 'no test imports a script'],
    ['test/support/x.ts', `import { a } from '../../scripts/lib/a.ts';`, 'no test imports a script'],
    ['scripts/x.ts', `import { a } from '../test/real/a.ts';`, 'no script imports a test'],
    ['test/support/x.ts', `import { a } from '../real/a.ts';`, 'does not depend on any of them'],
    ['README.md', `see ${'registry'}.example.org`, `contains “${'registry'}.example.org”`],
    ['package-lock.json', `  "resolved": "https://example.org/a.tgz"`, 'works on one machine only'],
    ['.npmrc', `${'regis'}try=http://localhost`, 'the machine’s business'],
  ])('in %s refuses %s', async (file, text, message) => {
    const root = plantedTree({ 'package.json': dependencies, ...target, ...more, [file]: `${text}\n` });
    const [first = '', ...others] = await problemsOf('architecture', root);
    const [place = '', said] = first.split('  ');
    expect(place.replace(/:\d+$/, '')).toBe(file);
    expect(said).toContain(message);
    expect(others).toEqual([]);
  });

  it('takes no offence at comments, strings, templates, members and types', async () => {
    const text = [
      `// import { a } from '../broker/a.ts'; process.exit(1)`,
      `const text = "import '../broker/a.ts'; setTimeout()";`,
      'const page = `${'.concat('text} process.env`;'),
      `const pattern = /it.only('x')/;`,
      `import type { Socket } from 'node:net';`,
      `export type Timer = ReturnType<typeof setTimeout>;`,
      `export const clock = { setTimeout: (socket: Socket) => [socket, page, pattern] };`,
      `clock.setTimeout(undefined as never);`,
      `export const known = { isJson: output === 'json', isOurs: source === 'typescript', formats: ['text', 'json'] };`,
      `export const program = { names: ['go'], package: 'typescript', typescript: argv.typescript };`,
    ].join('\n');
    expect(await problemsOf('architecture', plantedTree({ 'src/frontend/x.ts': text }))).toEqual([]);
  });

  it('reports a cycle once, by its shortest path, also through import()', async () => {
    const root = plantedTree({
      'src/broker/a.ts': `import './b.ts';\n`,
      'src/broker/b.ts': `import type { C } from './c.ts';\nexport type B = C;\n`,
      'src/broker/c.ts': `export const load = () => import('./a.ts');\nexport * as d from './d.ts';\n`,
      'src/broker/d.ts': `import './a.ts';\n`,
    });
    const cycle = ['a', 'b', 'c', 'a'].map((name) => `src/broker/${name}.ts`).join(' → ');
    expect(await problemsOf('architecture', root)).toEqual([
      `src/broker/a.ts:1  import cycle: ${cycle} (give the shared type a file of its own)`,
    ]);
  });

  it('refuses a file over the limit and points at one that comes near', async () => {
    const root = plantedTree({ 'src/broker/a.ts': '\n'.repeat(301), 'src/broker/b.ts': '\n'.repeat(300) });
    const { problems, warnings } = await findingsOf('architecture', root);
    expect(problems).toEqual(['src/broker/a.ts  has 301 lines (limit 300)']);
    expect(warnings).toEqual(['src/broker/b.ts  has 300 lines (limit 300)']);
  });
});

describe('features', () => {
  const suite = `
    export function linkSuite(mode: string): void {
      describe(\`a \${mode} link\`, () => { it('answers', () => {}); });
    }`;
  const tests = `
    import { linkSuite } from '../support/link-suite.ts';
    linkSuite('direct');
    describe('outer', () => {
      it('works', () => {});
      it.each([1, 2])('counts %i', () => {});
    });
    describeWith('gopls', 'with gopls', () => { it('finds it', { timeout: 1 }, () => {}); });
    // it('is commented out', () => {});
    it.todo('is not written');`;

  const features: readonly unknown[] = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../features.json'), 'utf8'),
  );
  const knownRows = features.length;

  /** All rows planned, except what is given. */
  function featureTree(changes: readonly { row: number; [key: string]: unknown }[]): string {
    const rows = Array.from({ length: knownRows }, (_, index) => {
      const planned = { row: index + 1, text: 'Does it.', tests: [], planned: true };
      return changes.find(({ row }) => row === planned.row) ?? planned;
    });
    return plantedTree({
      'test/features.json': `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`,
      'test/unit/a.test.ts': tests,
      'test/support/link-suite.ts': suite,
    });
  }

  function row(names: readonly string[]): { row: number } {
    const full = {
      row: 1,
      text: 'Does it.',
      tests: names.map((name) => `test/unit/a.test.ts > ${name}`),
    };
    return full;
  }

  it('accepts titles with and without suites, of tables, helpers and shared suites', async () => {
    const names = [
      'works',
      'outer > works',
      'counts 2',
      'counts %i',
      'with gopls > finds it',
      'a direct link > answers',
    ];
    expect(await problemsOf('features', featureTree([row(names)]))).toEqual([]);
  });

  it.each([
    'is not there',
    'counts 3',
    'inner > works',
    'outer',
    'is commented out',
    'is not written',
    'gopls',
  ])('refuses the unknown test name “%s”', async (name) => {
    expect(await problemsOf('features', featureTree([row([name])]))).toEqual([
      `test/features.json:2  row 1 names “${name}”, which test/unit/a.test.ts does not have`,
    ]);
  });

  it('refuses an unknown test name planted into a copy of this tree', async () => {
    const root = plantedTree({}, { copy: ['test/features.json', 'test/unit'] });
    const path = join(root, 'test/features.json');
    const planted = readFileSync(path, 'utf8').replace(
      /"tests": \[/,
      '"tests": ["test/unit/shared/base/paths.test.ts > no such test", ',
    );
    writeFileSync(path, planted.replace(/, \]/, ']'));
    expect((await problemsOf('features', root)).join('\n')).toContain('names “no such test”');
  });

  it('refuses a row that is missing, double, neither planned nor tested, or malformed', async () => {
    const problems = await problemsOf(
      'features',
      featureTree([
        { row: 7, text: 'Does it.', tests: [] },
        { row: 8, text: '', tests: [], planned: true },
        { row: 9, text: 'Does it.', issue: 2, tests: [], planned: true },
      ]),
    );
    expect(problems).toContain('test/features.json:8  row 7 has no test and is not planned');
    expect(problems).toContain('test/features.json  row 8 is missing');
    expect(problems).toContainEqual(
      expect.stringContaining('test/features.json:9  needs row, text and tests'),
    );
    expect(problems).toContainEqual(
      expect.stringContaining('test/features.json:10  needs row, text and tests'),
    );

    const root = featureTree([]);
    const path = join(root, 'test/features.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"row":5,', '"row":4,'));
    expect(await problemsOf('features', root)).toEqual([
      'test/features.json:5  row 4 occurs twice',
      'test/features.json  row 5 is missing',
    ]);
  });
});

describe('decisions', () => {
  const parts = {
    Context: 'Starting takes long.',
    Decision: 'It is kept.',
    Consequence: 'It takes memory.',
    'Shown by': '`test/unit/a.test.ts > works`, `npm run bench -- --only start`',
    'Revisit when': 'starting is quick.',
    'Followed in': '`src/broker/a.ts`',
  };
  const address = 'docs/decisions/broker.md#kept-warm';

  /** One entry that is right and its follower, except for what is given; a part that is undefined is left out. */
  function decisionTree(
    changes: Readonly<Record<string, string | undefined>> = {},
    files: Readonly<Record<string, string>> = {},
  ): string {
    const written = Object.entries({ ...parts, ...changes }).flatMap(([name, text]) =>
      text === undefined ? [] : [`**${name}** ${text}\n`],
    );
    return plantedTree({
      'package.json': JSON.stringify({ scripts: { bench: 'node bench.js' } }),
      'test/unit/a.test.ts': `it('works', () => {});`,
      'docs/decisions/broker.md': ['# Decisions: broker\n', '## Kept warm\n', ...written].join('\n'),
      'src/broker/a.ts': `/**\n * Keeps it.\n * Decision: ${address}\n */\n`,
      ...files,
    });
  }

  it('accepts an entry with all its parts whose follower points back', async () => {
    expect(await problemsOf('decisions', decisionTree())).toEqual([]);
  });

  it('accepts that nothing shows it, if that is said with the reason', async () => {
    const tree = decisionTree({ 'Shown by': 'nothing yet: it cannot be measured here' });
    expect(await problemsOf('decisions', tree)).toEqual([]);
  });

  it.each(['Context', 'Decision', 'Consequence', 'Shown by', 'Revisit when'])(
    'refuses an entry that does not say “%s”, or says nothing by it',
    async (name) => {
      const problem = `docs/decisions/broker.md:3  does not say “${name}”`;
      expect(await problemsOf('decisions', decisionTree({ [name]: undefined }))).toEqual([problem]);
      expect(await problemsOf('decisions', decisionTree({ [name]: '' }))).toEqual([problem]);
    },
  );

  it.each([
    ['`test/unit/a.test.ts > fails`', 'names “fails”, which test/unit/a.test.ts does not have'],
    ['`test/unit/b.test.ts > works`', 'names a test of test/unit/b.test.ts, which is not there'],
    ['`npm run soak`', 'names `npm run soak`, which package.json does not have'],
    ['experience', 'names neither a test nor a command, and does not say “nothing yet: …”'],
  ])('refuses as proof %s', async (proof, message) => {
    expect(await problemsOf('decisions', decisionTree({ 'Shown by': proof }))).toEqual([
      `docs/decisions/broker.md:11  ${message}`,
    ]);
  });

  it('refuses a part that no decision has, and a second entry of the same name', async () => {
    expect(await problemsOf('decisions', decisionTree({ Conclusion: 'All is well.' }))).toEqual([
      'docs/decisions/broker.md:17  has a part “Conclusion”, which no decision has',
    ]);
    const twice = decisionTree({ 'Followed in': '`src/broker/a.ts`\n\n## Kept warm\n' });
    expect(await problemsOf('decisions', twice)).toContain(
      'docs/decisions/broker.md:17  has the heading of an entry above',
    );
  });

  it('refuses a follower that is not there, or does not point back', async () => {
    expect(
      await problemsOf('decisions', decisionTree({ 'Followed in': '`src/broker/a.ts`, `src/broker/b.ts`' })),
    ).toEqual(['docs/decisions/broker.md:3  is followed in src/broker/b.ts, which is not there']);
    expect(
      await problemsOf('decisions', decisionTree({}, { 'src/broker/a.ts': '/** Keeps it. */\n' })),
    ).toEqual([
      `docs/decisions/broker.md:3  is followed in src/broker/a.ts, which does not say “Decision: ${address}”`,
    ]);
  });

  it('refuses a pointer to no entry, and one of a file that the entry does not list', async () => {
    const lost = { 'src/broker/b.ts': '/** Decision: docs/decisions/broker.md#let-go */\n' };
    expect(await problemsOf('decisions', decisionTree({}, lost))).toEqual([
      'src/broker/b.ts:1  points to docs/decisions/broker.md#let-go, which docs/decisions does not have',
    ]);
    const unlisted = { 'src/broker/b.ts': `/** Decision: ${address} */\n` };
    expect(await problemsOf('decisions', decisionTree({}, unlisted))).toEqual([
      `src/broker/b.ts:1  points to ${address}, which does not list it under “Followed in”`,
    ]);
  });

  it('finds a pointer that was planted into a copy of this tree', async () => {
    const planted = { 'src/broker/planted.ts': '/** Decision: docs/decisions/broker.md#no-such-entry */\n' };
    const root = plantedTree(planted, { copy: ['src', 'test/unit', 'docs/decisions', 'package.json'] });
    expect(await problemsOf('decisions', root)).toContain(
      'src/broker/planted.ts:1  points to docs/decisions/broker.md#no-such-entry, which docs/decisions does not have',
    );
  });
});
