import { describe, expect, it } from 'vitest';
import { readGoDoc, readPydoc } from '../../../../src/frontend/features/documentation/toolchain-docs.ts';
import { docComment, leadingLine } from '../../../../src/frontend/lexical/doc-comments.ts';
import { importsOf } from '../../../../src/frontend/lexical/imports.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** The declaration is the line with `NAME`; what the server calls its range begins there and goes to the end. */
function declared(family: string, text: string): { first: number; doc: string } {
  const lines = new TextLines(text);
  const all = text.split(/\r\n|\n/);
  const name = all.findIndex((line) => line.includes('NAME')) + 1;
  const extent = { start: name, end: all.length };
  return { first: leadingLine(lines, name, family), doc: docComment(lines, extent, name, family) };
}

describe('what belongs to a declaration', () => {
  it.each([
    {
      what: 'JSDoc and decorators',
      family: 'typescript',
      text: 'const other = 1;\n\n/**\n * Sums 数 🎉.\n *\n * @param a one\n */\n@logged\n@route({\n  path: "/",\n})\nexport function NAME() {}',
      expected: { first: 3, doc: 'Sums 数 🎉.\n\n@param a one' },
    },
    {
      what: 'a line of JSDoc',
      family: 'typescript',
      text: 'x();\n/** Short. */\nconst NAME = 1;',
      expected: { first: 2, doc: 'Short.' },
    },
    {
      what: 'line comments, without those for programs',
      family: 'typescript',
      text: '// Why.\n// biome-ignore lint: because\nconst NAME = 1;',
      expected: { first: 1, doc: 'Why.' },
    },
    {
      what: 'CRLF and tabs',
      family: 'typescript',
      text: 'class A {\r\n\t/**\r\n\t * Tabbed.\r\n\t */\r\n\tNAME() {}\r\n}',
      expected: { first: 2, doc: 'Tabbed.' },
    },
    {
      what: 'a docstring and decorators in Python',
      family: 'python',
      text: '@dataclass\n@other(\n    1,\n)\nclass NAME(\n    Base,\n):\n    """First.\n\n    Second 🎉.\n      Deeper.\n    """\n    x = 1',
      expected: { first: 1, doc: 'First.\n\nSecond 🎉.\n  Deeper.' },
    },
    {
      what: 'a docstring on one line in Python',
      family: 'python',
      text: "def NAME(a: int) -> int:  # comment\n\n    r'One.'\n    return a",
      expected: { first: 1, doc: 'One.' },
    },
    {
      what: 'comments above where Python has no docstring',
      family: 'python',
      text: '#!/usr/bin/env python\n# Above.\ndef NAME():\n    return 1',
      expected: { first: 2, doc: 'Above.' },
    },
    {
      what: 'Go, with directives',
      family: 'go',
      text: '}\n// Take removes.\n//\n// More.\n//go:noinline\nfunc NAME() {}',
      expected: { first: 2, doc: 'Take removes.\n\nMore.' },
    },
    {
      what: 'Rust, with attributes over several lines',
      family: 'rust',
      text: 'use a;\n\n/// Kept.\n#[derive(\n    Debug,\n)]\n#[serde(rename = "x")]\npub struct NAME;',
      expected: { first: 3, doc: 'Kept.' },
    },
    {
      what: 'C++, with a template and an attribute',
      family: 'cpp',
      text: '#include <map>\n/*!\n * Sums.\n */\n[[nodiscard]]\ntemplate <typename T>\nT NAME(T a);',
      expected: { first: 2, doc: 'Sums.' },
    },
    {
      what: 'a directive of C, which is no comment',
      family: 'cpp',
      text: '#ifdef X\nint NAME();',
      expected: { first: 1 + 1, doc: '' },
    },
    {
      what: 'Ruby',
      family: 'ruby',
      text: '# Opens it.\n#   twice\ndef NAME\nend',
      expected: { first: 1, doc: 'Opens it.\n  twice' },
    },
    {
      what: 'C#',
      family: 'csharp',
      text: '/// <summary>Opens.</summary>\n[Obsolete]\npublic void NAME() {}',
      expected: {
        first: 1,
        doc: '<summary>Opens.</summary>',
      },
    },
    {
      what: 'Lua',
      family: 'lua',
      text: '--- Opens.\nfunction NAME() end',
      expected: { first: 1, doc: 'Opens.' },
    },
    {
      what: 'PHP',
      family: 'php',
      text: '/** Opens. */\n#[Pure]\nfunction NAME() {}',
      expected: { first: 1, doc: 'Opens.' },
    },
    {
      what: 'nothing across a blank line',
      family: 'typescript',
      text: '// Far away.\n\nconst NAME = 1;',
      expected: { first: 3, doc: '' },
    },
    {
      what: 'not the comment behind other code',
      family: 'typescript',
      text: 'const a = 1; /* about a */\nconst NAME = 1;',
      expected: { first: 2, doc: '' },
    },
    {
      what: 'not the end of another block',
      family: 'typescript',
      text: 'if (a) {\n}\nconst NAME = 1;',
      expected: { first: 3, doc: '' },
    },
  ])('$what', ({ family, text, expected }) => {
    expect(declared(family, text)).toEqual(expected);
  });
});

describe('imports by their look', () => {
  it.each([
    {
      family: 'typescript',
      text: "import a, {\n  b,\n  type C,\n} from './x';\nimport './side';\nimport('./later');\nconst d = require('d');\nexport { e } from './e';",
      expected: [
        "1-4 import a, { b, type C, } from './x';",
        "5-5 import './side';",
        "7-7 const d = require('d');",
      ],
    },
    {
      family: 'python',
      text: 'import os\nfrom a import (\n    b,\n)\nif x:\n    from c import d\nimported = 1',
      expected: ['1-1 import os', '2-4 from a import ( b, )', '6-6 from c import d'],
    },
    {
      family: 'go',
      text: 'package a\nimport (\n\t"fmt"\n)\nimport "os"',
      expected: ['2-4 import ( "fmt" )', '5-5 import "os"'],
    },
    { family: 'rust', text: 'pub use a::{\n    b,\n};\nmod c;', expected: ['1-3 pub use a::{ b, };'] },
    {
      family: 'cpp',
      text: '#include <map>\n# include "a.h"\n#define X',
      expected: ['1-1 #include <map>', '2-2 # include "a.h"'],
    },
    { family: 'java', text: 'import a.b.C;\nclass D {}', expected: ['1-1 import a.b.C;'] },
  ])('of $family', ({ family, text, expected }) => {
    const found = importsOf(new TextLines(text), family);
    expect(found.map(({ line, endLine, text }) => `${line}-${endLine} ${text}`)).toEqual(expected);
  });
});

describe('what toolchains print', () => {
  it('is a signature and a text for go doc, without the methods that follow', () => {
    const output =
      'package stock // import "shop/stock"\n\ntype Shelf struct {\n\titems map[string]int\n}\n    Shelf is a Store.\n\n    More of it.\n\nfunc NewShelf() *Shelf\n';
    expect(readGoDoc(output)).toEqual({
      signature: 'type Shelf struct {\n\titems map[string]int\n}',
      doc: 'Shelf is a Store.\n\nMore of it.',
    });
    expect(readGoDoc('package a // import "a"\n\nfunc F(\n\ta int,\n) error\n')).toEqual({
      signature: 'func F(\n\ta int,\n) error',
      doc: '',
    });
  });

  it('is a signature and a text for pydoc', () => {
    const output =
      'Help on function dumps in json:\n\njson.dumps = dumps(obj)\n    Serialize it.\n    \n    More.\n';
    expect(readPydoc(output)).toEqual({
      signature: 'json.dumps = dumps(obj)',
      doc: 'Serialize it.\n\nMore.',
    });
  });
});
