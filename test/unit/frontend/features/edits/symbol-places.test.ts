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

/** What, family, text, name, code, text afterwards. */
type Insertion = readonly [string, string, string, string, string, string, MarkedOptions?];

const BEFORE: readonly Insertion[] = [
  [
    'comments and decorators',
    'typescript',
    'class A {\n  a = 1;\n\n  /** D */\n  «@log\n  f() {}»\n}\n',
    'f',
    'g() {\n  x();\n}',
    'class A {\n  a = 1;\n\n  g() {\n    x();\n  }\n\n  /** D */\n  @log\n  f() {}\n}\n',
    METHOD,
  ],
  [
    'the first in a file',
    'typescript',
    '«export function f() {\n}»\n',
    'f',
    'const a = 1;',
    'const a = 1;\n\nexport function f() {\n}\n',
  ],
  [
    'export const',
    'typescript',
    'a();\n// c\nexport const «f = 1»;\n',
    'f',
    'const b = 2;',
    'a();\nconst b = 2;\n// c\nexport const f = 1;\n',
    VALUE,
  ],
  [
    'attributes',
    'rust',
    'fn a() {}\n\n«/// Doc\n#[inline]\npub fn f() {}»\n',
    'f',
    'fn b() {}',
    'fn a() {}\n\nfn b() {}\n\n/// Doc\n#[inline]\npub fn f() {}\n',
  ],
  [
    'two blank lines in Python',
    'python',
    'x = 1\n\n\n«@a\ndef f():\n    pass»\n',
    'f',
    'def g():\n    pass',
    'x = 1\n\n\ndef g():\n    pass\n\n\n@a\ndef f():\n    pass\n',
  ],
  [
    'a template',
    'cpp',
    'int a;\n\n// d\n«template <typename T>\nT f() { return T(); }»\n',
    'f',
    'int b;',
    'int a;\n\nint b;\n\n// d\ntemplate <typename T>\nT f() { return T(); }\n',
  ],
  [
    'a member of a list',
    'typescript',
    'enum E {\n  A,\n  «B»\n}\n',
    'B',
    'C = 3',
    'enum E {\n  A,\n  C = 3,\n  B\n}\n',
    MEMBER,
  ],
];

const AFTER: readonly Insertion[] = [
  [
    'the last of a class',
    'typescript',
    'class A {\n  a() {}\n\n  «f() {}»\n}\n',
    'f',
    '    g() {\n      x();\n    }',
    'class A {\n  a() {}\n\n  f() {}\n\n  g() {\n    x();\n  }\n}\n',
    METHOD,
  ],
  [
    'a semicolon and a comment',
    'typescript',
    'const «f = () => {}»; // why\nconst b = 1;\n',
    'f',
    'const c = 2;',
    'const f = () => {}; // why\nconst c = 2;\nconst b = 1;\n',
    VALUE,
  ],
  ['no line end at the end', 'typescript', '«function f() {\n}»', 'f', 'f();\n', 'function f() {\n}\n\nf();'],
  [
    'a class of C++ and its semicolon',
    'cpp',
    '«class A {\n}»;\n\nint a;\n',
    'A',
    'class B {};',
    'class A {\n};\n\nclass B {};\n\nint a;\n',
    { kind: SymbolKind.Class },
  ],
  [
    'the last of a Python class',
    'python',
    'class A:\n    «def f(self):\n        return 1»  # c\n\n\nx = 1\n',
    'f',
    'def g(self):\n    return 2',
    'class A:\n    def f(self):\n        return 1  # c\n\n    def g(self):\n        return 2\n\n\nx = 1\n',
    METHOD,
  ],
  [
    'tabs',
    'go',
    'type A struct {\n\t«n int» // c\n}\n',
    'n',
    'm int',
    'type A struct {\n\tn int // c\n\tm int\n}\n',
    { kind: SymbolKind.Field, container: SymbolKind.Struct },
  ],
  [
    'carriage returns',
    'typescript',
    '«function f() {\r\n}»\r\n\r\na();\r\n',
    'f',
    'g();\nh();',
    'function f() {\r\n}\r\n\r\ng();\r\nh();\r\n\r\na();\r\n',
  ],
  [
    'the last of a list',
    'typescript',
    'const o = {\n  a: 1,\n  «f: 2»\n};\n',
    'f',
    'g: 3',
    'const o = {\n  a: 1,\n  f: 2,\n  g: 3\n};\n',
    { kind: SymbolKind.Property, container: SymbolKind.Variable },
  ],
  [
    'a list with a comma at its end',
    'typescript',
    'const o = {\n  «f: 2»,\n};\n',
    'f',
    'g: 3',
    'const o = {\n  f: 2,\n  g: 3,\n};\n',
    { kind: SymbolKind.Property, container: SymbolKind.Variable },
  ],
  [
    'end',
    'ruby',
    'class A\n  «def f\n    1\n  end»\nend\n',
    'f',
    'def g\n  2\nend',
    'class A\n  def f\n    1\n  end\n\n  def g\n    2\n  end\nend\n',
    METHOD,
  ],
];

describe('code before a symbol', () => {
  it.for(BEFORE)('goes above %s', ([_, family, marked, name, code, expected, options]) => {
    expect(edited('before', family, marked, name, { code, ...options })).toBe(expected);
  });
});

describe('code after a symbol', () => {
  it.for(AFTER)('goes below %s', ([_, family, marked, name, code, expected, options]) => {
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

const DELETED: readonly (readonly [string, string, string, string, string, MarkedOptions?])[] = [
  [
    'comments and decorators',
    'typescript',
    'class A {\n  a() {}\n\n  /** D */\n  «@log\n  f() {}»\n\n  b() {}\n}\n',
    'f',
    'class A {\n  a() {}\n\n  b() {}\n}\n',
    METHOD,
  ],
  [
    'the last of a class',
    'typescript',
    'class A {\n  a() {}\n\n  «f() {}»\n}\n',
    'f',
    'class A {\n  a() {}\n}\n',
    METHOD,
  ],
  ['the first of a file', 'typescript', '// c\n«export function f() {\n}»\n\n\na();\n', 'f', 'a();\n'],
  ['the last of a file', 'typescript', 'a();\n\nexport const «f = 1»; // c\n', 'f', 'a();\n', VALUE],
  ['the last without a line end', 'typescript', 'a();\n\nconst «f = 1»;', 'f', 'a();', VALUE],
  [
    'a member with its comma',
    'typescript',
    'const o = {\n  a: 1,\n  «f: 2»,\n};\n',
    'f',
    'const o = {\n  a: 1,\n};\n',
    { kind: SymbolKind.Property, container: SymbolKind.Variable },
  ],
  [
    'the only one of a Python class',
    'python',
    'class A:\n    «def f(self):\n        pass»\n\nx = 1\n',
    'f',
    'class A:\n    pass\n\nx = 1\n',
    METHOD,
  ],
  [
    'the only one of a Python class at the end',
    'python',
    'class A:\n    «def f(self):\n        pass»\n',
    'f',
    'class A:\n    pass\n',
    METHOD,
  ],
  [
    'one of two in Python',
    'python',
    'class A:\n    x = 1\n\n    «def f(self):\n        pass»\n\n\ny = 1\n',
    'f',
    'class A:\n    x = 1\n\n\ny = 1\n',
    METHOD,
  ],
  [
    'attributes',
    'rust',
    'fn a() {}\n\n«/// D\n#[test]\nfn f() {}»\n\nfn b() {}\n',
    'f',
    'fn a() {}\n\nfn b() {}\n',
  ],
  [
    'a receiver',
    'go',
    'package a\n\n// Stop stops.\n«func (c *C) Stop() {}»\n\nvar x = 1\n',
    'Stop',
    'package a\n\nvar x = 1\n',
    METHOD,
  ],
  [
    'carriage returns',
    'typescript',
    'a();\r\n\r\n«function f() {}»\r\n\r\nb();\r\n',
    'f',
    'a();\r\n\r\nb();\r\n',
  ],
];

describe('a symbol that is deleted', () => {
  it('does not take what closes the block it is in, though its range does', () => {
    const marked = 'class A {\n  a() {}\n  «f() {\n  }\n}\n»g();\n';
    expect(edited('delete', 'typescript', marked, 'f', METHOD)).toBe('class A {\n  a() {}\n}\ng();\n');
  });

  it.for(DELETED)('takes with it %s', ([_, family, marked, name, expected, options]) => {
    expect(edited('delete', family, marked, name, options)).toBe(expected);
  });

  it.for<readonly [string, string, string, RegExp, MarkedOptions]>([
    ['typescript', 'enum E {\n  «A»,\n}', 'A', /member of an enum.*apply_edit/, MEMBER],
    ['typescript', 'const {\n  «a»,\n} = x;', 'a', /shares line 2/, VALUE],
    ['go', 'const (\n\t«A = iota»\n\tB\n)', 'A', /numbered by their place/, { kind: SymbolKind.Constant }],
    ['go', 'var «a, b = 1, 2»', 'a', /shares line 1/, VALUE],
  ])('is refused in %s: %j', ([family, marked, name, message, options]) => {
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
