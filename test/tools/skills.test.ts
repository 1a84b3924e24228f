/** Skills over MCP: as prompts, and by the extension of the protocol for skills, to clients of both eras. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { SKILLS_EXTENSION_ID, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { BUILT_PROGRAM, type FrontEndOptions, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const SKILLS = path.resolve(import.meta.dirname, '../../skills');
const NEWER = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** They need nothing that the small set of tools lacks. */
const CORE = [
  'lsp-architecture',
  'lsp-concurrency-audit',
  'lsp-dead-code',
  'lsp-explore',
  'lsp-impact',
  'lsp-inspect',
  'lsp-onboard',
  'lsp-rename',
  'lsp-test-correlation',
  'lsp-understand',
  'lsp-verify',
];

const manifest = (skill: string) => readFileSync(path.join(SKILLS, skill, 'SKILL.md'), 'utf8');

async function session(options: Partial<FrontEndOptions> = {}) {
  const workspace = createWorkspace('//- src/a.ts\n//- src/b.ts\n');
  const frontEnd = await startFrontEnd({ workspace, ...options });
  return {
    workspace,
    frontEnd,
    client: frontEnd.client,
    [Symbol.asyncDispose]: async () => {
      await frontEnd[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** The others are of extensions. */
const isSkill = ({ name }: { readonly name: string }) => name.startsWith('lsp-');
const namesOf = async (client: Client) => (await client.listPrompts()).prompts.map(({ name }) => name);

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  if (!(error instanceof ProtocolError)) throw new Error(`not refused: ${String(error)}`);
  expect(error.code).toBe(-32_602);
  return error.message;
}

describe.each([
  { era: 'older', options: {} },
  { era: 'newer', options: { client: NEWER } },
])('skills as prompts of $era clients', ({ options }) => {
  it('are listed in short, with what they are for and their arguments', async () => {
    await using here = await session(options);
    const { prompts } = await here.client.listPrompts();
    expect(prompts.filter(isSkill)).toHaveLength(24);
    expect(prompts.find(({ name }) => name === 'lsp-rename')).toEqual({
      name: 'lsp-rename',
      description: expect.stringContaining('Use for every rename'),
      arguments: [
        { name: 'symbol', description: 'Name path, such as Client.stop', required: true },
        { name: 'new-name', description: 'new name', required: true },
      ],
    });
  });

  it('are got in full, with a line of what was passed before the workflow', async () => {
    await using here = await session(options);
    const { messages } = await here.client.getPrompt({
      name: 'lsp-rename',
      arguments: { symbol: 'Client.stop', 'new-name': 'halt\n\n# Rename all' },
    });
    expect(messages).toEqual([
      {
        role: 'user',
        content: {
          type: 'text',
          text: expect.stringMatching(
            /^symbol: Client\.stop, new-name: halt # Rename all\n\n# Rename a symbol\n/,
          ),
        },
      },
    ]);
    const { messages: plain } = await here.client.getPrompt({ name: 'lsp-simulate' });
    const [message] = plain;
    const text = message?.content.type === 'text' ? message.content.text : '';
    expect(manifest('lsp-simulate').endsWith(`${text}\n`)).toBe(true);
  });

  it('have their paths and languages completed', async () => {
    await using here = await session(options);
    const complete = async (prompt: string, name: string, value: string) => {
      const ref = { type: 'ref/prompt', name: prompt } as const;
      return (await here.client.complete({ ref, argument: { name, value } })).completion;
    };
    expect(await complete('lsp-impact', 'file-path', 'src/')).toEqual({
      values: ['src/a.ts', 'src/b.ts'],
      total: 2,
      hasMore: false,
    });
    expect((await complete('lsp-docs', 'language', 'pyth')).values).toEqual(['python']);
    expect((await complete('lsp-docs', 'symbol', 'a')).values).toEqual([]);
    expect(await refusal(complete('lsp-docs', 'langage', 'p'))).toContain('did you mean language?');
  });

  it('that are not there, or lack something, are refused with what is meant', async () => {
    await using here = await session(options);
    const get = (name: string, args?: Record<string, string>) =>
      refusal(here.client.getPrompt({ name, ...(args ? { arguments: args } : {}) }));
    expect(await get('lsp-renam')).toContain('there is no prompt "lsp-renam", did you mean lsp-rename?');
    expect(await get('lsp-rename', { symbol: 'a' })).toContain('needs the argument new-name');
    expect(await get('lsp-explore', { symbl: 'a' })).toContain('no argument "symbl", did you mean symbol?');
  });

  it('are also read as skills, each checked against its digest', async () => {
    await using here = await session(options);
    const skills = new SkillsClient(here.client);
    expect(skills.supported).toBe(true);
    const { skills: entries } = await skills.list();
    expect(entries.map(({ frontmatter }) => frontmatter.name)).toEqual(
      (await namesOf(here.client)).filter((name) => isSkill({ name })),
    );
    for (const entry of entries) {
      const file = await skills.read(entry);
      expect(file).toMatchObject({ verified: true, text: manifest(entry.frontmatter.name) });
    }
    const one = 'skill://lsp-rename/SKILL.md';
    expect((await skills.get(one)).skill.uri).toBe(one);
    expect(await refusal(skills.get('skill://lsp-renam/SKILL.md'))).toContain('there is no skill');
    expect(await refusal(here.client.readResource({ uri: 'skill://lsp-rename/../x/SKILL.md' }))).toContain(
      'no file',
    );
  });
});

describe('the list of skills', () => {
  it('takes none of the code that questions to servers need, nor the SDK', () => {
    const packs = new Map(
      [...readFileSync(BUILT_PROGRAM, 'utf8').matchAll(/name:"((\w+)-\w+\.pack\.js)"/g)].map(
        ([, file = '', name = '']) => [
          name,
          readFileSync(path.join(path.dirname(BUILT_PROGRAM), file), 'utf8'),
        ],
      ),
    );
    const code = packs.get('skills') ?? '';
    expect(code).toContain('lsp-rename');
    const there = ['start', 'session', 'tools', 'skills'].map((name) => packs.get(name)).join('\n');
    const wanted = [...code.matchAll(/require\("\.\/([^"]+)"\)/g)].map(([, part = '']) => part);
    expect(wanted.filter((part) => !there.includes(`"${part}":function`))).toEqual([]);
  });
});

describe('the skills of a session', () => {
  it('are those whose tools it lists', async () => {
    for (const [args, expected] of [
      [['--tools', 'core'], CORE],
      [['--tools', 'lsp'], []],
      [['--tools', 'pyright'], []],
    ] as const) {
      await using here = await session({ args });
      expect(await namesOf(here.client), args.join(' ')).toEqual(expected);
      expect((await new SkillsClient(here.client).list()).skills, args.join(' ')).toHaveLength(
        expected.length,
      );
    }
  });

  it('run no code of the project where the session may not', async () => {
    await using here = await session({ args: ['--subagent'] });
    const names = await namesOf(here.client);
    expect(names).toEqual(expect.arrayContaining(['lsp-impact', 'lsp-understand', 'lsp-inspect']));
    expect(names).not.toContain('lsp-verify');
    expect(await refusal(here.client.getPrompt({ name: 'lsp-verify' }))).toMatch(
      /needs tools that are not listed here: .*run_build/,
    );
  });

  it('change with its tools, which the client is told', async () => {
    let told = 0;
    await using here = await session({
      args: ['--tools', 'core'],
      prepare: (client) =>
        client.setNotificationHandler('notifications/prompts/list_changed', () => {
          told += 1;
        }),
    });
    expect(await namesOf(here.client)).toEqual(CORE);
    await here.frontEnd.call('activate_tools', { profile: 'full' });
    await until(() => told > 0, { what: 'the notification' });
    expect((await namesOf(here.client)).filter((name) => isSkill({ name }))).toHaveLength(24);
  });

  it('are announced in the way of the extension', async () => {
    await using here = await session();
    expect(here.client.getServerCapabilities()).toMatchObject({
      prompts: { listChanged: true },
      completions: {},
      extensions: { [SKILLS_EXTENSION_ID]: {} },
    });
  });

  it('are listed alike with and without the SDK', async () => {
    await using here = await session();
    // A cursor is not plain, and so left to the SDK.
    const [plain, long] = [await here.client.listPrompts(), await here.client.listPrompts({ cursor: '' })];
    expect(long.prompts).toEqual(plain.prompts);
  });
});
