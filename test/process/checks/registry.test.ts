/** The checks of tools, of skills and of generated documentation, on trees with a registry of their own. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useChecks, writeDocs } from '../../support/checks.ts';
import { plantedTree } from '../../support/planted-tree.ts';
import { subsetFaults } from '../../support/schema-subset.ts';

const { findingsOf, problemsOf } = useChecks();

describe('registry and documentation', () => {
  function registryTree(literals: string, more: Readonly<Record<string, string>> = {}): string {
    const registry = `import { z } from 'zod';\nexport const tools = [${literals}].map((tool) => ({ prepare() {}, ...tool }));\n`;
    const root = plantedTree({
      'src/frontend/features/registry.ts': registry,
      'test/features.json': '[]',
      ...more,
    });
    symlinkSync(resolve(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
    return root;
  }

  const field = `z.object({ file: z.string().describe('A file') })`;
  const good = `{ name: 'look_up', title: 'Look up', description: 'Looks | up. And more.', effect: 'read', input: ${field},
    output: z.array(z.string()) }`;
  const named = { 'test/tools/a.test.ts': `check('look_up');` };

  it('accepts a good tool and counts tokens', async () => {
    const { problems, notes } = await findingsOf('registry', registryTree(good, named));
    expect(problems).toEqual([]);
    expect(notes[0]).toMatch(
      /^tools\/list in o200k full: 1 tool, \d+ tokens of \d+; full with --output json: 1 tool, \d+ tokens of \d+; core: 0 tools, /,
    );
  });

  it('says everything that is wrong with a tool', async () => {
    const bad = `{ name: 'LookUpSomethingVeryLongName', title: '', description: 'x'.repeat(401), effect: 'maybe',
      input: z.object({ a: z.array(z.object({ b: z.number() })).describe('A') }), output: z.string() }`;
    const problems = (await problemsOf('registry', registryTree(`${good}, ${good}, ${bad}`))).join('\n');
    for (const fault of [
      'look_up is named by no test',
      'look_up is registered twice',
      'is not snake_case',
      'has a name of 27 characters (limit 24)',
      'has no title',
      'has a description of 401 characters (limit 400)',
      'has the effect “maybe”',
      'does not describe the field a[].b',
    ]) {
      expect(problems).toContain(fault);
    }
  });

  it('refuses what the converters of clients refuse, wherever it stands', async () => {
    const literal = `{ name: 'look_up', title: 'Look up', description: 'Looks.', effect: 'read', output: z.string(),
      input: z.object({ 'a-b': z.string().describe('A'), c: z.array(z.literal([1, 2])).describe('C') }) }`;
    expect((await problemsOf('registry', registryTree(literal, named))).join('\n')).toMatch(
      /the schema has a property with the name "a-b"[\s\S]*c\[\] has an enum of something else than texts/,
    );
    expect(
      subsetFaults({
        type: 'object',
        properties: {
          any: {},
          closed: { type: 'object', properties: {}, additionalProperties: false },
          list: { type: 'array' },
          loose: { type: 'array', items: {} },
          two: { type: ['string', 'null'] },
          other: { $ref: '#/$defs/none' },
        },
        required: ['gone'],
      }),
    ).toEqual([
      'any has no single type',
      'closed uses additionalProperties, which not all converters take',
      'list is an array without items or has items without',
      'loose[] has no single type',
      'two has no single type',
      'other uses $ref, which not all converters take',
      'other has no single type',
      'the schema requires gone, which it does not list',
    ]);
  });

  it('says that the README has no place for the tool table', async () => {
    const root = registryTree(good, { 'README.md': '# Nothing\n' });
    writeDocs(root);
    expect((await problemsOf('docs', root)).join()).toContain(
      'README.md  has no place for the table of tools',
    );
  });

  it('holds that the ways of calls go down, through files that are there', async () => {
    const architecture = [
      '## How a call travels',
      '| `frontend/link` | `daemon-link` | – |',
      '| `shared/wire` | `gone`, the role `types` | |',
      '| `frontend/session` | | |',
      '| `shared/wire` | | |',
      '## What comes then',
      '| `frontend/mcp` | `gone` | |',
    ];
    const root = registryTree(good, {
      'ARCHITECTURE.md': architecture.join('\n'),
      'src/frontend/link/daemon-link.ts': '',
    });
    expect((await problemsOf('docs', root)).filter((line) => /^ARCHITECTURE.md:/.test(line))).toEqual([
      'ARCHITECTURE.md:3  src/shared/wire has no file gone.ts',
      'ARCHITECTURE.md:4  frontend/session leads back up to src/frontend/link',
      'ARCHITECTURE.md:5  enters shared/wire twice',
    ]);
  });

  it('finds generated text that is missing or was changed by hand, and nothing after generating', async () => {
    const readme =
      '# A\n<!-- tools:begin -->\n<!-- tools:end -->\nB\n<!-- skills:begin -->\n<!-- skills:end -->\n';
    const architecture = '<!-- rooms:begin -->\n<!-- rooms:end -->\n';
    const root = registryTree(good, { 'README.md': readme, 'ARCHITECTURE.md': architecture });
    expect(await problemsOf('docs', root)).toEqual([
      'docs/features.md  is not there: run `npm run docs`',
      'docs/tools.md  is not there: run `npm run docs`',
      'docs/facades.md  is not there: run `npm run docs`',
      'README.md:3  is out of date: run `npm run docs`',
      'ARCHITECTURE.md:2  is out of date: run `npm run docs`',
    ]);
    writeDocs(root);
    expect(await problemsOf('docs', root)).toEqual([]);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(
      '| Looks \\| up. | read |\n<!-- tools:end -->\nB\n',
    );
    writeFileSync(join(root, 'docs/tools.md'), 'mine\n');
    expect(await problemsOf('docs', root)).toEqual(['docs/tools.md:1  is out of date: run `npm run docs`']);
  });
});

const HEAD = `name: look-up
description: Looks up. Use when it is not known.
license: MIT
compatibility: Needs the server.
metadata:
  argument-hint: "[symbol]"
allowed-tools: look_up`;

function treeWith(head: string, body: string, folder = 'look-up'): string {
  const registry = `import { z } from 'zod';
    export const tools = [{ name: 'look_up', title: 'Look up', description: 'Looks.', effect: 'read', prepare() {},
      input: z.object({ file: z.string().describe('A file'), all: z.boolean().optional().describe('All') }), output: z.string() }];`;
  const root = plantedTree({
    'src/frontend/features/registry.ts': registry,
    [`skills/${folder}/SKILL.md`]: `---\n${head}\n---\n\n# Look up\n\n${body}\n${'More.\n'.repeat(40)}`,
  });
  symlinkSync(resolve(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
  return root;
}

const call = (line: string) => `\`\`\`call\n${line}\n\`\`\`\n`;

describe('skills', () => {
  it('that are right are counted', async () => {
    const root = treeWith(HEAD, call('look_up {"file": "<file>", "all": true}'));
    const { problems, notes } = await findingsOf('skills', root);
    expect(problems).toEqual([]);
    expect(notes[0]).toMatch(/^1 skill, the largest of \d+ tokens of 800; /);
  });

  it.each([
    {
      what: 'a call of a tool that is not there',
      head: HEAD,
      body: call('look_down {"file": "<file>"}'),
      fault: 'calls look_down, which is no tool',
    },
    {
      what: 'a call of a tool that it does not allow',
      head: HEAD.replace('look_up', 'look_out'),
      body: call('look_up {"file": ""}'),
      fault: 'calls look_up and does not allow it',
    },
    {
      what: 'an argument that is not there',
      head: HEAD,
      body: call('look_up {"file": "", "any": 1}'),
      fault: 'passes any to look_up, which does not take it',
    },
    {
      what: 'a call without what is required',
      head: HEAD,
      body: call('look_up {"all": true}'),
      fault: 'calls look_up without file',
    },
    {
      what: 'what is no call',
      head: HEAD,
      body: call('look up'),
      fault: 'is not a tool with its arguments as JSON: look up',
    },
    {
      what: 'a word that means nothing',
      head: HEAD,
      body: 'Take `look_up` or `look_it_up`.',
      fault: 'speaks of look_it_up',
    },
    {
      what: 'a tool that it names and does not allow',
      head: HEAD.replace('look_up', 'look_out'),
      body: 'Take `look_up`.',
      fault: 'names look_up and does not allow it',
    },
    {
      what: 'a parameter that no tool of it takes',
      head: HEAD,
      body: 'Take `look_up` with `"most": 3`.',
      fault: 'speaks of "most"',
    },
    {
      what: 'a key that the format does not have',
      head: `${HEAD}\nargument-hint: a`,
      body: '`look_up`',
      fault: 'has the key argument-hint',
    },
    {
      what: 'another name',
      head: HEAD.replace('name: look-up', 'name: look-down'),
      body: '`look_up`',
      fault: 'is called look-down in the folder look-up',
    },
    {
      what: 'no word on when to use it',
      head: HEAD.replace('Use when', 'For when'),
      body: '`look_up`',
      fault: 'does not say in its description when to use it',
    },
    {
      what: 'more than a model should read',
      head: HEAD,
      body: 'word '.repeat(1_000),
      fault: 'tokens (budget 800)',
    },
  ])('are refused with $what', async ({ head, body, fault }) => {
    expect((await problemsOf('skills', treeWith(head, body))).join('\n')).toContain(fault);
  });
});
