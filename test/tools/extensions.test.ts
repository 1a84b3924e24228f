/** Extensions of users: modules outside the workspace, named in the user's configuration, over MCP. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INCLUDED } from '../../src/frontend/extensions/included-extensions.ts';
import { readDefinition } from '../../src/frontend/extensions/read-definition.ts';
import { languageTable } from '../../src/shared/languages/table.ts';
import { until } from '../support/events.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { type FakeSession, fakeSession, SAMPLE } from './fake-session.ts';

/** Without an import, as an extension can be written anywhere. */
const WORDS = `
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs';
const notes = new URL('notes.md', import.meta.url);
export default {
  language: 'fake',
  tools: [
    {
      name: 'count_words',
      description: 'How many words a file has.',
      effect: 'read',
      input: (z) => z.strictObject({ file_path: z.string().describe('File'), least: z.number().int().default(1) }),
      output: (z) => z.strictObject({ words: z.number() }),
      run: async ({ file_path, least }, context) => {
        const { text } = await context.read(file_path);
        const words = text.split(/\\W+/).filter((word) => word.length >= least).length;
        return { text: words + ' words', data: { words }, incomplete: least > 1 ? 'short words were left out' : undefined, hint: 'list_symbols' };
      },
    },
    {
      overrides: 'list_symbols',
      description: 'Outline of a file, counted.',
      effect: 'read',
      input: (z) => z.strictObject({ file_path: z.string() }),
      run: async (input, context) => {
        const { text, data } = await context.call('list_symbols', input);
        return { text: 'counted: ' + text.split('\\n').length + '\\n' + text, data };
      },
    },
    { name: 'stamp', description: 'Writes a file.', effect: 'write', run: async (_, context) => (await context.call('apply_edit', { file_path: 'src/use.fake', old_text: 'client.stop();\\nfunction', new_text: 'client.log();\\nfunction' })).text },
    { name: 'sneak', description: 'Writes a file and says that it reads.', effect: 'read', run: async (_, context) => (await context.call('apply_edit', {})).text },
    { name: 'launch', description: 'Runs a program.', effect: 'execute', run: async () => 'launched' },
    { name: 'asks', description: 'Asks the server.', effect: 'read', run: async (_, context) => JSON.stringify(await context.request('src/client.fake', 'textDocument/documentSymbol', { textDocument: { uri: 'file://' + context.root + '/src/client.fake' } })) },
    { name: 'breaks', description: 'Fails.', effect: 'read', run: async () => { throw new Error('the moon is full. Wait a day'); } },
    { name: 'silent', description: 'Says nothing.', effect: 'read', run: async () => undefined },
  ],
  resources: [
    {
      name: 'notes',
      description: 'Notes about the project.',
      mimeType: 'text/markdown',
      read: async (context) => (existsSync(notes) ? readFileSync(notes, 'utf8') : 'none in ' + context.root),
      subscribe: (changed) => {
        writeFileSync(notes, '');
        const watcher = watch(notes, () => changed());
        writeFileSync(new URL('watching', import.meta.url), '');
        return () => watcher.close();
      },
    },
    { name: 'torn', description: 'Fails.', read: async () => { throw new Error('the page is torn'); } },
  ],
  prompts: [
    {
      name: 'review',
      description: 'Reviews a file.',
      arguments: [{ name: 'file', description: 'File to review', required: true }],
      text: ({ file }) => 'Review ' + file + ' with fake_count_words.',
    },
  ],
};
`;

/** Modules that cannot be had, or not all of them, with the line that each costs. */
const FAULTY: readonly (readonly [file: string, text: string, line: RegExp])[] = [
  ['empty.mjs', 'export const nothing = 1;', /empty\.mjs .*: it has no default export$/],
  ['throws.mjs', 'throw new Error("no license");', /throws\.mjs: no license$/],
  ['cut.mjs', 'export default {', /cut\.mjs: .*Unexpected/],
  ['alien.mjs', 'export default { language: "fak" };', /language: fak is not known, did you mean fake\?$/],
  ['named.mjs', toolText('name: "Bad Name"'), /tools\[0\]\.name: must be lower-case words/],
  ['long.mjs', toolText(`name: "${'x'.repeat(50)}"`), /has 55 letters; clients take 48$/],
  ['both.mjs', toolText('name: "a", overrides: "explore"'), /must have either name or overrides/],
  [
    'lost.mjs',
    toolText('overrides: "list_symbol"'),
    /no tool list_symbol to override, did you mean list_symbols\?$/,
  ],
  [
    'weaker.mjs',
    toolText('overrides: "apply_edit"'),
    /apply_edit has the effect write, and so must what overrides it$/,
  ],
  ['twice.mjs', toolText('name: "count_words"'), /there is a tool fake_count_words already/],
  [
    'shapeless.mjs',
    toolText('name: "odd", input: (z) => z.string()'),
    /fake_odd: input must return an object schema/,
  ],
];

function toolText(name: string): string {
  return `export default { language: 'fake', tools: [{ ${name}, description: 'x', effect: 'read', run: async () => 'x' }] };`;
}

function modules(workspace: Workspace): void {
  workspace.write(path.join(workspace.scratch, 'words.mjs'), WORDS);
  for (const [file, text] of FAULTY) workspace.write(path.join(workspace.scratch, file), text);
  workspace.write('inside.mjs', WORDS);
}

const NAMES = [
  './words.mjs',
  ...FAULTY.map(([file]) => `./${file}`),
  '../work/inside.mjs',
  './gone.mjs',
  'no-such-package',
];
const config = { extensions: NAMES };

function opened(
  args: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
): Promise<FakeSession> {
  return fakeSession(SAMPLE, {
    config: { ...config, ...more },
    args,
    prepare: (_, workspace) => modules(workspace),
  });
}

describe('extensions of the package', () => {
  const included = /^(?:typescript|python)_/;

  it('have definitions that would be taken from a user as well', () => {
    for (const definition of INCLUDED)
      expect(readDefinition(definition, languageTable).language).toBe(definition.language);
    expect(INCLUDED.map(({ language }) => language)).toEqual(['typescript', 'python']);
  });

  it('are listed with the full set alone, and go with their language', async () => {
    const namesOf = async (session: FakeSession) => {
      const { client } = session.frontEnd;
      const [{ tools }, { prompts }, { resources }] = await Promise.all([
        client.listTools(),
        client.listPrompts(),
        client.listResources(),
      ]);
      return {
        tools: tools.map(({ name }) => name).filter((name) => included.test(name)),
        prompts: prompts.map(({ name }) => name).filter((name) => included.test(name)),
        resources: resources.map(({ uri }) => uri).filter((uri) => /^lsp-(?:typescript|python):/.test(uri)),
      };
    };
    await using full = await fakeSession(SAMPLE);
    expect(await namesOf(full)).toEqual({
      tools: ['typescript_any_usage', 'typescript_tsconfig', 'python_check_types', 'python_find_tests'],
      prompts: ['typescript_remove_any', 'python_fix_types'],
      resources: ['lsp-typescript://projects', 'lsp-python://tests'],
    });
    await using few = await fakeSession(SAMPLE, { args: ['--tools', 'core'] });
    expect(await namesOf(few)).toMatchObject({ tools: [], prompts: [] });
    expect(await refusalOf(few.call('python_find_tests'))).toMatch(/in this set of tools.*activate_tools/);
    await using without = await fakeSession(SAMPLE, { disabled: ['python'] });
    expect(await namesOf(without)).toEqual({
      tools: ['typescript_any_usage', 'typescript_tsconfig'],
      prompts: ['typescript_remove_any'],
      resources: ['lsp-typescript://projects'],
    });
  });

  it('can be replaced by an extension of the user, which may still ask them', async () => {
    const mine = `export default { language: 'typescript', tools: [{ overrides: 'typescript_any_usage', description: 'Mine.', effect: 'read',
      run: async (_, context) => 'mine over: ' + (await context.call('typescript_any_usage', {})).text }] };`;
    await using session = await fakeSession(SAMPLE, {
      config: { extensions: ['./mine.mjs'] },
      prepare: (_, workspace) => {
        workspace.write(path.join(workspace.scratch, 'mine.mjs'), mine);
        workspace.write('a.ts', 'export const a: any = 1;');
      },
    });
    expect(await session.ask('typescript_any_usage', {})).toMatch(
      /^mine over: 1 use of any in 1 TypeScript file/,
    );
  });
});

/** A tool that is not there is an error of the request. */
function refusalOf(call: Promise<unknown>): Promise<string> {
  return call.then(String, (error: Error) => error.message);
}

describe('extensions of users', () => {
  let session: FakeSession;

  beforeAll(async () => {
    session = await opened();
  });

  afterAll(async () => {
    await session[Symbol.asyncDispose]();
  });

  it('add tools under the name of the language, listed with their effect and their schema', async () => {
    const { tools } = await session.frontEnd.client.listTools();
    const named = (name: string) => tools.find((tool) => tool.name === name);
    expect(named('fake_count_words')).toMatchObject({
      description: 'How many words a file has.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        properties: { file_path: { type: 'string', description: 'File' } },
        required: ['file_path'],
      },
    });
    expect(named('fake_launch')?.annotations).toMatchObject({ destructiveHint: true, openWorldHint: true });
    expect(await session.ask('fake_count_words', { file_path: 'src/use.fake', least: '7' })).toBe(
      'INCOMPLETE: short words were left out\n1 words\nnext: list_symbols',
    );
    expect(await session.ask('fake_asks')).toContain('"name":"Client"');
  });

  it('may take the place of a tool of ours, which the list says, and still ask that tool', async () => {
    const { tools } = await session.frontEnd.client.listTools();
    const replaced = tools.filter(({ name }) => name === 'list_symbols');
    expect(replaced.map(({ description }) => description)).toEqual([
      'Outline of a file, counted. (Replaced by the extension ./words.mjs.)',
    ]);
    expect(await session.ask('list_symbols', { file_path: 'src/client.fake' })).toMatch(
      /^counted: \d+\n.*class Client/s,
    );
  });

  it('add resources that are listed, read, and watched while a client wants to hear of them', async () => {
    const { client } = session.frontEnd;
    const { resources } = await client.listResources();
    expect(resources).toContainEqual({
      uri: 'lsp-fake://notes',
      name: 'fake_notes',
      description: 'Notes about the project.',
      mimeType: 'text/markdown',
    });
    const read = async () => (await client.readResource({ uri: 'lsp-fake://notes' })).contents;
    expect(await read()).toEqual([
      { uri: 'lsp-fake://notes', mimeType: 'text/markdown', text: `none in ${session.workspace.root}` },
    ]);
    await expect(client.readResource({ uri: 'lsp-fake://torn' })).rejects.toThrow(/the page is torn/);
    await expect(client.readResource({ uri: 'lsp-fake://other' })).rejects.toThrow(/is not the address/);

    const updates: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updates.push(params.uri),
    );
    await client.subscribeResource({ uri: 'lsp-fake://notes' });
    const notes = path.join(session.workspace.scratch, 'notes.md');
    await until(() => existsSync(path.join(session.workspace.scratch, 'watching')), {
      what: 'the extension watches',
    });
    session.workspace.write(notes, 'changed');
    await until(() => updates.length > 0, { what: 'an update' });
    expect(new Set(updates)).toEqual(new Set(['lsp-fake://notes']));
    expect((await read())[0]).toMatchObject({ text: 'changed' });
    await client.unsubscribeResource({ uri: 'lsp-fake://notes' });
  });

  it('add prompts to those that there are, filled with what was passed', async () => {
    const { client } = session.frontEnd;
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(1);
    expect(prompts.find(({ name }) => name === 'fake_review')).toEqual({
      name: 'fake_review',
      description: 'Reviews a file.',
      arguments: [{ name: 'file', description: 'File to review', required: true }],
    });
    const filled = await client.getPrompt({ name: 'fake_review', arguments: { file: 'a.fake' } });
    expect(filled.messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review a.fake with fake_count_words.' } },
    ]);
    await expect(client.getPrompt({ name: 'fake_review' })).rejects.toThrow(/needs the argument file/);
    const wrong = client.getPrompt({ name: 'fake_review', arguments: { file: 'a', flie: 'b' } });
    await expect(wrong).rejects.toThrow(/has no argument "flie", did you mean file\?/);
  });

  it('are fenced, and do what they declare and nothing else', async () => {
    const refused = async (tool: string, args = {}) => (await session.call(tool, args)).text;
    expect(await refused('fake_count_words', { file_path: '/etc/passwd' })).toMatch(
      /outside the workspace roots/,
    );
    expect(await refused('fake_count_words', { file: 'x' })).toMatch(
      /file_path is required|unknown parameter/,
    );
    expect(await refused('fake_sneak')).toMatch(
      /fake_sneak declares the effect read and calls apply_edit, whose effect is write/,
    );
    expect(await refused('fake_breaks')).toMatch(
      /^fake_breaks of the extension \.\/words\.mjs failed: the moon is full\. Wait a day/,
    );
    expect(await refused('fake_silent')).toMatch(/returned no text/);
    expect(await session.ask('fake_stamp')).toContain('src/use.fake');
    expect(session.workspace.read('src/use.fake')).toContain('client.log();\nfunction');
  });

  it('cost one clear line each where they cannot be had, and the others work', async () => {
    expect(await refusalOf(session.call('fake_gone'))).toMatch(
      /Not loaded: extension \.\/empty\.mjs .* 13 more: see the log/,
    );
    const lines = session.frontEnd
      .stderr()
      .split('\n')
      .flatMap((line) => /^agent-lsp warn extension not loaded why=(".*")$/.exec(line)?.[1] ?? [])
      .map((text) => String(JSON.parse(text)));
    for (const [file, , line] of FAULTY)
      expect(
        lines.find((each) => each.includes(`./${file} `)),
        file,
      ).toMatch(line);
    expect(lines.find((line) => line.includes('inside.mjs'))).toMatch(
      /lies in the workspace, which may not bring code$/,
    );
    expect(lines.find((line) => line.includes('gone.mjs'))).toMatch(/gone\.mjs does not exist$/);
    expect(lines.find((line) => line.includes('no-such-package'))).toMatch(
      /there is no package no-such-package/,
    );
    expect(lines).toHaveLength(FAULTY.length + 3);
    expect(session.frontEnd.stderr()).not.toMatch(/warning/i);
  });

  it('are not named by a file of the workspace', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const words = workspace.write(path.join(workspace.scratch, 'words.mjs'), WORDS);
    workspace.write('agent-lsp.json', JSON.stringify({ extensions: [words] }));
    // Neither are they taken from places that other programs read.
    workspace.write('.config/agent-lsp/config.json', JSON.stringify({ extensions: [words] }));
    await using inside = await startFrontEnd({ workspace, args: ['--config', 'agent-lsp.json'] });
    const { tools } = await inside.client.listTools();
    expect(tools.filter(({ name }) => name.startsWith('fake_'))).toEqual([]);
    expect(await refusalOf(inside.call('fake_count_words', { file_path: 'src/use.fake' }))).toMatch(
      /there is no tool "fake_count_words".*agent-lsp\.json is a file of the workspace, which may not bring code\.?$/,
    );
  });

  it('are kept from those who may only read, and from whom a rule denies them', async () => {
    await using reader = await opened(['--permission', 'read'], { permissions: { deny: ['fake_a*'] } });
    const { tools } = await reader.frontEnd.client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('fake_'))).toEqual([
      'fake_count_words',
      'fake_sneak',
      'fake_breaks',
      'fake_silent',
    ]);
    expect((await reader.call('fake_stamp')).text).toMatch(/may only read/);
    expect((await reader.call('fake_launch')).text).toMatch(/may only read/);
    expect((await reader.call('fake_asks')).text).toMatch(/denied by the configuration/);
  });

  it('are asked for where the user is asked, before their code runs', async () => {
    const questions: string[] = [];
    const prepare = (client: Client, workspace: Workspace) => {
      modules(workspace);
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return { action: 'decline' };
      });
    };
    await using asking = await fakeSession(SAMPLE, {
      config,
      prepare,
      args: ['--permission', 'ask'],
      client: { capabilities: { elicitation: {} } },
    });
    expect((await asking.call('fake_launch')).isError).toBe(true);
    expect((await asking.call('fake_stamp')).isError).toBe(true);
    expect(questions).toEqual([
      expect.stringContaining('fake_launch, a tool of the extension ./words.mjs'),
      expect.stringContaining('may the tool fake_stamp be used'),
    ]);
    expect(asking.workspace.read('src/use.fake')).not.toContain('client.log();\nfunction');
  });

  it('of the page of documentation run as they are written', async () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/extensions.md'), 'utf8');
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const prepare = (_: unknown, workspace: Workspace) => {
      workspace.write(path.join(workspace.scratch, 'page.mjs'), code);
    };
    await using shown = await fakeSession(SAMPLE, { config: { extensions: ['./page.mjs'] }, prepare });
    expect(await shown.ask('typescript_count_exports', { file_path: 'src/client.fake' })).toBe(
      '4 exports in src/client.fake\nnext: list_symbols',
    );
  });

  it('are listed in the full set only, replace what they replace in the core set, and leave façades alone', async () => {
    await using few = await opened(['--tools', 'core']);
    const { tools } = await few.frontEnd.client.listTools();
    expect(tools.filter(({ name }) => name.startsWith('fake_'))).toEqual([]);
    expect(tools.find(({ name }) => name === 'list_symbols')?.description).toContain('Replaced by');
    expect(await few.ask('list_symbols', { file_path: 'src/client.fake' })).toMatch(/^counted/);
    await using facade = await opened(['--tools', 'lsp6']);
    expect((await facade.frontEnd.client.listTools()).tools.map(({ name }) => name)).not.toContain(
      'fake_stamp',
    );
    expect((await facade.call('lsp_document_symbols', { path: 'src/client.fake' })).text).toContain('Client');
  });
});
