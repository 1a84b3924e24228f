import { describe, expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { declaredSymbols } from '../../../../src/frontend/symbols/public-symbols.ts';
import type { SymbolNode } from '../../../../src/frontend/symbols/symbol-tree.ts';
import { symbolTree } from '../../../../src/frontend/symbols/symbol-tree.ts';
import type { AbsPath } from '../../../../src/shared/base/brand.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

type Outline = readonly (readonly [kind: SymbolKind, name: string, inside?: Outline])[];

const {
  Class,
  Constant,
  Field,
  Function: Fn,
  Interface,
  Method,
  Namespace,
  Object: Obj,
  Struct,
  Variable,
} = SymbolKind;

/** Symbols whose names stand in the text in this order; a symbol with others inside reaches to the end of the last. */
function publicIn(family: string, file: string, text: string, outline: Outline): readonly string[] {
  const lines = new TextLines(text);
  let offset = 0;
  const position = (at: number) => {
    const before = text.slice(0, at).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };
  const nodes = (part: Outline): Parameters<typeof symbolTree>[0] & object =>
    part.map(([kind, name, inside = []]) => {
      const word = name.replace(/^impl.* /, '').replace(/^\(.*\)\./, '');
      const at = text.indexOf(word, offset);
      offset = at + word.length;
      const children = nodes(inside);
      const start = { line: position(at).line, character: 0 };
      const selectionRange = { start: position(at), end: position(at + word.length) };
      return {
        name,
        kind,
        range: { start, end: position(text.indexOf('\n', offset)) },
        selectionRange,
        children,
      };
    }) as never;
  const tree: readonly SymbolNode[] = symbolTree(nodes(outline), lines, 'utf-16');
  const source = { path: `/x/${file}` as AbsPath, text, lines };
  return declaredSymbols(family, tree, source)
    .filter(({ isPublic }) => isPublic)
    .map(({ node }) => node.path.join('.'));
}

describe('what a file offers to others', () => {
  it('is exported in TypeScript, by keyword or by list', () => {
    const text =
      'export class A {\n  open() {}\n  private shut() {}\n  #own() {}\n  size = 1;\n}\nclass B {\n  open() {}\n}\nconst c = 1, d = 2;\nfunction e() {}\nexport { c, type B as Z };\nexport default e;\n';
    expect(
      publicIn('typescript', 'a.ts', text, [
        [
          Class,
          'A',
          [
            [Method, 'open'],
            [Method, 'shut'],
            [Method, '#own'],
            [SymbolKind.Property, 'size'],
          ],
        ],
        [Class, 'B', [[Method, 'open']]],
        [Constant, 'c'],
        [Constant, 'd'],
        [Fn, 'e'],
      ]),
    ).toEqual(['A', 'A.open', 'B', 'B.open', 'c', 'e']);
    expect(publicIn('typescript', 'a.js', 'function a() {}\n', [[Fn, 'a']])).toEqual(['a']);
    expect(
      publicIn('typescript', 'a.cjs', 'function a() {}\nfunction b() {}\nmodule.exports = { a };\n', [
        [Fn, 'a'],
        [Fn, 'b'],
      ]),
    ).toEqual(['a']);
  });

  it('has no underscore in Python, and is in __all__ where there is one', () => {
    const outline: Outline = [
      [Fn, 'a'],
      [Fn, '_b'],
      [
        Class,
        'C',
        [
          [Method, 'm'],
          [Method, '__init__'],
          [Method, '_n'],
        ],
      ],
    ];
    const text =
      'def a(): pass\ndef _b(): pass\nclass C:\n  def m(s): pass\n  def __init__(s): pass\n  def _n(s): pass\n';
    expect(publicIn('python', 'a.py', text, outline)).toEqual(['a', 'C', 'C.m']);
    expect(publicIn('python', 'a.py', `${text}__all__ = ["C"]\n`, outline)).toEqual(['C', 'C.m']);
  });

  it('has a capital in Go', () => {
    const text =
      'func Open() {}\nfunc shut() {}\ntype Box struct {\n  size int\n}\nfunc (b *Box) Fill() {}\nfunc (b *Box) drop() {}\n';
    expect(
      publicIn('go', 'a.go', text, [
        [Fn, 'Open'],
        [Fn, 'shut'],
        [Struct, 'Box', [[Field, 'size']]],
        [Method, '(*Box).Fill'],
        [Method, '(*Box).drop'],
      ]),
    ).toEqual(['Open', 'Box', 'Box.Fill']);
  });

  it('is pub in Rust, or what a trait asks for', () => {
    const text =
      'pub struct Card;\nfn hidden() {}\nimpl Card {\n  pub fn show(&self) {}\n  fn hide(&self) {}\n}\nimpl Draw for Card {\n  fn draw(&self) {}\n}\n// pub in a remark\nstruct Own;\n';
    expect(
      publicIn('rust', 'a.rs', text, [
        [Struct, 'Card'],
        [Fn, 'hidden'],
        [
          Obj,
          'impl Card',
          [
            [Method, 'show'],
            [Method, 'hide'],
          ],
        ],
        [Obj, 'impl Draw for Card', [[Method, 'draw']]],
        [Struct, 'Own'],
      ]),
    ).toEqual(['Card', 'Card.show', 'Card.draw']);
  });

  it('has the modifiers of Java, C# and Kotlin', () => {
    const java =
      'public class A {\n  public void open() {}\n  void near() {}\n  private void own() {}\n}\ninterface B {\n  void ask();\n}\n';
    const members: Outline = [
      [Method, 'open'],
      [Method, 'near'],
      [Method, 'own'],
    ];
    const outline: Outline = [
      [Class, 'A', members],
      [Interface, 'B', [[Method, 'ask']]],
    ];
    expect(publicIn('java', 'A.java', java, outline)).toEqual(['A', 'A.open']);
    expect(publicIn('java', 'A.java', java.replace('interface', 'public interface'), outline)).toContain(
      'B.ask',
    );
    expect(publicIn('csharp', 'A.cs', java, outline)).toEqual(['A', 'A.open']);
    const kotlin = 'class A {\n  fun open() {}\n  internal fun near() {}\n  private fun own() {}\n}\n';
    expect(publicIn('kotlin', 'A.kt', kotlin, [[Class, 'A', members]])).toEqual(['A', 'A.open', 'A.near']);
  });

  it('is neither static nor private in C and C++', () => {
    const text =
      'static int own;\nint shared;\nnamespace shop {\nclass Box {\n  int size();\npublic:\n  void fill();\nprivate:\n  void drop();\n};\nstruct Open {\n  void go();\n};\n}\n';
    expect(
      publicIn('cpp', 'a.hpp', text, [
        [Variable, 'own'],
        [Variable, 'shared'],
        [
          Namespace,
          'shop',
          [
            [
              Class,
              'Box',
              [
                [Method, 'size'],
                [Method, 'fill'],
                [Method, 'drop'],
              ],
            ],
            [Struct, 'Open', [[Method, 'go']]],
          ],
        ],
      ]),
    ).toEqual(['shared', 'shop.Box', 'shop.Box.fill', 'shop.Open', 'shop.Open.go']);
  });

  it('is everything where the language has no rule', () => {
    expect(
      publicIn('lua', 'a.lua', 'function a() end\nfunction _b() end\n', [
        [Fn, 'a'],
        [Fn, '_b'],
      ]),
    ).toEqual(['a', '_b']);
  });
});
