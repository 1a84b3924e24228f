import { describe, expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { replaceBody } from '../../../../../src/frontend/features/edits/symbols/replace-body.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { type MarkedOptions, markedSymbol } from '../../../../support/symbol-text.ts';

function replaced(
  family: string,
  marked: string,
  name: string,
  body: string,
  options?: MarkedOptions,
): string {
  const { source, extent } = markedSymbol(marked, family, name, options);
  return replaceBody(source, extent, body).text;
}

function refusal(
  family: string,
  marked: string,
  name: string,
  body: string,
  options?: MarkedOptions,
): string {
  try {
    return `not refused: ${replaced(family, marked, name, body, options)}`;
  } catch (error) {
    const failure = failureOf(error);
    return failure?.kind === 'invalid-input' ? `${failure.message} | ${failure.next}` : String(error);
  }
}

const METHOD = { kind: SymbolKind.Method, container: SymbolKind.Class };
const FIELD = { kind: SymbolKind.Property, container: SymbolKind.Class };
const VALUE = { kind: SymbolKind.Variable };

interface Replacement {
  readonly what: string;
  /** The symbol is between « and ». */
  readonly marked: string;
  readonly name: string;
  readonly body: string;
  /** The text afterwards. */
  readonly expected: string;
  readonly options?: MarkedOptions;
}

const SCRIPT: readonly Replacement[] = [
  {
    what: 'one line',
    marked: '«function f() { return 1; }»\n',
    name: 'f',
    body: 'return 2;',
    expected: 'function f() { return 2; }\n',
  },
  {
    what: 'one line, several come',
    marked: '«function f() { return 1; }»\n',
    name: 'f',
    body: 'const a = 2;\nreturn a;',
    expected: 'function f() {\n    const a = 2;\n    return a;\n}\n',
  },
  {
    what: 'with braces',
    marked: '«function f() {\n  return 1;\n}»\n',
    name: 'f',
    body: '{ return 2; }',
    expected: 'function f() {\n  return 2;\n}\n',
  },
  {
    what: 'indented as in a file',
    marked: 'class A {\n  «f() {\n    return 1;\n  }»\n}\n',
    name: 'f',
    body: '    if (x) {\n      y();\n    }',
    expected: 'class A {\n  f() {\n    if (x) {\n      y();\n    }\n  }\n}\n',
    options: METHOD,
  },
  {
    what: 'first line not indented',
    marked: 'class A {\n  «f() {\n    return 1;\n  }»\n}\n',
    name: 'f',
    body: 'const a = 1;\n    return a;',
    expected: 'class A {\n  f() {\n    const a = 1;\n    return a;\n  }\n}\n',
    options: METHOD,
  },
  {
    what: 'a signature on several lines',
    marked: '«export function f(\n  a: { b: string },\n): { c: number } {\n  return 1;\n}»',
    name: 'f',
    body: 'return 2;',
    expected: 'export function f(\n  a: { b: string },\n): { c: number } {\n  return 2;\n}',
  },
  {
    what: 'braces in strings and comments',
    marked: `«function f() {\n  // }\n  return \`}$\{'{'}\` + '}' + /}/.source;\n}»\nf();`,
    name: 'f',
    body: 'return 2;',
    expected: 'function f() {\n  return 2;\n}\nf();',
  },
  {
    what: 'an arrow with a block',
    marked: 'export const «f = (a: number): number => { return a; }»;\n',
    name: 'f',
    body: 'return 2;',
    expected: 'export const f = (a: number): number => { return 2; };\n',
    options: VALUE,
  },
  {
    what: 'an arrow with a value',
    marked: 'export const «f = async (a) => a + 1»;\n',
    name: 'f',
    body: 'a + 2',
    expected: 'export const f = async (a) => a + 2;\n',
    options: VALUE,
  },
  {
    what: 'an arrow that gets statements',
    marked: '  const «f = a => a»;\n',
    name: 'f',
    body: 'log();\nreturn a;',
    expected: '  const f = a => {\n    log();\n    return a;\n  };\n',
    options: VALUE,
  },
  {
    what: 'an arrow that returns an arrow',
    marked: 'const «f = (a) => (b) => { return a; }»;',
    name: 'f',
    body: '(b) => b',
    expected: 'const f = (a) => (b) => b;',
    options: VALUE,
  },
  {
    what: 'an arrow with an annotated type',
    marked: 'const «f: (a: number) => void = (a) => { a; }»;',
    name: 'f',
    body: 'b();',
    expected: 'const f: (a: number) => void = (a) => { b(); };',
    options: VALUE,
  },
  {
    what: 'a function as value',
    marked: 'const «f = async function g() { return 1; }»;',
    name: 'f',
    body: 'return 2;',
    expected: 'const f = async function g() { return 2; };',
    options: VALUE,
  },
  {
    what: 'a field that is an arrow',
    marked: 'class A {\n  «private h = (a) => a;»\n}',
    name: 'h',
    body: 'a + 1',
    expected: 'class A {\n  private h = (a) => a + 1;\n}',
    options: FIELD,
  },
  {
    what: 'a getter',
    marked: 'class A {\n  «get f(): number { return 1; }»\n}',
    name: 'f',
    body: 'return 2;',
    expected: 'class A {\n  get f(): number { return 2; }\n}',
    options: FIELD,
  },
  {
    what: 'a member of an object',
    marked: 'const o = {\n  «f: () => 1»,\n};',
    name: 'f',
    body: '2',
    expected: 'const o = {\n  f: () => 2,\n};',
    options: { kind: SymbolKind.Property, container: SymbolKind.Variable },
  },
  {
    what: 'a brace on a line of its own',
    marked: '«function f()\n{\n\treturn 1;\n}»',
    name: 'f',
    body: 'if (x) {\n  y();\n}',
    expected: 'function f()\n{\n\tif (x) {\n\t\ty();\n\t}\n}',
  },
  {
    what: 'an empty one',
    marked: '«function f() {}»',
    name: 'f',
    body: 'return 2;',
    expected: 'function f() {\n    return 2;\n}',
  },
  {
    what: 'one that becomes empty',
    marked: '«function f() { return 1; }»',
    name: 'f',
    body: '{}',
    expected: 'function f() {}',
  },
  {
    what: 'a class',
    marked: '«export class A extends B<{ x: 1 }> {\n  a = 1;\n}»',
    name: 'A',
    body: 'b = 2;',
    expected: 'export class A extends B<{ x: 1 }> {\n  b = 2;\n}',
    options: { kind: SymbolKind.Class },
  },
  {
    what: 'a type',
    marked: '«type A = {\n  a: 1;\n};»',
    name: 'A',
    body: '{ b: 2 }',
    expected: 'type A = {\n  b: 2\n};',
    options: { kind: SymbolKind.Class },
  },
  {
    what: 'carriage returns',
    marked: '«function f() {\r\n  return 1;\r\n}»\r\n',
    name: 'f',
    body: 'a();\nreturn 2;',
    expected: 'function f() {\r\n  a();\r\n  return 2;\r\n}\r\n',
  },
  {
    what: 'text in a template keeps its white space',
    marked: 'class A {\n  «f() {\n    return 1;\n  }»\n}',
    name: 'f',
    body: 'return `\na\n  b`;',
    expected: 'class A {\n  f() {\n    return `\na\n  b`;\n  }\n}',
    options: METHOD,
  },
  {
    what: 'a local with the name of its method',
    marked: 'class A {\n  «total() {\n    return 1;\n  }»\n}',
    name: 'total',
    body: 'const total = 2;\nreturn total;',
    expected: 'class A {\n  total() {\n    const total = 2;\n    return total;\n  }\n}',
    options: METHOD,
  },
  {
    what: 'a call of itself',
    marked: 'class A {\n  «f() {\n    return 1;\n  }»\n}',
    name: 'f',
    body: 'f();\nif (x) { y(); }',
    expected: 'class A {\n  f() {\n    f();\n    if (x) { y(); }\n  }\n}',
    options: METHOD,
  },
];

const SCRIPT_WHOLE: readonly Replacement[] = [
  {
    what: 'a function',
    marked: '/** Doc. */\n«export function f() {\n  return 1;\n}»\n',
    name: 'f',
    body: 'export async function f(a: number) {\n  return a;\n}',
    expected: '/** Doc. */\nexport async function f(a: number) {\n  return a;\n}\n',
  },
  {
    what: 'without its export',
    marked: '«export function f() {\n  return 1;\n}»\n',
    name: 'f',
    body: 'function f() { return 2; }',
    expected: 'export function f() { return 2; }\n',
  },
  {
    what: 'with a comment of its own',
    marked: '/** Old. */\n«export function f() {\n  return 1;\n}»\n',
    name: 'f',
    body: '/** New. */\nexport function f() {}',
    expected: '/** New. */\nexport function f() {}\n',
  },
  {
    what: 'a method',
    marked: 'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    name: 'stop',
    body: 'async stop(): Promise<void> {\n  z();\n}',
    expected: 'class A {\n  /** D */\n  @log\n  async stop(): Promise<void> {\n    z();\n  }\n}',
    options: METHOD,
  },
  {
    what: 'a method with a comment, the decorator kept',
    marked: 'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    name: 'stop',
    body: '/** E */\nstop() {}',
    expected: 'class A {\n  /** E */\n  @log\n  stop() {}\n}',
    options: METHOD,
  },
  {
    what: 'a method with a decorator, the comment kept',
    marked: 'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    name: 'stop',
    body: '@trace()\nstop() {}',
    expected: 'class A {\n  /** D */\n  @trace()\n  stop() {}\n}',
    options: METHOD,
  },
  {
    what: 'a static method',
    marked: 'class A {\n  «static make() { return 1; }»\n}',
    name: 'make',
    body: 'static make() {\n  return 2;\n}',
    expected: 'class A {\n  static make() {\n    return 2;\n  }\n}',
    options: METHOD,
  },
  {
    what: 'a constant',
    marked: 'export const «f = (a) => a»;\n',
    name: 'f',
    body: 'export const f = (a) => {\n  return a;\n};',
    expected: 'export const f = (a) => {\n  return a;\n};\n',
    options: VALUE,
  },
  {
    what: 'a constant that becomes a function',
    marked: 'const «f = (a) => a»\nf();',
    name: 'f',
    body: 'function f(a) { return a; }',
    expected: 'function f(a) { return a; }\nf();',
    options: VALUE,
  },
  {
    what: 'a plain value',
    marked: 'const «MAX = 1»;\n',
    name: 'MAX',
    body: 'const MAX = 2;',
    expected: 'const MAX = 2;\n',
    options: VALUE,
  },
  {
    what: 'a field',
    marked: 'class A {\n  «readonly a = 1;»\n}',
    name: 'a',
    body: 'readonly a: number = 2;',
    expected: 'class A {\n  readonly a: number = 2;\n}',
    options: FIELD,
  },
  {
    what: 'a signature',
    marked: 'abstract class A {\n  «abstract f(): { a: 1 };»\n}',
    name: 'f',
    body: 'abstract f(b: 2): void;',
    expected: 'abstract class A {\n  abstract f(b: 2): void;\n}',
    options: METHOD,
  },
  {
    what: 'a class',
    marked: '«class A {\n  a = 1;\n}»',
    name: 'A',
    body: 'class A extends B {\n  a = 2;\n}',
    expected: 'class A extends B {\n  a = 2;\n}',
    options: { kind: SymbolKind.Class },
  },
];

describe('the body of a symbol in TypeScript and JavaScript', () => {
  it.for(SCRIPT)('$what', ({ marked, name, body, expected, options }) => {
    expect(replaced('typescript', marked, name, body, options)).toBe(expected);
  });

  it.for(SCRIPT_WHOLE)('is the whole declaration: $what', ({ marked, name, body, expected, options }) => {
    expect(replaced('typescript', marked, name, body, options)).toBe(expected);
  });

  it.for<Omit<Replacement, 'expected'> & { readonly message: RegExp }>([
    {
      what: 'an abstract method',
      marked: 'abstract class A {\n  «abstract f(): { a: 1 };»\n}',
      name: 'f',
      body: 'return 1;',
      message: /has no body.*Pass its whole declaration/,
      options: METHOD,
    },
    {
      what: 'an overload',
      marked: 'class A {\n  «f(a: string): void;»\n  f(a) {}\n}',
      name: 'f',
      body: 'return 1;',
      message: /declared without one/,
      options: METHOD,
    },
    {
      what: 'a value that is no function',
      marked: 'const «a = 1»;',
      name: 'a',
      body: 'return 1;',
      message: /its value is no function/,
      options: VALUE,
    },
    {
      what: 'a call that makes one',
      marked: 'const «a = memo(() => 1)»;',
      name: 'a',
      body: 'return 1;',
      message: /its value is no function/,
      options: VALUE,
    },
    {
      what: 'an object or a block',
      marked: 'const «f = () => ({ a: 1 })»;',
      name: 'f',
      body: '{ a: 2 }',
      message: /object or a block.*\(\{ \.\.\. \}\)/,
      options: VALUE,
    },
    {
      what: 'half of a body',
      marked: '«function f() {}»',
      name: 'f',
      body: '  return 1;\n}',
      message: /has } without its partner/,
    },
    {
      what: 'more than the declaration',
      marked: '«function f() {}»',
      name: 'f',
      body: 'function f() {}\nfunction g() {}',
      message: /more than the declaration of f/,
    },
    { what: 'nothing', marked: '«function f() {}»', name: 'f', body: ' ', message: /new_body is empty/ },
    {
      what: 'one line shared',
      marked: 'class A { «f() {}» }',
      name: 'f',
      body: 'return 1;',
      message: /shares line 1 with other code/,
      options: METHOD,
    },
    {
      what: 'two names of one statement',
      marked: 'const «a = () => 1», b = 2;',
      name: 'a',
      body: '2',
      message: /shares line 1/,
      options: VALUE,
    },
    {
      what: 'a destructured name',
      marked: 'const { «f» } = x;',
      name: 'f',
      body: '2',
      message: /shares line 1/,
      options: VALUE,
    },
  ])('refuses $what', ({ marked, name, body, message, options }) => {
    expect(refusal('typescript', marked, name, body, options)).toMatch(message);
  });
});

const PYTHON: readonly Replacement[] = [
  {
    what: 'a suite',
    marked: '«def f(a):\n    return 1»\n',
    name: 'f',
    body: 'return 2',
    expected: 'def f(a):\n    return 2\n',
  },
  {
    what: 'one line',
    marked: '«def f(): return 1»\n',
    name: 'f',
    body: 'return 2',
    expected: 'def f(): return 2\n',
  },
  {
    what: 'one line that gets several',
    marked: 'class A:\n    «def f(self): return 1»\n',
    name: 'f',
    body: 'x = 1\nreturn x',
    expected: 'class A:\n    def f(self):\n        x = 1\n        return x\n',
  },
  {
    what: 'a docstring that stays',
    marked: '«def f():\n    """Doc: of f."""\n    return 1»\n',
    name: 'f',
    body: 'return 2',
    expected: 'def f():\n    """Doc: of f."""\n    return 2\n',
  },
  {
    what: 'a docstring that is replaced',
    marked: '«def f():\n    """Doc."""\n    return 1»\n',
    name: 'f',
    body: '"""New\n\nmore.\n"""\nreturn 2',
    expected: 'def f():\n    """New\n\n    more.\n    """\n    return 2\n',
  },
  {
    what: 'a header on several lines',
    marked:
      '«@cache\ndef f(\n    a: dict[str, int] = {1: 2},\n    b=lambda: 3,\n) -> int:  # why: not\n    return 1»  # tail\n',
    name: 'f',
    body: 'return 2',
    expected:
      '@cache\ndef f(\n    a: dict[str, int] = {1: 2},\n    b=lambda: 3,\n) -> int:  # why: not\n    return 2  # tail\n',
  },
  {
    what: 'comments at its end, which stay',
    marked: '«def f():\n    return 1»\n    # over\n\n# outside\n',
    name: 'f',
    body: 'return 2',
    expected: 'def f():\n    return 2\n    # over\n\n# outside\n',
  },
  {
    what: 'a first line without indentation',
    marked: '«def f():\n    return 1»\n',
    name: 'f',
    body: 'if a:\n        return 2\n    return 3',
    expected: 'def f():\n    if a:\n        return 2\n    return 3\n',
  },
  {
    what: 'a class',
    marked: '«class A(B):\n    x = 1»\n',
    name: 'A',
    body: 'y = 2\n\ndef m(self):\n    pass',
    expected: 'class A(B):\n    y = 2\n\n    def m(self):\n        pass\n',
    options: { kind: SymbolKind.Class },
  },
  {
    what: 'tabs',
    marked: '«def f():\n\treturn 1»\n',
    name: 'f',
    body: 'if a:\n    return 2',
    expected: 'def f():\n\tif a:\n\t\treturn 2\n',
  },
  {
    what: 'the whole',
    marked: '# c\n«@a\ndef f():\n    return 1»\n',
    name: 'f',
    body: 'async def f(x):\n    return x',
    expected: '# c\n@a\nasync def f(x):\n    return x\n',
  },
  {
    what: 'the whole with decorators',
    marked: '«@a\ndef f():\n    return 1»\n',
    name: 'f',
    body: '@b\ndef f(\n    x,\n):\n    return x',
    expected: '@b\ndef f(\n    x,\n):\n    return x\n',
  },
  {
    what: 'a value',
    marked: '«X» = [\n    1,\n]\ny = 2\n',
    name: 'X',
    body: 'X = [2]',
    expected: 'X = [2]\ny = 2\n',
    options: { kind: SymbolKind.Constant },
  },
];

describe('the body of a symbol in Python', () => {
  it.for(PYTHON)('$what', ({ marked, name, body, expected, options }) => {
    expect(replaced('python', marked, name, body, options)).toBe(expected);
  });

  it('refuses more than the declaration, and values', () => {
    expect(refusal('python', '«def f():\n    return 1»\n', 'f', 'def f():\n    return 2\nx = 1')).toMatch(
      /more than the declaration/,
    );
    expect(refusal('python', '«X» = 1\n', 'X', '2', VALUE)).toMatch(/neither a def nor a class/);
    expect(refusal('python', 'a, «X» = 1, 2\n', 'X', 'X = 2', VALUE)).toMatch(/shares line 1/);
  });
});

const OTHERS: readonly (Replacement & { readonly family: string })[] = [
  {
    family: 'go',
    what: 'a receiver',
    marked: '// Stop stops.\n«func (c *Client) Stop() { c.n++ }»\n',
    name: 'Stop',
    body: 'c.n--',
    expected: '// Stop stops.\nfunc (c *Client) Stop() { c.n-- }\n',
    options: METHOD,
  },
  {
    family: 'go',
    what: 'a whole method',
    marked: '// Stop stops.\n«func (c *Client) Stop() {\n\tc.n++\n}»\n',
    name: 'Stop',
    body: 'func (c *Client) Stop(n int) error {\n    return nil\n}',
    expected: '// Stop stops.\nfunc (c *Client) Stop(n int) error {\n\treturn nil\n}\n',
    options: METHOD,
  },
  {
    family: 'go',
    what: 'a result that looks like a body',
    marked: '«func f[T any](a T) (b struct{ c int }) {\n\treturn\n}»\n',
    name: 'f',
    body: 'panic("}")',
    expected: 'func f[T any](a T) (b struct{ c int }) {\n\tpanic("}")\n}\n',
  },
  {
    family: 'go',
    what: 'a struct',
    marked: 'type «A struct {\n\tn int\n}»\n',
    name: 'A',
    body: 'm int',
    expected: 'type A struct {\n\tm int\n}\n',
    options: { kind: SymbolKind.Struct },
  },
  {
    family: 'go',
    what: 'a variable that is a function',
    marked: 'var «w = func() int { return 1 }»\n',
    name: 'w',
    body: 'return 2',
    expected: 'var w = func() int { return 2 }\n',
    options: VALUE,
  },
  {
    family: 'cpp',
    what: 'initialisers',
    marked: 'struct A {\n  «explicit A(int a) : n{a}, m(2) { n++; }»\n};',
    name: 'A',
    body: 'n--;',
    expected: 'struct A {\n  explicit A(int a) : n{a}, m(2) { n--; }\n};',
    options: METHOD,
  },
  {
    family: 'cpp',
    what: 'a template outside its class',
    marked: '«template <typename T>\nint Box<T>::total() const noexcept {\n  return n;\n}»\n',
    name: 'total',
    body: 'return 2;',
    expected: 'template <typename T>\nint Box<T>::total() const noexcept {\n  return 2;\n}\n',
    options: METHOD,
  },
  {
    family: 'cpp',
    what: 'the whole of one',
    marked: '«template <typename T>\nint Box<T>::total() const {\n  return n;\n}»\n',
    name: 'total',
    body: 'template <typename T>\nlong Box<T>::total() const {\n  return 2;\n}',
    expected: 'template <typename T>\nlong Box<T>::total() const {\n  return 2;\n}\n',
    options: METHOD,
  },
  {
    family: 'cpp',
    what: 'an attribute before the range',
    marked: '[[nodiscard]] «static inline int f(int a,\n    int b)\n{\n  return a;\n}»\n',
    name: 'f',
    body: 'return b;',
    expected: '[[nodiscard]] static inline int f(int a,\n    int b)\n{\n  return b;\n}\n',
  },
  {
    family: 'cpp',
    what: 'quotes that are none',
    marked: "«int f() {\n  char c = '{';\n  return 1'000 + R\"x(})x\"[0];\n}»\n",
    name: 'f',
    body: 'return 2;',
    expected: 'int f() {\n  return 2;\n}\n',
  },
  {
    family: 'rust',
    what: 'lifetimes and where',
    marked:
      "impl A {\n    «/// Stops.\n    #[inline]\n    pub fn stop<'a>(&'a self, c: char) -> bool\n    where\n        T: Copy,\n    {\n        c == '{'\n    }»\n}\n",
    name: 'stop',
    body: 'true',
    expected:
      "impl A {\n    /// Stops.\n    #[inline]\n    pub fn stop<'a>(&'a self, c: char) -> bool\n    where\n        T: Copy,\n    {\n        true\n    }\n}\n",
    options: METHOD,
  },
  {
    family: 'rust',
    what: 'the whole, attribute and comment kept',
    marked: 'impl A {\n    «/// Stops.\n    #[inline]\n    pub fn stop(&self) -> bool { true }»\n}\n',
    name: 'stop',
    body: 'pub(crate) fn stop(&self) {}',
    expected: 'impl A {\n    /// Stops.\n    #[inline]\n    pub(crate) fn stop(&self) {}\n}\n',
    options: METHOD,
  },
  {
    family: 'java',
    what: 'a method',
    marked:
      'class A {\n    «@Override\n    public Map<String, int[]> f(int a) throws E {\n        return null;\n    }»\n}\n',
    name: 'f',
    body: 'return a;',
    expected:
      'class A {\n    @Override\n    public Map<String, int[]> f(int a) throws E {\n        return a;\n    }\n}\n',
    options: METHOD,
  },
  {
    family: 'csharp',
    what: 'an expression',
    marked: 'class A {\n    «public int F() => 1;»\n}\n',
    name: 'F',
    body: '2',
    expected: 'class A {\n    public int F() => 2;\n}\n',
    options: METHOD,
  },
  {
    family: 'ruby',
    what: 'a method',
    marked: 'class A\n  «def f(a, b = {})\n    "end #{a}"\n  end»\nend\n',
    name: 'f',
    body: 'b',
    expected: 'class A\n  def f(a, b = {})\n    b\n  end\nend\n',
    options: METHOD,
  },
  {
    family: 'ruby',
    what: 'one line',
    marked: '«def f; 1; end»\n',
    name: 'f',
    body: '2',
    expected: 'def f; 2; end\n',
  },
  {
    family: 'ruby',
    what: 'one line that gets several',
    marked: '«def f(a); 1; end»\n',
    name: 'f',
    body: 'b\nc',
    expected: 'def f(a)\n    b\n    c\nend\n',
  },
  {
    family: 'ruby',
    what: 'the whole',
    marked: '# doc\n«def self.f(a)\n  1\nend»\n',
    name: 'f',
    body: 'def self.f\n  if x\n    2\n  end\nend',
    expected: '# doc\ndef self.f\n  if x\n    2\n  end\nend\n',
  },
  {
    family: 'lua',
    what: 'a function',
    marked: 'local M = {}\n«function M.f(a)\n  -- end\n  return [[end]]\nend»\n',
    name: 'f',
    body: 'return a',
    expected: 'local M = {}\nfunction M.f(a)\n  return a\nend\n',
  },
  {
    family: 'lua',
    what: 'a value',
    marked: '«local f = function(a) return 1 end»\n',
    name: 'f',
    body: 'return 2',
    expected: 'local f = function(a) return 2 end\n',
  },
  {
    family: 'elixir',
    what: 'a block',
    marked: 'defmodule A do\n  @doc "x"\n  «def f(a) when a > 1 do\n    "do #{a}"\n  end»\nend\n',
    name: 'f',
    body: 'a + 1',
    expected: 'defmodule A do\n  @doc "x"\n  def f(a) when a > 1 do\n    a + 1\n  end\nend\n',
  },
];

describe('the body of a symbol in other languages', () => {
  it.for(OTHERS)('$family: $what', ({ family, marked, name, body, expected, options }) => {
    expect(replaced(family, marked, name, body, options)).toBe(expected);
  });

  it.for<{
    readonly family: string;
    readonly marked: string;
    readonly name: string;
    readonly message: RegExp;
    readonly options?: MarkedOptions;
  }>([
    {
      family: 'cpp',
      marked: 'struct A {\n  «virtual void v() = 0»;\n};',
      name: 'v',
      message: /declared without one/,
      options: METHOD,
    },
    {
      family: 'cpp',
      marked: '«A::A() try : n(1) {\n} catch (...) {\n}»',
      name: 'A',
      message: /function-try-block/,
    },
    {
      family: 'cpp',
      marked: '«int f() {\n#if X\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}»',
      name: 'f',
      message: /do not pair up/,
    },
    {
      family: 'cpp',
      marked: 'int «x{5}»;',
      name: 'x',
      message: /shares line|has a value|declared without/,
      options: VALUE,
    },
    { family: 'go', marked: '«func f() struct{}»', name: 'f', message: /declared without one/ },
    {
      family: 'rust',
      marked: '«pub struct U(i32);»',
      name: 'U',
      message: /declared without one/,
      options: { kind: SymbolKind.Struct },
    },
    { family: 'ruby', marked: '«def f = 1»\n', name: 'f', message: /does not end with `end`/ },
    { family: 'elixir', marked: '«def f(a), do: a»\n', name: 'f', message: /does not end with `end`/ },
    { family: 'kotlin', marked: '«fun f() = run {\n  1\n}»\n', name: 'f', message: /has a value instead/ },
    { family: 'haskell', marked: '«f x = x»\n', name: 'f', message: /bodies in haskell are not known/ },
  ])('refuses in $family what has none: $marked', ({ family, marked, name, message, options }) => {
    expect(refusal(family, marked, name, 'return 1', options)).toMatch(message);
  });
});
