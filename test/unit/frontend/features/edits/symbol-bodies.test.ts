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

/** Family, text, name, new body, text afterwards. */
type Case = readonly [string, string, string, string, string, MarkedOptions?];

const SCRIPT: readonly Case[] = [
  ['one line', '«function f() { return 1; }»\n', 'f', 'return 2;', 'function f() { return 2; }\n'],
  [
    'one line, several come',
    '«function f() { return 1; }»\n',
    'f',
    'const a = 2;\nreturn a;',
    'function f() {\n    const a = 2;\n    return a;\n}\n',
  ],
  [
    'with braces',
    '«function f() {\n  return 1;\n}»\n',
    'f',
    '{ return 2; }',
    'function f() {\n  return 2;\n}\n',
  ],
  [
    'indented as in a file',
    'class A {\n  «f() {\n    return 1;\n  }»\n}\n',
    'f',
    '    if (x) {\n      y();\n    }',
    'class A {\n  f() {\n    if (x) {\n      y();\n    }\n  }\n}\n',
    METHOD,
  ],
  [
    'first line not indented',
    'class A {\n  «f() {\n    return 1;\n  }»\n}\n',
    'f',
    'const a = 1;\n    return a;',
    'class A {\n  f() {\n    const a = 1;\n    return a;\n  }\n}\n',
    METHOD,
  ],
  [
    'a signature on several lines',
    '«export function f(\n  a: { b: string },\n): { c: number } {\n  return 1;\n}»',
    'f',
    'return 2;',
    'export function f(\n  a: { b: string },\n): { c: number } {\n  return 2;\n}',
  ],
  [
    'braces in strings and comments',
    `«function f() {\n  // }\n  return \`}$\{'{'}\` + '}' + /}/.source;\n}»\nf();`,
    'f',
    'return 2;',
    'function f() {\n  return 2;\n}\nf();',
  ],
  [
    'an arrow with a block',
    'export const «f = (a: number): number => { return a; }»;\n',
    'f',
    'return 2;',
    'export const f = (a: number): number => { return 2; };\n',
    VALUE,
  ],
  [
    'an arrow with a value',
    'export const «f = async (a) => a + 1»;\n',
    'f',
    'a + 2',
    'export const f = async (a) => a + 2;\n',
    VALUE,
  ],
  [
    'an arrow that gets statements',
    '  const «f = a => a»;\n',
    'f',
    'log();\nreturn a;',
    '  const f = a => {\n    log();\n    return a;\n  };\n',
    VALUE,
  ],
  [
    'an arrow that returns an arrow',
    'const «f = (a) => (b) => { return a; }»;',
    'f',
    '(b) => b',
    'const f = (a) => (b) => b;',
    VALUE,
  ],
  [
    'an arrow with an annotated type',
    'const «f: (a: number) => void = (a) => { a; }»;',
    'f',
    'b();',
    'const f: (a: number) => void = (a) => { b(); };',
    VALUE,
  ],
  [
    'a function as value',
    'const «f = async function g() { return 1; }»;',
    'f',
    'return 2;',
    'const f = async function g() { return 2; };',
    VALUE,
  ],
  [
    'a field that is an arrow',
    'class A {\n  «private h = (a) => a;»\n}',
    'h',
    'a + 1',
    'class A {\n  private h = (a) => a + 1;\n}',
    FIELD,
  ],
  [
    'a getter',
    'class A {\n  «get f(): number { return 1; }»\n}',
    'f',
    'return 2;',
    'class A {\n  get f(): number { return 2; }\n}',
    FIELD,
  ],
  [
    'a member of an object',
    'const o = {\n  «f: () => 1»,\n};',
    'f',
    '2',
    'const o = {\n  f: () => 2,\n};',
    { kind: SymbolKind.Property, container: SymbolKind.Variable },
  ],
  [
    'a brace on a line of its own',
    '«function f()\n{\n\treturn 1;\n}»',
    'f',
    'if (x) {\n  y();\n}',
    'function f()\n{\n\tif (x) {\n\t\ty();\n\t}\n}',
  ],
  ['an empty one', '«function f() {}»', 'f', 'return 2;', 'function f() {\n    return 2;\n}'],
  ['one that becomes empty', '«function f() { return 1; }»', 'f', '{}', 'function f() {}'],
  [
    'a class',
    '«export class A extends B<{ x: 1 }> {\n  a = 1;\n}»',
    'A',
    'b = 2;',
    'export class A extends B<{ x: 1 }> {\n  b = 2;\n}',
    { kind: SymbolKind.Class },
  ],
  [
    'a type',
    '«type A = {\n  a: 1;\n};»',
    'A',
    '{ b: 2 }',
    'type A = {\n  b: 2\n};',
    { kind: SymbolKind.Class },
  ],
  [
    'carriage returns',
    '«function f() {\r\n  return 1;\r\n}»\r\n',
    'f',
    'a();\nreturn 2;',
    'function f() {\r\n  a();\r\n  return 2;\r\n}\r\n',
  ],
  [
    'text in a template keeps its white space',
    'class A {\n  «f() {\n    return 1;\n  }»\n}',
    'f',
    'return `\na\n  b`;',
    'class A {\n  f() {\n    return `\na\n  b`;\n  }\n}',
    METHOD,
  ],
  [
    'a local with the name of its method',
    'class A {\n  «total() {\n    return 1;\n  }»\n}',
    'total',
    'const total = 2;\nreturn total;',
    'class A {\n  total() {\n    const total = 2;\n    return total;\n  }\n}',
    METHOD,
  ],
  [
    'a call of itself',
    'class A {\n  «f() {\n    return 1;\n  }»\n}',
    'f',
    'f();\nif (x) { y(); }',
    'class A {\n  f() {\n    f();\n    if (x) { y(); }\n  }\n}',
    METHOD,
  ],
];

const SCRIPT_WHOLE: readonly Case[] = [
  [
    'a function',
    '/** Doc. */\n«export function f() {\n  return 1;\n}»\n',
    'f',
    'export async function f(a: number) {\n  return a;\n}',
    '/** Doc. */\nexport async function f(a: number) {\n  return a;\n}\n',
  ],
  [
    'without its export',
    '«export function f() {\n  return 1;\n}»\n',
    'f',
    'function f() { return 2; }',
    'export function f() { return 2; }\n',
  ],
  [
    'with a comment of its own',
    '/** Old. */\n«export function f() {\n  return 1;\n}»\n',
    'f',
    '/** New. */\nexport function f() {}',
    '/** New. */\nexport function f() {}\n',
  ],
  [
    'a method',
    'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    'stop',
    'async stop(): Promise<void> {\n  z();\n}',
    'class A {\n  /** D */\n  @log\n  async stop(): Promise<void> {\n    z();\n  }\n}',
    METHOD,
  ],
  [
    'a method with a comment, the decorator kept',
    'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    'stop',
    '/** E */\nstop() {}',
    'class A {\n  /** E */\n  @log\n  stop() {}\n}',
    METHOD,
  ],
  [
    'a method with a decorator, the comment kept',
    'class A {\n  /** D */\n  «@log\n  stop(): void { y(); }»\n}',
    'stop',
    '@trace()\nstop() {}',
    'class A {\n  /** D */\n  @trace()\n  stop() {}\n}',
    METHOD,
  ],
  [
    'a static method',
    'class A {\n  «static make() { return 1; }»\n}',
    'make',
    'static make() {\n  return 2;\n}',
    'class A {\n  static make() {\n    return 2;\n  }\n}',
    METHOD,
  ],
  [
    'a constant',
    'export const «f = (a) => a»;\n',
    'f',
    'export const f = (a) => {\n  return a;\n};',
    'export const f = (a) => {\n  return a;\n};\n',
    VALUE,
  ],
  [
    'a constant that becomes a function',
    'const «f = (a) => a»\nf();',
    'f',
    'function f(a) { return a; }',
    'function f(a) { return a; }\nf();',
    VALUE,
  ],
  ['a plain value', 'const «MAX = 1»;\n', 'MAX', 'const MAX = 2;', 'const MAX = 2;\n', VALUE],
  [
    'a field',
    'class A {\n  «readonly a = 1;»\n}',
    'a',
    'readonly a: number = 2;',
    'class A {\n  readonly a: number = 2;\n}',
    FIELD,
  ],
  [
    'a signature',
    'abstract class A {\n  «abstract f(): { a: 1 };»\n}',
    'f',
    'abstract f(b: 2): void;',
    'abstract class A {\n  abstract f(b: 2): void;\n}',
    METHOD,
  ],
  [
    'a class',
    '«class A {\n  a = 1;\n}»',
    'A',
    'class A extends B {\n  a = 2;\n}',
    'class A extends B {\n  a = 2;\n}',
    { kind: SymbolKind.Class },
  ],
];

describe('the body of a symbol in TypeScript and JavaScript', () => {
  it.for(SCRIPT)('%s', ([_, marked, name, body, expected, options]) => {
    expect(replaced('typescript', marked, name, body, options)).toBe(expected);
  });

  it.for(SCRIPT_WHOLE)('is the whole declaration: %s', ([_, marked, name, body, expected, options]) => {
    expect(replaced('typescript', marked, name, body, options)).toBe(expected);
  });

  it.for<readonly [string, string, string, string, RegExp, MarkedOptions?]>([
    [
      'an abstract method',
      'abstract class A {\n  «abstract f(): { a: 1 };»\n}',
      'f',
      'return 1;',
      /has no body.*Pass its whole declaration/,
      METHOD,
    ],
    [
      'an overload',
      'class A {\n  «f(a: string): void;»\n  f(a) {}\n}',
      'f',
      'return 1;',
      /declared without one/,
      METHOD,
    ],
    ['a value that is no function', 'const «a = 1»;', 'a', 'return 1;', /its value is no function/, VALUE],
    [
      'a call that makes one',
      'const «a = memo(() => 1)»;',
      'a',
      'return 1;',
      /its value is no function/,
      VALUE,
    ],
    [
      'an object or a block',
      'const «f = () => ({ a: 1 })»;',
      'f',
      '{ a: 2 }',
      /object or a block.*\(\{ \.\.\. \}\)/,
      VALUE,
    ],
    ['half of a body', '«function f() {}»', 'f', '  return 1;\n}', /has } without its partner/],
    [
      'more than the declaration',
      '«function f() {}»',
      'f',
      'function f() {}\nfunction g() {}',
      /more than the declaration of f/,
    ],
    ['nothing', '«function f() {}»', 'f', ' ', /new_body is empty/],
    ['one line shared', 'class A { «f() {}» }', 'f', 'return 1;', /shares line 1 with other code/, METHOD],
    ['two names of one statement', 'const «a = () => 1», b = 2;', 'a', '2', /shares line 1/, VALUE],
    ['a destructured name', 'const { «f» } = x;', 'f', '2', /shares line 1/, VALUE],
  ])('refuses %s', ([_, marked, name, body, message, options]) => {
    expect(refusal('typescript', marked, name, body, options)).toMatch(message);
  });
});

const PYTHON: readonly Case[] = [
  ['a suite', '«def f(a):\n    return 1»\n', 'f', 'return 2', 'def f(a):\n    return 2\n'],
  ['one line', '«def f(): return 1»\n', 'f', 'return 2', 'def f(): return 2\n'],
  [
    'one line that gets several',
    'class A:\n    «def f(self): return 1»\n',
    'f',
    'x = 1\nreturn x',
    'class A:\n    def f(self):\n        x = 1\n        return x\n',
  ],
  [
    'a docstring that stays',
    '«def f():\n    """Doc: of f."""\n    return 1»\n',
    'f',
    'return 2',
    'def f():\n    """Doc: of f."""\n    return 2\n',
  ],
  [
    'a docstring that is replaced',
    '«def f():\n    """Doc."""\n    return 1»\n',
    'f',
    '"""New\n\nmore.\n"""\nreturn 2',
    'def f():\n    """New\n\n    more.\n    """\n    return 2\n',
  ],
  [
    'a header on several lines',
    '«@cache\ndef f(\n    a: dict[str, int] = {1: 2},\n    b=lambda: 3,\n) -> int:  # why: not\n    return 1»  # tail\n',
    'f',
    'return 2',
    '@cache\ndef f(\n    a: dict[str, int] = {1: 2},\n    b=lambda: 3,\n) -> int:  # why: not\n    return 2  # tail\n',
  ],
  [
    'comments at its end, which stay',
    '«def f():\n    return 1»\n    # over\n\n# outside\n',
    'f',
    'return 2',
    'def f():\n    return 2\n    # over\n\n# outside\n',
  ],
  [
    'a first line without indentation',
    '«def f():\n    return 1»\n',
    'f',
    'if a:\n        return 2\n    return 3',
    'def f():\n    if a:\n        return 2\n    return 3\n',
  ],
  [
    'a class',
    '«class A(B):\n    x = 1»\n',
    'A',
    'y = 2\n\ndef m(self):\n    pass',
    'class A(B):\n    y = 2\n\n    def m(self):\n        pass\n',
    { kind: SymbolKind.Class },
  ],
  ['tabs', '«def f():\n\treturn 1»\n', 'f', 'if a:\n    return 2', 'def f():\n\tif a:\n\t\treturn 2\n'],
  [
    'the whole',
    '# c\n«@a\ndef f():\n    return 1»\n',
    'f',
    'async def f(x):\n    return x',
    '# c\n@a\nasync def f(x):\n    return x\n',
  ],
  [
    'the whole with decorators',
    '«@a\ndef f():\n    return 1»\n',
    'f',
    '@b\ndef f(\n    x,\n):\n    return x',
    '@b\ndef f(\n    x,\n):\n    return x\n',
  ],
  [
    'a value',
    '«X» = [\n    1,\n]\ny = 2\n',
    'X',
    'X = [2]',
    'X = [2]\ny = 2\n',
    { kind: SymbolKind.Constant },
  ],
];

describe('the body of a symbol in Python', () => {
  it.for(PYTHON)('%s', ([_, marked, name, body, expected, options]) => {
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

const OTHERS: readonly (readonly [string, ...Case])[] = [
  [
    'go',
    'a receiver',
    '// Stop stops.\n«func (c *Client) Stop() { c.n++ }»\n',
    'Stop',
    'c.n--',
    '// Stop stops.\nfunc (c *Client) Stop() { c.n-- }\n',
    METHOD,
  ],
  [
    'go',
    'a whole method',
    '// Stop stops.\n«func (c *Client) Stop() {\n\tc.n++\n}»\n',
    'Stop',
    'func (c *Client) Stop(n int) error {\n    return nil\n}',
    '// Stop stops.\nfunc (c *Client) Stop(n int) error {\n\treturn nil\n}\n',
    METHOD,
  ],
  [
    'go',
    'a result that looks like a body',
    '«func f[T any](a T) (b struct{ c int }) {\n\treturn\n}»\n',
    'f',
    'panic("}")',
    'func f[T any](a T) (b struct{ c int }) {\n\tpanic("}")\n}\n',
  ],
  [
    'go',
    'a struct',
    'type «A struct {\n\tn int\n}»\n',
    'A',
    'm int',
    'type A struct {\n\tm int\n}\n',
    { kind: SymbolKind.Struct },
  ],
  [
    'go',
    'a variable that is a function',
    'var «w = func() int { return 1 }»\n',
    'w',
    'return 2',
    'var w = func() int { return 2 }\n',
    VALUE,
  ],
  [
    'cpp',
    'initialisers',
    'struct A {\n  «explicit A(int a) : n{a}, m(2) { n++; }»\n};',
    'A',
    'n--;',
    'struct A {\n  explicit A(int a) : n{a}, m(2) { n--; }\n};',
    METHOD,
  ],
  [
    'cpp',
    'a template outside its class',
    '«template <typename T>\nint Box<T>::total() const noexcept {\n  return n;\n}»\n',
    'total',
    'return 2;',
    'template <typename T>\nint Box<T>::total() const noexcept {\n  return 2;\n}\n',
    METHOD,
  ],
  [
    'cpp',
    'the whole of one',
    '«template <typename T>\nint Box<T>::total() const {\n  return n;\n}»\n',
    'total',
    'template <typename T>\nlong Box<T>::total() const {\n  return 2;\n}',
    'template <typename T>\nlong Box<T>::total() const {\n  return 2;\n}\n',
    METHOD,
  ],
  [
    'cpp',
    'an attribute before the range',
    '[[nodiscard]] «static inline int f(int a,\n    int b)\n{\n  return a;\n}»\n',
    'f',
    'return b;',
    '[[nodiscard]] static inline int f(int a,\n    int b)\n{\n  return b;\n}\n',
  ],
  [
    'cpp',
    'quotes that are none',
    "«int f() {\n  char c = '{';\n  return 1'000 + R\"x(})x\"[0];\n}»\n",
    'f',
    'return 2;',
    'int f() {\n  return 2;\n}\n',
  ],
  [
    'rust',
    'lifetimes and where',
    "impl A {\n    «/// Stops.\n    #[inline]\n    pub fn stop<'a>(&'a self, c: char) -> bool\n    where\n        T: Copy,\n    {\n        c == '{'\n    }»\n}\n",
    'stop',
    'true',
    "impl A {\n    /// Stops.\n    #[inline]\n    pub fn stop<'a>(&'a self, c: char) -> bool\n    where\n        T: Copy,\n    {\n        true\n    }\n}\n",
    METHOD,
  ],
  [
    'rust',
    'the whole, attribute and comment kept',
    'impl A {\n    «/// Stops.\n    #[inline]\n    pub fn stop(&self) -> bool { true }»\n}\n',
    'stop',
    'pub(crate) fn stop(&self) {}',
    'impl A {\n    /// Stops.\n    #[inline]\n    pub(crate) fn stop(&self) {}\n}\n',
    METHOD,
  ],
  [
    'java',
    'a method',
    'class A {\n    «@Override\n    public Map<String, int[]> f(int a) throws E {\n        return null;\n    }»\n}\n',
    'f',
    'return a;',
    'class A {\n    @Override\n    public Map<String, int[]> f(int a) throws E {\n        return a;\n    }\n}\n',
    METHOD,
  ],
  [
    'csharp',
    'an expression',
    'class A {\n    «public int F() => 1;»\n}\n',
    'F',
    '2',
    'class A {\n    public int F() => 2;\n}\n',
    METHOD,
  ],
  [
    'ruby',
    'a method',
    'class A\n  «def f(a, b = {})\n    "end #{a}"\n  end»\nend\n',
    'f',
    'b',
    'class A\n  def f(a, b = {})\n    b\n  end\nend\n',
    METHOD,
  ],
  ['ruby', 'one line', '«def f; 1; end»\n', 'f', '2', 'def f; 2; end\n'],
  [
    'ruby',
    'one line that gets several',
    '«def f(a); 1; end»\n',
    'f',
    'b\nc',
    'def f(a)\n    b\n    c\nend\n',
  ],
  [
    'ruby',
    'the whole',
    '# doc\n«def self.f(a)\n  1\nend»\n',
    'f',
    'def self.f\n  if x\n    2\n  end\nend',
    '# doc\ndef self.f\n  if x\n    2\n  end\nend\n',
  ],
  [
    'lua',
    'a function',
    'local M = {}\n«function M.f(a)\n  -- end\n  return [[end]]\nend»\n',
    'f',
    'return a',
    'local M = {}\nfunction M.f(a)\n  return a\nend\n',
  ],
  [
    'lua',
    'a value',
    '«local f = function(a) return 1 end»\n',
    'f',
    'return 2',
    'local f = function(a) return 2 end\n',
  ],
  [
    'elixir',
    'a block',
    'defmodule A do\n  @doc "x"\n  «def f(a) when a > 1 do\n    "do #{a}"\n  end»\nend\n',
    'f',
    'a + 1',
    'defmodule A do\n  @doc "x"\n  def f(a) when a > 1 do\n    a + 1\n  end\nend\n',
  ],
];

describe('the body of a symbol in other languages', () => {
  it.for(OTHERS)('%s: %s', ([family, _, marked, name, body, expected, options]) => {
    expect(replaced(family, marked, name, body, options)).toBe(expected);
  });

  it.for<readonly [string, string, string, RegExp, MarkedOptions?]>([
    ['cpp', 'struct A {\n  «virtual void v() = 0»;\n};', 'v', /declared without one/, METHOD],
    ['cpp', '«A::A() try : n(1) {\n} catch (...) {\n}»', 'A', /function-try-block/],
    ['cpp', '«int f() {\n#if X\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}»', 'f', /do not pair up/],
    ['cpp', 'int «x{5}»;', 'x', /shares line|has a value|declared without/, VALUE],
    ['go', '«func f() struct{}»', 'f', /declared without one/],
    ['rust', '«pub struct U(i32);»', 'U', /declared without one/, { kind: SymbolKind.Struct }],
    ['ruby', '«def f = 1»\n', 'f', /does not end with `end`/],
    ['elixir', '«def f(a), do: a»\n', 'f', /does not end with `end`/],
    ['kotlin', '«fun f() = run {\n  1\n}»\n', 'f', /has a value instead/],
    ['haskell', '«f x = x»\n', 'f', /bodies in haskell are not known/],
  ])('refuses in %s what has none: %s', ([family, marked, name, message, options]) => {
    expect(refusal(family, marked, name, 'return 1', options)).toMatch(message);
  });
});
