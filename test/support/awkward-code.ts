/** Functions and types of real languages that are awkward to edit by name, with what is valid in the place of their bodies. */

export interface AwkwardCode {
  readonly file: string;
  /** A workspace, in the form of createWorkspace. */
  readonly workspace: string;
  /** One with several signatures, meant as a whole. */
  readonly overloaded?: string;
  /** Symbols whose body can be replaced by `body`. */
  readonly functions: readonly string[];
  readonly body: string;
  /** What fits on the level of these symbols. */
  readonly insertions: readonly (readonly [symbol: string, code: string])[];
  readonly used: string;
  readonly unused: readonly string[];
  /** Refused by replace_symbol_body. */
  readonly bodiless: readonly string[];
}

export const typescript: AwkwardCode = {
  file: 'src/awkward.ts',
  workspace: `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "experimentalDecorators": true, "target": "es2022" }, "include": ["src"] }
//- src/awkward.ts
/** A decorator. */
function log(..._: unknown[]): any { return undefined; }

/**
 * Many kinds of members: } { ) (
 */
@log
export abstract class Kinds<T extends { a: string }> {
  readonly #cache = new Map<string, { b: T }>(); // }
  handler = (a: number): { b: number } => ({ b: a });
  static make(): any { return undefined as any; }

  /** Ends it. */
  @log
  stop(): any { this.#cache.clear(); return undefined; }

  get total(): any {
    return \`}\${'{'}\` + /[}]/.source;
  }

  overloaded(a: string): any;
  overloaded(a: number): any;
  overloaded(
    a: string | number,
    { b = '}' }: { b?: string } = {},
  ): any {
    return [a, b];
  }
  abstract shape(): { a: T };
  protected async *items(): any
  {
    yield 1;
  }
}

export const arrow = async (a: number): Promise<any> => { return a; };
export const curried = (a: number) => (b: number): any => a + b;
export const typed: (a: number) => any = (a) => a;
export const legacy = function named(a: number): any { return a; };
export function outer(): any {
  function inner(): any { return 1; }
  return inner();
}
export const options = {
  method(): any { return 1; },
  property: (): any => 2,
};
export function generic<T, U = { a: T }>(a: T, b?: U): any { return { a, b }; }
export default function fallback(): any { return generic(1); }
/** Nobody calls it. */
function lonely(): void {
  lonely();
}
const apart = 1; // nothing
lonely satisfies unknown;
//- src/use.ts
import { arrow } from './awkward';
export { outer } from './awkward';
arrow(1);
`,
  overloaded: 'Kinds.overloaded',
  functions: [
    'Kinds.make',
    'Kinds.stop',
    'Kinds.total',
    'arrow',
    'curried',
    'typed',
    'legacy',
    'outer',
    'inner',
    'options.method',
    'options.property',
    'generic',
    'fallback',
  ],
  body: "const value = '}';\nif (value) {\n  return undefined;\n}\nreturn value;",
  insertions: [
    ['Kinds.stop', '/** New. */\nadded(): number {\n  return 1;\n}'],
    ['Kinds.items', 'added = 1;'],
    ['arrow', 'export const added = () => {\n  return 1;\n};'],
    ['log', 'function added() { return 1; }'],
    ['options.property', 'added: 1'],
  ],
  used: 'outer',
  unused: ['apart', 'curried', 'Kinds.total'],
  bodiless: ['Kinds.shape', 'apart', 'Kinds.overloaded#1'],
};

export const python: AwkwardCode = {
  file: 'awkward.py',
  workspace: `
//- awkward.py
"""Awkward: functions."""
import functools
from typing import Any, overload

LIMIT: dict[str, int] = {
    "a": 1,
}


# About one line.
def one_line(a=lambda: {1: 2}): return a


@functools.cache
@functools.lru_cache(
    maxsize=3,
)
def decorated(
    a: "dict[str, int] | None" = None,
    *,
    b: Any = {":": 1},
) -> Any:  # why: not
    """Doc: string.

    Ends here.
    """
    text = """
def not_a_function():
    pass
"""
    return text  # tail
    # the end of it


class Empty:
    """Only words."""

    def lonely(self): pass


class Kinds(Empty):
    limit = 1

    @property
    def total(self) -> Any:
        if self.limit:
            return 1
        return 2

    @total.setter
    def total(self, value: Any) -> None:
        self.limit = value

    @overload
    def over(self, a: int) -> Any: ...
    @overload
    def over(self, a: str) -> Any: ...
    def over(self, a: Any) -> Any:
        def inner():
            return a
        return inner()

    async def later(self) -> Any:
        return 1
//- use.py
from awkward import decorated, Kinds

decorated()
Kinds().later()
`,
  overloaded: 'Kinds.over',
  functions: [
    'one_line',
    'decorated',
    'Kinds.total#1',
    'Kinds.total#2',
    'Kinds.over.inner',
    'Kinds.later',
    'Empty.lonely',
  ],
  body: 'value = ":"\nif value:\n    return None\nreturn None',
  insertions: [
    ['decorated', 'def added():\n    return 1'],
    ['Kinds.later', '@property\ndef added(self):\n    return 1'],
    ['LIMIT', 'ADDED = 1'],
    ['Kinds.limit', 'added = 1'],
  ],
  used: 'Kinds.later',
  unused: ['LIMIT', 'one_line', 'Empty.lonely'],
  bodiless: ['LIMIT'],
};

export const go: AwkwardCode = {
  file: 'awkward.go',
  workspace: `
//- go.mod
module example.org/awkward

go 1.21
//- awkward.go
// Package awkward is awkward.
package awkward

// Client is a client: }
type Client[T any] struct {
	n int // }
	f func() struct{ a T }
}

type (
	// Stopper stops.
	Stopper interface{ Stop() any }
	size    int
)

// Stop stops.
func (c *Client[T]) Stop() any { return c.n }

func (s size) Stop() any {
	return '}' + int32(s)
}

const (
	first = iota
	second
)

var left, right = 1, 2

var inline = func(a int) any { return \`}\` }

func generic[T interface{ ~int }](
	a T,
) (result any) {
	type local struct{ a T }
	return local{a}
}

// lonely is not used.
func lonely() any {
	return lonely
}

func used() any { return generic(1) }
//- use.go
package awkward

var all = []any{used(), left, right, first, second, inline(1)}
`,
  functions: ['(*Client).Stop', 'size.Stop', 'inline', 'generic', 'lonely', 'used'],
  body: 'value := "}"\nif value != "" {\n    return nil\n}\nreturn value',
  insertions: [
    ['Client', 'type added struct{ a int }'],
    ['Client.n', 'added int'],
    ['Client.Stop', 'func (c *Client[T]) Added() {}'],
    ['used', '// added\nfunc added() int {\n    return 1\n}'],
  ],
  used: 'used',
  unused: ['lonely'],
  bodiless: ['second'],
};

export const cpp: AwkwardCode = {
  file: 'awkward.cpp',
  workspace: `
//- compile_commands.json
[{ "directory": ".", "file": "awkward.cpp", "command": "c++ -std=c++20 -c awkward.cpp" }]
//- awkward.cpp
/// A box: }
template <typename T>
class Box {
public:
  explicit Box(int a) : n{a}, m(2) { n++; }
  int total() const;
  virtual int shape() = 0;
  bool operator==(const Box &o) const { return n == o.n; }
  virtual ~Box();
private:
  int n, m = 3;
};

template <typename T>
int Box<T>::total() const {
  return n; // }
}

template <typename T>
Box<T>::~Box() {}

// Adds.
[[nodiscard]] static inline int add(int a,
    int b = '}')
{
  return a + b + 1'000;
}

namespace inner {
int one() { return R"x(})x"[0]; }
}

enum class Color {
  Red,
  Green
};

/* lonely */
static int lonely(int a) {
  return a ? lonely(a - 1) : 0;
}

int main() { return add(1) + inner::one() + int(Color::Red); }
`,
  functions: ['Box.Box', 'Box.operator==', 'Box.total#2', 'add', 'lonely', 'main'],
  body: 'int value = 1;\nif (value) {\n  value++;\n}\nthrow value;',
  insertions: [
    ['Box.total#1', 'int added();'],
    ['Box', 'struct Added {};'],
    ['add', 'int added() {\n    return 1;\n}'],
    ['Color.Green', 'Added'],
  ],
  used: 'add',
  unused: ['lonely'],
  bodiless: ['Box.shape', 'Box.total#1'],
};

export const rust: AwkwardCode = {
  file: 'src/main.rs',
  workspace: `
//- Cargo.toml
[package]
name = "awkward"
version = "0.1.0"
edition = "2021"
//- src/main.rs
//! Awkward.

/// A shelf: }
#[derive(Debug, Clone)]
pub struct Shelf<T>
where
    T: Clone,
{
    /// How many.
    n: T,
}

impl<T: Clone> Shelf<T> {
    /// Stops.
    #[inline]
    pub fn stop<'a>(&'a self, c: char) -> bool
    where
        T: Copy,
    {
        c == '}' || c == '\\'' // }
    }

    pub(crate) fn one_line(&self) -> bool { r#"}""#.is_empty() }
}

pub trait Shape {
    fn area(&self) -> bool;
    fn name(&self) -> bool {
        true
    }
}

pub const LIMIT: i32 = 5;

/* nested /* comment } */ */
fn used() -> bool {
    LIMIT > 4
}

/// Nobody calls it.
fn lonely(a: i32) -> bool {
    a > 0 && lonely(a - 1)
}

fn main() {
    let shelf = Shelf { n: 1 };
    println!("{} {} {}", used(), shelf.stop('a'), shelf.one_line());
}
`,
  functions: ['Shelf.stop', 'Shelf.one_line', 'Shape.name', 'used', 'lonely'],
  body: 'let value = "}";\nif value.is_empty() {\n    return true;\n}\nfalse',
  insertions: [
    ['Shelf.stop', '/// New.\npub fn added(&self) {}'],
    ['used', '#[test]\nfn added() {\n}'],
    ['LIMIT', 'pub const ADDED: i32 = 1;'],
  ],
  used: 'used',
  unused: ['lonely'],
  bodiless: ['Shape.area', 'LIMIT'],
};
