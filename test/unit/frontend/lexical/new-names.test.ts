/** What a symbol may be called: what every language takes is never refused, and what none takes always. */
import { describe, expect, it } from 'vitest';
import { flawOfName } from '../../../../src/frontend/lexical/new-names.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** With `‹name›` in a line of a file. */
function flaw(newName: string, marked: string, { language, path }: { language: string; path: string }) {
  const column = marked.indexOf('‹') + 1;
  const name = marked.slice(column, marked.indexOf('›'));
  const lines = new TextLines(marked.replace('‹', '').replace('›', ''));
  return flawOfName(newName, {
    name,
    start: { line: 1, column },
    source: { path, lines },
    link: { language },
  });
}

const LANGUAGES: Readonly<Record<string, { path: string; taken: string[]; refused: string[] }>> = {
  typescript: {
    path: 'a.ts',
    taken: ['$x', '#x', '_', 'größe', 'of', 'await', 'type', '\\u0061'],
    refused: ['a b', '1a', 'a-b', 'class', 'a.b', ''],
  },
  python: {
    path: 'a.py',
    taken: ['match', 'type', '_x', 'größe', '__init__'],
    refused: ['a b', '1a', 'a-b', '$x', 'lambda', 'None', 'a?'],
  },
  go: { path: 'a.go', taken: ['_', 'any', 'nil', 'größe'], refused: ['a b', '1a', '$x', 'func', 'a-b'] },
  rust: {
    path: 'a.rs',
    taken: ['r#match', 'match', "'a", '_', 'async', 'dyn', 'self', 'union'],
    refused: ['a b', '1a', 'a!', 'a-b'],
  },
  cpp: {
    path: 'a.cpp',
    taken: ['~x', '$x', 'final', 'override', 'restrict', 'set:to:'],
    refused: ['a b', '1a', 'a-b', 'class', 'int'],
  },
  java: {
    path: 'A.java',
    taken: ['record', 'var', 'yield', '$x', '_x', 'größe', '€'],
    refused: ['a b', '1a', 'a-b', 'class', 'true'],
  },
  kotlin: { path: 'A.kt', taken: ['`when it is`', '_x', 'data'], refused: ['a b', '1a', 'a-b'] },
  scala: { path: 'A.scala', taken: ['`type`', '+', '::', 'isEmpty_?', 'x_='], refused: ['a b', '1a', 'a.b'] },
  csharp: { path: 'A.cs', taken: ['@class', '_x', 'größe'], refused: ['a b', '1a', 'a-b', '$x'] },
  swift: {
    path: 'a.swift',
    taken: ['`class`', 'take(from:to:)', '+', '..<', '🍵'],
    refused: ['a b', '1a', 'a.b'],
  },
  php: { path: 'a.php', taken: ['$x', 'x', 'größe', 'class'], refused: ['a b', '1a', 'a-b', '$$x', 'a?'] },
  ruby: {
    path: 'a.rb',
    taken: ['a?', 'a!', 'a=', '@x', '@@x', '$x', 'A::B', '<=>', '[]'],
    refused: ['a b', '1a', 'a-b', 'a.b'],
  },
  elixir: { path: 'a.ex', taken: ['a?', 'a!', '@x', 'A.B', ':x', '|>'], refused: ['a b', '1a', 'a-b'] },
  dart: { path: 'a.dart', taken: ['$x', '_x'], refused: ['a b', '1a', 'a-b', '@x'] },
};
const ROWS = Object.entries(LANGUAGES).flatMap(([language, { path, taken, refused }]) => [
  ...taken.map((name) => ({ language, path, name, is: 'taken' })),
  ...refused.map((name) => ({ language, path, name, is: 'refused' })),
]);

describe('a new name', () => {
  it.each(ROWS)('$name of $language is $is', ({ language, path, name, is }) => {
    const found = flaw(name, 'const ‹old› =', { language, path });
    expect(found === undefined ? 'taken' : 'refused', found).toBe(is);
  });

  it.each([
    { why: 'another language has other names', name: 'a b', marked: '‹old›', language: 'lua', path: 'a.lua' },
    { why: 'nothing is known of it', name: 'a b', marked: '‹old›', language: 'klingon', path: 'a.tlh' },
    {
      why: 'it is in a string',
      name: 'very-small',
      marked: "let size: Size = '‹small›';",
      language: 'typescript',
      path: 'a.ts',
    },
    {
      why: 'what is renamed is none itself',
      name: 'a-c',
      marked: 'x = { ‹a-b›: 1 }',
      language: 'typescript',
      path: 'a.ts',
    },
    {
      why: 'members may be called like it',
      name: 'delete',
      marked: '  ‹remove›() {',
      language: 'typescript',
      path: 'a.ts',
    },
    {
      why: 'members may be numbers',
      name: '7',
      marked: 'const x = { ‹seven›: 7 }',
      language: 'typescript',
      path: 'a.ts',
    },
    {
      why: 'members may be strings',
      name: "'a-b'",
      marked: 'const x = { ‹a›: 7 }',
      language: 'typescript',
      path: 'a.ts',
    },
    {
      why: 'packages have paths',
      name: 'example.com/a/b',
      marked: 'package ‹a›',
      language: 'go',
      path: 'a.go',
    },
    {
      why: 'packages have dots',
      name: 'org.example',
      marked: 'package ‹example›;',
      language: 'java',
      path: 'A.java',
    },
    {
      why: 'gopls changes signatures so',
      name: 'func(b, a int)',
      marked: '‹func›(a, b int) {',
      language: 'go',
      path: 'a.go',
    },
    { why: 'it is no word of C', name: 'class', marked: 'int ‹old›;', language: 'cpp', path: 'a.c' },
    { why: 'a header may be one of C', name: 'new', marked: 'int ‹old›;', language: 'cpp', path: 'a.h' },
  ])('$name is left to the server where $why', ({ name, marked, language, path }) => {
    expect(flaw(name, marked, { language, path })).toBeUndefined();
  });

  it('that is no name is called so, and a reserved word one', () => {
    const around = { language: 'python', path: 'a.py' };
    expect(flaw('a b', 'def ‹old›', around)).toBe('"a b" is no name in python');
    expect(flaw('def', 'def ‹old›', around)).toBe('"def" is a reserved word of python');
    const member = { language: 'typescript', path: 'a.ts' };
    expect(flaw('a b', '  ‹old›() {', member)).toBe('"a b" is no name in typescript');
  });
});
