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
    { file: 'src/shared/x.ts', text: `spawn('a', { shell: true });`, says: 'contains “shell: true”' },
    { file: 'src/shared/x.ts', text: `exec('rm ' + file);`, says: 'contains “exec(' },
    { file: 'src/shared/x.ts', text: `import '../broker/a.ts';`, says: 'has no door to src/broker' },
    {
      file: 'src/shared/x.ts',
      text: `export { a } from '../frontend/a.ts';`,
      says: 'has no door to src/frontend',
    },
    {
      file: 'src/broker/x.ts',
      text: `import type { a } from '../frontend/a.ts';`,
      says: 'has no door to src/frontend',
    },
    {
      file: 'src/frontend/x.ts',
      text: `const a = await import('../broker/a.ts');`,
      says: 'has no door to src/broker',
    },
    {
      file: 'src/frontend/x.ts',
      text: `type A = import('../broker/a.ts').A;`,
      says: 'has no door to src/broker',
    },
    {
      file: 'src/frontend/x.ts',
      text: `import { a } from './tools/a.ts';`,
      says: 'has no door to src/frontend/tools',
    },
    {
      file: 'src/frontend/features/rename/x.ts',
      text: `import { a } from './tools.ts';`,
      says: 'only the registry imports the literals of tools',
    },
    { file: 'src/broker/x.ts', text: `export const a = 1;`, says: 'exports a, and so does src/broker/a.ts' },
    { file: 'src/broker/x.ts', text: `let count = 0;`, says: 'keeps state for the whole process' },
    {
      file: 'src/broker/x.ts',
      text: `const seen = new Map<string, number>();`,
      says: 'keeps state for the whole process',
    },
    {
      file: 'src/frontend/tools/x.ts',
      text: `import { a } from '../link/a.ts';`,
      says: 'has no door to src/frontend/link',
    },
    {
      file: 'src/frontend/tools/x.ts',
      text: `import { a } from '../mcp/a.ts';`,
      says: 'has no door to src/frontend/mcp',
    },
    {
      file: 'src/shared/base/x.ts',
      text: `import { a } from '../languages/a.ts';`,
      says: 'has no door to src/shared/languages',
    },
    {
      file: 'src/shared/wire/x.ts',
      text: `import { a } from '../languages/a.ts';`,
      says: 'has no door to src/shared/languages',
    },
    {
      file: 'src/shared/host/x.ts',
      text: `import { a } from '../languages/a.ts';`,
      says: 'has no door to src/shared/languages',
    },
    { file: 'src/shared/x.ts', text: `import { a } from '../../test/a.ts';`, says: 'imports test/a.ts' },
    { file: 'src/broker/x.ts', text: `import { z } from 'zod';`, says: 'must not import zod' },
    {
      file: 'src/broker/x.ts',
      text: `import yargs from 'yargs/yargs';`,
      says: 'must not import yargs/yargs',
    },
    {
      file: 'src/broker/x.ts',
      text: `import type { A } from 'vscode-jsonrpc/node';`,
      says: 'must not import vscode-jsonrpc/node',
    },
    {
      file: 'src/broker/x.ts',
      text: `import { a } from '@modelcontextprotocol/server';`,
      says: 'must not import @modelcontextprotocol/server',
    },
    {
      file: 'src/broker/x.ts',
      text: `import lock from 'proper-lockfile';`,
      says: 'must not import proper-lockfile',
    },
    { file: 'src/frontend/x.ts', text: `import pidusage from 'pidusage';`, says: 'must not import pidusage' },
    {
      file: 'src/shared/base/x.ts',
      text: `import pino from 'pino';`,
      says: 'may import only types from pino',
    },
    {
      file: 'src/broker/x.ts',
      text: `import left from 'left-pad';`,
      says: 'imports left-pad, which package.json does not declare',
    },
    {
      file: 'src/broker/x.ts',
      text: `import { spawn } from 'child_process';`,
      says: 'must not import node:child_process',
    },
    { file: 'src/broker/x.ts', text: `import net from 'node:net';`, says: 'must not import node:net' },
    {
      file: 'src/broker/x.ts',
      text: `import { setTimeout } from 'node:timers/promises';`,
      says: 'must not import node:timers/promises',
    },
    { file: 'src/broker/x.ts', text: `process.exit(1);`, says: 'must not use process.exit' },
    { file: 'src/broker/x.ts', text: `const { env: all } = process;`, says: 'must not use process.env' },
    {
      file: 'src/broker/x.ts',
      text: `const home = globalThis.process['env'].HOME;`,
      says: 'must not use process.env',
    },
    { file: 'src/broker/x.ts', text: `setTimeout(() => {}, 1);`, says: 'must not use setTimeout' },
    {
      file: 'src/broker/x.ts',
      text: `const later = globalThis.setInterval;`,
      says: 'must not use setInterval',
    },
    { file: 'src/broker/x.ts', text: `await import(name);`, says: 'import() of a computed name' },
    { file: 'src/broker/x.ts', text: `export * from './a.ts';`, says: 'export * hides' },
    { file: 'src/broker/index.ts', text: ``, says: 'is a barrel' },
    { file: 'src/broker/x.ts', text: `// ${'TO'}DO: finish`, says: `contains “${'TO'}DO”` },
    {
      file: 'src/frontend/tools/x.ts',
      text: `const gap = 'INCOMPLETE: not ready';`,
      says: 'render/incomplete.ts alone writes',
    },
    {
      file: 'src/frontend/tools/x.ts',
      text: 'const wait = /retry in (\\d+) s/;',
      says: 'and no code reads it back',
    },
    { file: 'src/other/x.ts', text: ``, says: 'belongs to no room' },
    {
      file: 'src/broker/x.ts',
      text: `const is = link.language === 'rust';`,
      says: 'compares a language with rust',
    },
    {
      file: 'src/broker/x.ts',
      text: `switch (plan.language) { case 'go': }`,
      says: 'compares a language with go',
    },
    {
      file: 'src/broker/x.ts',
      text: `const a = { go: 1, rust: 2 };`,
      says: 'has a table by language: go, rust',
    },
    { file: 'src/broker/x.ts', text: `const b = new Set(['go']);`, says: 'has a table by language: go' },
    {
      file: 'src/broker/x.ts',
      text: `const c = ['c', 'php'].includes(d);`,
      says: 'has a table by language: c, php',
    },
    {
      file: 'src/shared/languages/x.ts',
      text: `const is = family.id === 'go';`,
      says: 'make it a fact of the descriptors',
    },
    {
      file: 'src/broker/x.ts',
      text: `const is = file.endsWith('.py');`,
      says: 'knows files of a language by py',
    },
    {
      file: 'src/broker/x.ts',
      text: `const is = /_gen\\.(rs|go)$/.test(file);`,
      says: 'knows files of a language by rs, go',
    },
    {
      file: 'src/broker/x.ts',
      text: `const is = plan.serverId === 'gopls';`,
      says: 'compares a language with gopls',
    },
    {
      file: 'test/unit/broker/x.test.ts',
      text: `it.skip.only('a', () => {});`,
      says: 'it.only leaves the other tests out',
    },
    { file: 'test/unit/broker/x.test.ts', text: `vi.mock('../a.ts');`, says: 'unit tests share a process' },
    {
      file: 'test/unit/broker/x.test.ts',
      text: `process.env.HOME = '/';`,
      says: 'unit tests share a process',
    },
    { file: 'test/unit/gone/x.test.ts', text: `it('works', () => {});`, says: 'belongs to no room' },
    { file: 'test/unit/x.test.ts', text: `it('works', () => {});`, says: 'belongs to no room' },
    {
      file: 'test/unit/broker/x.test.ts',
      text: `import { a } from '../../../scripts/a.ts';`,
      says: 'no test imports a script',
    },
    {
      file: 'test/support/x.ts',
      text: `import { a } from '../../scripts/lib/a.ts';`,
      says: 'no test imports a script',
    },
    {
      file: 'scripts/x.ts',
      text: `import { a } from '../test/real/a.ts';`,
      says: 'no script imports a test',
    },
    {
      file: 'test/support/x.ts',
      text: `import { a } from '../real/a.ts';`,
      says: 'does not depend on any of them',
    },
    {
      file: 'README.md',
      text: `see ${'registry'}.example.org`,
      says: `contains “${'registry'}.example.org”`,
    },
    {
      file: 'package-lock.json',
      text: `  "resolved": "https://example.org/a.tgz"`,
      says: 'works on one machine only',
    },
    { file: '.npmrc', text: `${'regis'}try=http://localhost`, says: 'the machine’s business' },
  ])('in $file refuses $text', async ({ file, text, says }) => {
    const root = plantedTree({ 'package.json': dependencies, ...target, ...more, [file]: `${text}\n` });
    const [first = '', ...others] = await problemsOf('architecture', root);
    const [place = '', said] = first.split('  ');
    expect(place.replace(/:\d+$/, '')).toBe(file);
    expect(said).toContain(says);
    expect(others).toEqual([]);
  });

  it.each([
    `it.each([['a', 1]])('%s', () => {});`,
    `describe.skipIf(late).for<Row>([['a', 1]] as const)('%s', () => {});`,
    `const CASES: readonly Row[] = [['a', 1]]; it.each(CASES)('%s', () => {});`,
    `const CASES = [['a', 1]]; it.each([{ a: 1 }, ...CASES.filter(isNew)])('%s', () => {});`,
    `describe('a', () => { const cases = [['a', 1]]; test.each(cases)('%s', () => {}); });`,
    `it.each(FORMS.map((form) => [form.name, form] as const))('%s', () => {});`,
    `it.each(FORMS.flatMap((form) => (form.old ? [[form.name, form.old]] : [])))('%s', () => {});`,
  ])('refuses a row that does not name its fields: %s', async (text) => {
    const root = plantedTree({ 'test/tools/x.test.ts': `// Planted.\n${text}\n` });
    expect(await problemsOf('architecture', root)).toEqual([
      "test/tools/x.test.ts:2  has a row of a table without names: write { text: 'a', line: 1 } for ['a', 1]",
    ]);
  });

  it('points at the first row without names, once for all that use the table', async () => {
    const text = `const CASES = [\n  { a: 1 },\n  ['a', 1],\n  ['b', 1],\n];`;
    const uses = `it.each(CASES)('%s', () => {});\ntest.for(CASES)('%s', () => {});`;
    const problems = await problemsOf(
      'architecture',
      plantedTree({ 'test/tools/x.test.ts': `${text}\n${uses}` }),
    );
    expect(problems).toEqual([expect.stringMatching(/^test\/tools\/x\.test\.ts:3 /)]);
  });

  it('takes rows with names, lists of single values, records, and arrays that are no tables', async () => {
    const text = [
      `const rows = [['a', 1]];`,
      `describe('a', () => { const rows = [{ args: ['a', 1] }]; it.each(rows)('$args', () => {}); });`,
      `it.each(['a', 'b'])('%s', () => {});`,
      `it.each(rows.map(([name, line]) => ({ name, line })))('$name', () => {});`,
      `it.each(Object.entries({ a: { line: 1 } }))('%s', (name, { line }) => {});`,
      `const key = Symbol.for([['a', 1]].join());`,
    ].join('\n');
    expect(await problemsOf('architecture', plantedTree({ 'test/tools/x.test.ts': text }))).toEqual([]);
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
      it.each([{ way: 'by name' }])('goes $way', () => {});
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
      'goes $way',
      "goes 'by name'",
      'with gopls > finds it',
      'a direct link > answers',
    ];
    expect(await problemsOf('features', featureTree([row(names)]))).toEqual([]);
  });

  it.each([
    'is not there',
    'counts 3',
    "goes 'by number'",
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
    {
      proof: '`test/unit/a.test.ts > fails`',
      says: 'names “fails”, which test/unit/a.test.ts does not have',
    },
    {
      proof: '`test/unit/b.test.ts > works`',
      says: 'names a test of test/unit/b.test.ts, which is not there',
    },
    { proof: '`npm run soak`', says: 'names `npm run soak`, which package.json does not have' },
    { proof: 'experience', says: 'names neither a test nor a command, and does not say “nothing yet: …”' },
  ])('refuses as proof $proof', async ({ proof, says }) => {
    expect(await problemsOf('decisions', decisionTree({ 'Shown by': proof }))).toEqual([
      `docs/decisions/broker.md:11  ${says}`,
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
