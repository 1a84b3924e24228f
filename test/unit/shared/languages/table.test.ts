import { expect, test } from 'vitest';
import { languageById, languageIdsOf, languageOfFile } from '../../../../src/shared/languages/lookup.ts';
import { languageTable } from '../../../../src/shared/languages/table.ts';

test('no two families have the same id, alias or language id', () => {
  const owners = new Map<string, string>();
  for (const family of languageTable) {
    for (const name of new Set([family.id, ...family.aliases, ...languageIdsOf(family)])) {
      expect(owners.get(name) ?? family.id, name).toBe(family.id);
      owners.set(name, family.id);
    }
  }
});

test('no extension and no file name is claimed twice', () => {
  for (const key of ['extensions', 'fileNames', 'fileNamePrefixes'] as const) {
    const names = languageTable.flatMap((family) => Object.keys(family[key] ?? {}));
    expect(names).toEqual([...new Set(names)]);
    expect(names.filter((name) => name.startsWith('.') && key === 'extensions')).toEqual([]);
  }
});

test.each(languageTable)('$id says how to find its roots, its servers and an installation', (family) => {
  expect(family.rootMarkers.length).toBeGreaterThan(0);
  expect(family.servers.length).toBeGreaterThan(0);
  expect(family.install).toMatch(/\S+ \S+/);
  expect(family.aliases).toEqual(family.aliases.map((alias) => alias.toLowerCase()));
  for (const server of family.servers) {
    expect(server.command).not.toMatch(/[\\/\s]/);
    if (server.embedded) expect(server.npm).toBeDefined();
    if (server.optionsFromSection) expect(server.settings).toHaveProperty([server.optionsFromSection]);
    for (const directory of server.alsoIn ?? []) expect(directory).toMatch(/^(~|\$[A-Z_]+)(\/|$)/);
    for (const section of Object.keys(server.settings ?? {})) expect(section).not.toContain('.');
  }
});

test('all languages of the contract are known', () => {
  const contract =
    'go typescript javascript python rust java c cpp csharp kotlin swift zig php ruby yaml json dockerfile lua css html terraform scala gleam elixir prisma sql clojure nix dart mongodb';
  for (const name of `${contract} vue svelte bash haskell ocaml`.split(' ')) {
    expect(languageById(name), name).toBeDefined();
  }
});

test.each([
  ['a.ts', 'typescript', 'typescript'],
  ['a.tsx', 'typescript', 'typescriptreact'],
  ['a.d.mts', 'typescript', 'typescript'],
  ['a.cjs', 'typescript', 'javascript'],
  ['a.jsx', 'typescript', 'javascriptreact'],
  ['a.PY', 'python', 'python'],
  ['a.c', 'cpp', 'c'],
  ['a.C', 'cpp', 'cpp'],
  ['a.hpp', 'cpp', 'cpp'],
  ['/x/Dockerfile', 'dockerfile', 'dockerfile'],
  ['/x/Dockerfile.dev', 'dockerfile', 'dockerfile'],
  ['go.mod', 'go', 'go.mod'],
  ['Gemfile', 'ruby', 'ruby'],
  ['x.sh', 'bash', 'shellscript'],
])('%s belongs to %s and is opened as %s', (file, family, languageId) => {
  const language = languageOfFile(file);
  expect([language?.family.id, language?.languageId]).toEqual([family, languageId]);
});

test.each(['README', 'a.constructor', 'a.xyz', '.ts.', ''])('%j belongs to no language', (file) => {
  expect(languageOfFile(file)).toBeUndefined();
});

test.each([
  ['javascript', 'typescript', 'javascript'],
  ['TSX', 'typescript', 'typescriptreact'],
  ['.py', 'python', 'python'],
  ['c', 'cpp', 'c'],
  ['C++', 'cpp', 'cpp'],
  ['golang', 'go', 'go'],
  ['C#', 'csharp', 'csharp'],
  ['shell', 'bash', 'shellscript'],
  ['docker', 'dockerfile', 'dockerfile'],
])('the name %s means %s', (name, family, languageId) => {
  const language = languageById(name);
  expect([language?.family.id, language?.languageId]).toEqual([family, languageId]);
});

test('a name that means nothing is not guessed', () => {
  expect(languageById('klingon')).toBeUndefined();
  expect(languageById('toString')).toBeUndefined();
});
