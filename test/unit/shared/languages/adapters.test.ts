import { describe, expect, it } from 'vitest';
import { adapterNamed, adaptersOf } from '../../../../src/shared/languages/adapters.ts';
import { languageTable } from '../../../../src/shared/languages/table.ts';

describe('adapters', () => {
  it('have the ids that people know', () => {
    const ids = adaptersOf(languageTable).map(({ id }) => id);
    const known = 'dart typescript vue svelte pyright gopls kotlin swift rust-analyzer clangd'.split(' ');
    expect(ids).toEqual(expect.arrayContaining(known));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    { name: 'pyright', language: 'python' },
    { name: 'python', language: 'python' },
    { name: 'basedpyright', language: 'python' },
    { name: 'Clangd', language: 'cpp' },
    { name: 'typescript-language-server', language: 'typescript' },
  ])('are found as $name', ({ name, language }) => {
    expect(adapterNamed(name, languageTable)?.family.id).toBe(language);
  });

  it('are not found by what is no server', () => {
    expect(adapterNamed('all', languageTable)).toBeUndefined();
  });
});
