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
  { file: 'a.ts', family: 'typescript', languageId: 'typescript' },
  { file: 'a.tsx', family: 'typescript', languageId: 'typescriptreact' },
  { file: 'a.d.mts', family: 'typescript', languageId: 'typescript' },
  { file: 'a.cjs', family: 'typescript', languageId: 'javascript' },
  { file: 'a.jsx', family: 'typescript', languageId: 'javascriptreact' },
  { file: 'a.PY', family: 'python', languageId: 'python' },
  { file: 'a.c', family: 'cpp', languageId: 'c' },
  { file: 'a.C', family: 'cpp', languageId: 'cpp' },
  { file: 'a.hpp', family: 'cpp', languageId: 'cpp' },
  { file: '/x/Dockerfile', family: 'dockerfile', languageId: 'dockerfile' },
  { file: '/x/Dockerfile.dev', family: 'dockerfile', languageId: 'dockerfile' },
  { file: 'go.mod', family: 'go', languageId: 'go.mod' },
  { file: 'Gemfile', family: 'ruby', languageId: 'ruby' },
  { file: 'x.sh', family: 'bash', languageId: 'shellscript' },
])('$file belongs to $family and is opened as $languageId', ({ file, family, languageId }) => {
  const language = languageOfFile(file);
  expect([language?.family.id, language?.languageId]).toEqual([family, languageId]);
});

test.each(['README', 'a.constructor', 'a.xyz', '.ts.', ''])('%j belongs to no language', (file) => {
  expect(languageOfFile(file)).toBeUndefined();
});

test.each([
  { name: 'javascript', family: 'typescript', languageId: 'javascript' },
  { name: 'TSX', family: 'typescript', languageId: 'typescriptreact' },
  { name: '.py', family: 'python', languageId: 'python' },
  { name: 'c', family: 'cpp', languageId: 'c' },
  { name: 'C++', family: 'cpp', languageId: 'cpp' },
  { name: 'golang', family: 'go', languageId: 'go' },
  { name: 'C#', family: 'csharp', languageId: 'csharp' },
  { name: 'shell', family: 'bash', languageId: 'shellscript' },
  { name: 'docker', family: 'dockerfile', languageId: 'dockerfile' },
])('the name $name means $family', ({ name, family, languageId }) => {
  const language = languageById(name);
  expect([language?.family.id, language?.languageId]).toEqual([family, languageId]);
});

test('a name that means nothing is not guessed', () => {
  expect(languageById('klingon')).toBeUndefined();
  expect(languageById('toString')).toBeUndefined();
});
