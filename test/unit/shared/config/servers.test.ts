import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { loadConfig } from '../../../../src/shared/config/config.ts';
import { applyServerEntries, type ServerEntry } from '../../../../src/shared/config/server-entries.ts';
import { knownLanguages, languageById, languageOfFile } from '../../../../src/shared/languages/lookup.ts';
import { languageTable } from '../../../../src/shared/languages/table.ts';
import { createWorkspace } from '../../../support/workspace.ts';

function entry(over: Partial<ServerEntry>): ServerEntry {
  return { extensions: [], env: {}, settings: {}, origin: 'a test', ...over };
}

function apply(...layers: readonly (readonly Partial<ServerEntry>[])[]) {
  return applyServerEntries(
    layers.map((layer) => layer.map(entry)),
    languageTable,
  );
}

function familyFor(file: string, languages: ReturnType<typeof apply>['languages']): string {
  const language = languageOfFile(file, languages);
  return `${language?.family.id} ${language?.languageId}`;
}

function messageFrom(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind === 'invalid-input') return failure.message;
  }
  throw new Error('not refused');
}

test('the language is inferred from the first extension', () => {
  const { overrides, configured } = apply([
    { extensions: ['py'], command: ['pylsp'] },
    { extensions: ['mjs', 'js'], command: ['vtsls', '--stdio'] },
  ]);
  expect(configured).toEqual(['python', 'typescript']);
  expect(overrides.get('typescript')?.command).toEqual(['vtsls', '--stdio']);
});

test('an unknown language becomes a row of its own', () => {
  const { languages } = apply([
    {
      extensions: ['foo', 'foo.in', 'Foofile'],
      command: ['/opt/foo-ls'],
      languageId: 'foolang',
      rootMarkers: ['foo.cfg'],
    },
  ]);
  expect(familyFor('a.foo', languages)).toBe('foolang foolang');
  expect(familyFor('Foofile', languages)).toBe('foolang foolang');
  expect(knownLanguages(languages)).toContain('foolang');
  const family = languageById('FooLang', languages)?.family;
  expect(family).toMatchObject({
    rootMarkers: ['foo.cfg'],
    daemonPolicy: 'auto-direct',
    install: 'install foo-ls and put it on PATH',
  });
});

test('without a name, an unknown extension is the name', () => {
  const { languages } = apply([{ extensions: ['nim'], command: ['nimlsp'] }]);
  expect(familyFor('a.nim', languages)).toBe('nim nim');
});

test('a new language needs extensions and a command', () => {
  expect(messageFrom(() => apply([{ languageId: 'nim', command: ['nimlsp'] }]))).toBe(
    'a test: nim is a new language and needs "extensions"',
  );
  expect(messageFrom(() => apply([{ extensions: ['nim'] }]))).toBe(
    'a test: nim is a new language and needs "command"',
  );
  expect(messageFrom(() => apply([{ command: ['x'] }]))).toBe('a test: needs "extensions" or "language_id"');
});

test('an entry may take an extension from another language', () => {
  const { languages } = apply([{ languageId: 'typescript', extensions: ['ts', 'vue'], command: ['x'] }]);
  expect(familyFor('a.vue', languages)).toBe('typescript typescript');
  expect(familyFor('a.js', languages)).toBe('typescript javascript');
  expect(languageById('vue', languages)?.family.extensions).not.toHaveProperty('vue');
});

test('the first entry that claims an extension gets it', () => {
  const { languages } = apply([
    { languageId: 'one', extensions: ['zz'], command: ['a'] },
    { languageId: 'two', extensions: ['zz', 'yy'], command: ['b'] },
  ]);
  expect([familyFor('a.zz', languages), familyFor('a.yy', languages)]).toEqual(['one one', 'two two']);
});

test('a part of a family can have a server of its own', () => {
  const { languages, overrides } = apply([
    { extensions: ['ts', 'tsx'], command: ['a'] },
    { extensions: ['js'], command: ['b'] },
  ]);
  expect(familyFor('a.ts', languages)).toBe('typescript typescript');
  expect(familyFor('a.js', languages)).toBe('javascript javascript');
  expect(overrides.get('javascript')?.command).toEqual(['b']);
  expect(languageById('javascript', languages)?.family).toMatchObject({
    workspaceRule: 'npm',
    daemonPolicy: 'auto-daemon',
  });
});

test('the same server for two parts of a family is one server', () => {
  const { configured } = apply([
    { languageId: 'c', extensions: ['c', 'h'], command: ['clangd'] },
    { languageId: 'cpp', extensions: ['cpp'], command: ['clangd'] },
  ]);
  expect(configured).toEqual(['cpp']);
});

test('two servers for one language in one file are refused', () => {
  const message = messageFrom(() =>
    apply([
      { extensions: ['py'], command: ['pyright-langserver'], origin: 'c.json: servers[0]' },
      { extensions: ['pyi'], command: ['ruff'], origin: 'c.json: servers[1]' },
    ]),
  );
  expect(message).toBe('c.json: servers[1]: python already has a server (c.json: servers[0])');
});

test('a stronger layer wins field by field, and settings are merged', () => {
  const { overrides } = apply(
    [
      {
        languageId: 'python',
        command: ['pylsp'],
        env: { A: '1', B: '1' },
        settings: { 'python.analysis': { typeCheckingMode: 'off', stubPath: 'x' } },
        daemon: 'never',
        origin: 'weak',
      },
    ],
    [
      {
        languageId: 'py',
        env: { B: '2' },
        settings: { python: { analysis: { typeCheckingMode: 'strict' } } },
        origin: 'strong',
      },
    ],
  );
  expect(overrides.get('python')).toEqual({
    command: ['pylsp'],
    env: { A: '1', B: '2' },
    settings: { python: { analysis: { typeCheckingMode: 'strict', stubPath: 'x' } } },
    initializationOptions: undefined,
    daemon: 'never',
    origin: 'weak',
  });
});

test("the user's root markers replace all rules of the table", () => {
  const { languages } = apply([{ languageId: 'typescript', rootMarkers: ['WORKSPACE'] }]);
  expect(languageById('typescript', languages)?.family).toMatchObject({
    rootMarkers: ['WORKSPACE'],
    workspaceMarkers: [],
    fallbackMarkers: [],
    workspaceRule: undefined,
  });
});

test('in a file, commands with a slash are relative to that file, and extensions may have a dot', async () => {
  await using workspace = createWorkspace();
  const servers = [
    { extensions: ['.go'], command: ['./bin/gopls', '-v'] },
    { extensions: ['py'], command: ['~/pylsp'] },
    { extensions: ['rs'], command: ['rust-analyzer'], initialization_options: { a: 1 } },
  ];
  workspace.write('conf/c.json', JSON.stringify({ servers }));
  const environment = {
    env: {},
    platform: 'linux',
    arch: 'x64',
    homedir: '/home/u',
    execPath: '',
    packageRoot: '',
  } as const;
  const { overrides, configuredLanguages } = await loadConfig({
    environment,
    cwd: workspace.root,
    userConfigDir: workspace.home,
    commandLine: { configFile: 'conf/c.json', servers: ['rust:ra,--x'] },
  });
  expect(configuredLanguages).toEqual(['go', 'python', 'rust']);
  expect(overrides.get('go')).toMatchObject({
    command: [workspace.file('conf/bin/gopls'), '-v'],
    origin: `${workspace.file('conf/c.json')}: servers[0]`,
  });
  expect(overrides.get('python')?.command).toEqual(['/home/u/pylsp']);
  expect(overrides.get('rust')).toMatchObject({
    command: ['ra', '--x'],
    initializationOptions: { a: 1 },
    origin: 'the command line',
  });
});
