import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { deleteSymbol } from '../../../../../src/frontend/features/edits/symbols/delete-symbol.ts';
import { insertAfter, insertBefore } from '../../../../../src/frontend/features/edits/symbols/insert-code.ts';
import { replaceBody } from '../../../../../src/frontend/features/edits/symbols/replace-body.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { type MarkedOptions, markedSymbol } from '../../../../support/symbol-text.ts';

const METHOD = { kind: SymbolKind.Method, container: SymbolKind.Class };
const VALUE = { kind: SymbolKind.Variable };
const MEMBER = { kind: SymbolKind.EnumMember, container: SymbolKind.Enum };

function edited(
  kind: 'before' | 'after' | 'delete',
  family: string,
  marked: string,
  name: string,
  { code = '', ...options }: MarkedOptions & { code?: string } = {},
): string {
  const { source, extent } = markedSymbol(marked, family, name, options);
  if (kind === 'delete') return deleteSymbol(source, [extent]).text;
  return (kind === 'before' ? insertBefore : insertAfter)(source, extent, code).text;
}

function refusal(run: () => string): string {
  try {
    return `not refused: ${run()}`;
  } catch (error) {
    const failure = failureOf(error);
    return failure?.kind === 'invalid-input' ? `${failure.message} | ${failure.next}` : String(error);
  }
}

interface Deletion {
  readonly what: string;
  readonly family: string;
  /** The symbol is between « and ». */
  readonly marked: string;
  readonly name: string;
  /** The text afterwards. */
  readonly expected: string;
  readonly options?: MarkedOptions;
}
interface Insertion extends Deletion {
  readonly code: string;
}

const BEFORE: readonly Insertion[] = [
  {
    what: 'comments and decorators',
    family: 'typescript',
    marked: 'class A {\n  a = 1;\n\n  /** D */\n  «@log\n  f() {}»\n}\n',
    name: 'f',
    code: 'g() {\n  x();\n}',
    expected: 'class A {\n  a = 1;\n\n  g() {\n    x();\n  }\n\n  /** D */\n  @log\n  f() {}\n}\n',
    options: METHOD,
  },
  {
    what: 'the first in a file',
    family: 'typescript',
    marked: '«export function f() {\n}»\n',
    name: 'f',
    code: 'const a = 1;',
    expected: 'const a = 1;\n\nexport function f() {\n}\n',
  },
  {
    what: 'export const',
    family: 'typescript',
    marked: 'a();\n// c\nexport const «f = 1»;\n',
    name: 'f',
    code: 'const b = 2;',
    expected: 'a();\nconst b = 2;\n// c\nexport const f = 1;\n',
    options: VALUE,
  },
  {
    what: 'attributes',
    family: 'rust',
    marked: 'fn a() {}\n\n«/// Doc\n#[inline]\npub fn f() {}»\n',
    name: 'f',
    code: 'fn b() {}',
    expected: 'fn a() {}\n\nfn b() {}\n\n/// Doc\n#[inline]\npub fn f() {}\n',
  },
  {
    what: 'two blank lines in Python',
    family: 'python',
    marked: 'x = 1\n\n\n«@a\ndef f():\n    pass»\n',
    name: 'f',
    code: 'def g():\n    pass',
    expected: 'x = 1\n\n\ndef g():\n    pass\n\n\n@a\ndef f():\n    pass\n',
  },
  {
    what: 'a template',
    family: 'cpp',
    marked: 'int a;\n\n// d\n«template <typename T>\nT f() { return T(); }»\n',
    name: 'f',
    code: 'int b;',
    expected: 'int a;\n\nint b;\n\n// d\ntemplate <typename T>\nT f() { return T(); }\n',
  },
  {
    what: 'a member of a list',
    family: 'typescript',
    marked: 'enum E {\n  A,\n  «B»\n}\n',
    name: 'B',
    code: 'C = 3',
    expected: 'enum E {\n  A,\n  C = 3,\n  B\n}\n',
    options: MEMBER,
  },
];

const AFTER: readonly Insertion[] = [
  {
    what: 'the last of a class',
    family: 'typescript',
    marked: 'class A {\n  a() {}\n\n  «f() {}»\n}\n',
    name: 'f',
    code: '    g() {\n      x();\n    }',
    expected: 'class A {\n  a() {}\n\n  f() {}\n\n  g() {\n    x();\n  }\n}\n',
    options: METHOD,
  },
  {
    what: 'a semicolon and a comment',
    family: 'typescript',
    marked: 'const «f = () => {}»; // why\nconst b = 1;\n',
    name: 'f',
    code: 'const c = 2;',
    expected: 'const f = () => {}; // why\nconst c = 2;\nconst b = 1;\n',
    options: VALUE,
  },
  {
    what: 'no line end at the end',
    family: 'typescript',
    marked: '«function f() {\n}»',
    name: 'f',
    code: 'f();\n',
    expected: 'function f() {\n}\n\nf();',
  },
  {
    what: 'a class of C++ and its semicolon',
    family: 'cpp',
    marked: '«class A {\n}»;\n\nint a;\n',
    name: 'A',
    code: 'class B {};',
    expected: 'class A {\n};\n\nclass B {};\n\nint a;\n',
    options: { kind: SymbolKind.Class },
  },
  {
    what: 'the last of a Python class',
    family: 'python',
    marked: 'class A:\n    «def f(self):\n        return 1»  # c\n\n\nx = 1\n',
    name: 'f',
    code: 'def g(self):\n    return 2',
    expected:
      'class A:\n    def f(self):\n        return 1  # c\n\n    def g(self):\n        return 2\n\n\nx = 1\n',
    options: METHOD,
  },
  {
    what: 'tabs',
    family: 'go',
    marked: 'type A struct {\n\t«n int» // c\n}\n',
    name: 'n',
    code: 'm int',
    expected: 'type A struct {\n\tn int // c\n\tm int\n}\n',
    options: { kind: SymbolKind.Field, container: SymbolKind.Struct },
  },
  {
    what: 'carriage returns',
    family: 'typescript',
    marked: '«function f() {\r\n}»\r\n\r\na();\r\n',
    name: 'f',
    code: 'g();\nh();',
    expected: 'function f() {\r\n}\r\n\r\ng();\r\nh();\r\n\r\na();\r\n',
  },
  {
    what: 'the last of a list',
    family: 'typescript',
    marked: 'const o = {\n  a: 1,\n  «f: 2»\n};\n',
    name: 'f',
    code: 'g: 3',
    expected: 'const o = {\n  a: 1,\n  f: 2,\n  g: 3\n};\n',
    options: { kind: SymbolKind.Property, container: SymbolKind.Variable },
  },
  {
    what: 'a list with a comma at its end',
    family: 'typescript',
    marked: 'const o = {\n  «f: 2»,\n};\n',
    name: 'f',
    code: 'g: 3',
    expected: 'const o = {\n  f: 2,\n  g: 3,\n};\n',
    options: { kind: SymbolKind.Property, container: SymbolKind.Variable },
  },
  {
    what: 'end',
    family: 'ruby',
    marked: 'class A\n  «def f\n    1\n  end»\nend\n',
    name: 'f',
    code: 'def g\n  2\nend',
    expected: 'class A\n  def f\n    1\n  end\n\n  def g\n    2\n  end\nend\n',
    options: METHOD,
  },
];

describe('code before a symbol', () => {
  it.for(BEFORE)('goes above $what', ({ family, marked, name, code, expected, options }) => {
    expect(edited('before', family, marked, name, { code, ...options })).toBe(expected);
  });
});

describe('code after a symbol', () => {
  it.for(AFTER)('goes below $what', ({ family, marked, name, code, expected, options }) => {
    expect(edited('after', family, marked, name, { code, ...options })).toBe(expected);
  });

  it('is refused where the symbol shares its line, and when it is not whole', () => {
    const shared = 'class A { «m() {}» }';
    expect(refusal(() => edited('after', 'typescript', shared, 'm', { code: 'n() {}', ...METHOD }))).toBe(
      'm shares line 1 with other code | Use apply_edit with old_text and new_text instead',
    );
    expect(refusal(() => edited('after', 'typescript', '«function f() {}»', 'f', { code: 'g() {' }))).toBe(
      'code has { without its partner | Pass whole declarations',
    );
  });
});

const DELETED: readonly Deletion[] = [
  {
    what: 'comments and decorators',
    family: 'typescript',
    marked: 'class A {\n  a() {}\n\n  /** D */\n  «@log\n  f() {}»\n\n  b() {}\n}\n',
    name: 'f',
    expected: 'class A {\n  a() {}\n\n  b() {}\n}\n',
    options: METHOD,
  },
  {
    what: 'the last of a class',
    family: 'typescript',
    marked: 'class A {\n  a() {}\n\n  «f() {}»\n}\n',
    name: 'f',
    expected: 'class A {\n  a() {}\n}\n',
    options: METHOD,
  },
  {
    what: 'the first of a file',
    family: 'typescript',
    marked: '// c\n«export function f() {\n}»\n\n\na();\n',
    name: 'f',
    expected: 'a();\n',
  },
  {
    what: 'the last of a file',
    family: 'typescript',
    marked: 'a();\n\nexport const «f = 1»; // c\n',
    name: 'f',
    expected: 'a();\n',
    options: VALUE,
  },
  {
    what: 'the last without a line end',
    family: 'typescript',
    marked: 'a();\n\nconst «f = 1»;',
    name: 'f',
    expected: 'a();',
    options: VALUE,
  },
  {
    what: 'a member with its comma',
    family: 'typescript',
    marked: 'const o = {\n  a: 1,\n  «f: 2»,\n};\n',
    name: 'f',
    expected: 'const o = {\n  a: 1,\n};\n',
    options: { kind: SymbolKind.Property, container: SymbolKind.Variable },
  },
  {
    what: 'the only one of a Python class',
    family: 'python',
    marked: 'class A:\n    «def f(self):\n        pass»\n\nx = 1\n',
    name: 'f',
    expected: 'class A:\n    pass\n\nx = 1\n',
    options: METHOD,
  },
  {
    what: 'the only one of a Python class at the end',
    family: 'python',
    marked: 'class A:\n    «def f(self):\n        pass»\n',
    name: 'f',
    expected: 'class A:\n    pass\n',
    options: METHOD,
  },
  {
    what: 'one of two in Python',
    family: 'python',
    marked: 'class A:\n    x = 1\n\n    «def f(self):\n        pass»\n\n\ny = 1\n',
    name: 'f',
    expected: 'class A:\n    x = 1\n\n\ny = 1\n',
    options: METHOD,
  },
  {
    what: 'attributes',
    family: 'rust',
    marked: 'fn a() {}\n\n«/// D\n#[test]\nfn f() {}»\n\nfn b() {}\n',
    name: 'f',
    expected: 'fn a() {}\n\nfn b() {}\n',
  },
  {
    what: 'a receiver',
    family: 'go',
    marked: 'package a\n\n// Stop stops.\n«func (c *C) Stop() {}»\n\nvar x = 1\n',
    name: 'Stop',
    expected: 'package a\n\nvar x = 1\n',
    options: METHOD,
  },
  {
    what: 'carriage returns',
    family: 'typescript',
    marked: 'a();\r\n\r\n«function f() {}»\r\n\r\nb();\r\n',
    name: 'f',
    expected: 'a();\r\n\r\nb();\r\n',
  },
];

describe('a symbol that is deleted', () => {
  it('does not take what closes the block it is in, though its range does', () => {
    const marked = 'class A {\n  a() {}\n  «f() {\n  }\n}\n»g();\n';
    expect(edited('delete', 'typescript', marked, 'f', METHOD)).toBe('class A {\n  a() {}\n}\ng();\n');
  });

  it.for(DELETED)('takes with it $what', ({ family, marked, name, expected, options }) => {
    expect(edited('delete', family, marked, name, options)).toBe(expected);
  });

  it.for<{
    readonly family: string;
    readonly marked: string;
    readonly name: string;
    readonly message: RegExp;
    readonly options: MarkedOptions;
  }>([
    {
      family: 'typescript',
      marked: 'enum E {\n  «A»,\n}',
      name: 'A',
      message: /member of an enum.*apply_edit/,
      options: MEMBER,
    },
    {
      family: 'typescript',
      marked: 'const {\n  «a»,\n} = x;',
      name: 'a',
      message: /shares line 2/,
      options: VALUE,
    },
    {
      family: 'go',
      marked: 'const (\n\t«A = iota»\n\tB\n)',
      name: 'A',
      message: /numbered by their place/,
      options: { kind: SymbolKind.Constant },
    },
    { family: 'go', marked: 'var «a, b = 1, 2»', name: 'a', message: /shares line 1/, options: VALUE },
  ])('is refused in $family: $marked', ({ family, marked, name, message, options }) => {
    expect(refusal(() => edited('delete', family, marked, name, options))).toMatch(message);
  });
});

const statement = fc.constantFrom(
  'return 1;',
  "log('}');",
  `const a = \`{$\{b}\`;`,
  'if (x) { y(); }',
  '// a comment with {',
  '/* } */ z();',
  'const r = /[{]/.test(s);',
  "const e = '😀{';",
);

describe('an edit of a symbol', () => {
  it('leaves everything outside of it as it was, byte for byte', () => {
    const around = fc.array(fc.constantFrom('', 'const k = 1;', '// {', "s('}');", '\tt();'), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(
        around,
        around,
        fc.array(statement, { minLength: 1, maxLength: 5 }),
        fc.array(statement, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '  ', '\t'),
        (above, below, old, fresh, lineEnd, indent) => {
          const head = [...above, `${indent}function f(a: { b: 1 }) {`].join(lineEnd);
          const tail = [`${indent}}`, ...below].join(lineEnd);
          const body = old.map((line) => `${indent}  ${line}${lineEnd}`).join('');
          const begin = head.lastIndexOf('function');
          const marked = `${head.slice(0, begin)}«${head.slice(begin)}${lineEnd}${body}${indent}}»${tail.slice(indent.length + 1)}`;
          const { source, extent } = markedSymbol(marked, 'typescript', 'f');
          const { text } = replaceBody(source, extent, fresh.join('\n'));
          const lines = fresh.map((line) => `${indent}  ${line}`);
          expect(text).toBe([head, ...lines, tail].join(lineEnd));
          expect(replaceBody(source, extent, old.join('\n')).text).toBe(source.text);
        },
      ),
      { numRuns: 200 },
    );
  });
});
