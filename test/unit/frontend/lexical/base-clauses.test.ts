import { describe, expect, it } from 'vitest';
import { headerAround } from '../../../../src/frontend/lexical/base-clauses.ts';
import { implementationAround } from '../../../../src/frontend/lexical/implementation-blocks.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** `§` stands before the name that is asked about. */
function at(text: string) {
  const before = text.slice(0, text.indexOf('§')).split('\n');
  const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  return { lines: new TextLines(text.replace('§', '')), place };
}

function header(language: string, text: string) {
  const { lines, place } = at(text);
  return headerAround(lines, place, language);
}

describe('what a declaration says that it inherits from', () => {
  it.each([
    {
      language: 'typescript',
      text: 'export class §A<T = {}> extends b.B<T, C> implements D, E<F> {',
      kind: 'class',
      bases: ['B', 'D', 'E'],
    },
    {
      language: 'typescript',
      text: 'interface §A\n  extends B, // not C\n    D {',
      kind: 'interface',
      bases: ['B', 'D'],
    },
    { language: 'typescript', text: 'class §A { b = new B(); }', kind: 'class', bases: [] },
    { language: 'python', text: 'class §A(B[C, D], e.E, metaclass=F):', kind: 'class', bases: ['B', 'E'] },
    { language: 'python', text: 'class §A:\n    b: B', kind: 'class', bases: [] },
    {
      language: 'java',
      text: 'public final class §A extends B implements C<D>, E {',
      kind: 'class',
      bases: ['B', 'C', 'E'],
    },
    { language: 'csharp', text: 'class §A<T> : B<T>, IC where T : D {', kind: 'class', bases: ['B', 'IC'] },
    { language: 'kotlin', text: 'class §A(val b: Int) : B(b), C {', kind: 'class', bases: ['B', 'C'] },
    { language: 'cpp', text: 'struct §A : public ns::B, virtual C<D> {', kind: 'struct', bases: ['B', 'C'] },
    { language: 'rust', text: 'pub trait §A<T>: B + c::C<T> {', kind: 'interface', bases: ['B', 'C'] },
    { language: 'ruby', text: 'class §A < B::C\n  def d', kind: 'class', bases: ['C'] },
    { language: 'php', text: 'class §A extends B implements C {', kind: 'class', bases: ['B', 'C'] },
  ])('in $language: $text', ({ language, text, kind, bases }) => {
    expect(header(language, text)).toMatchObject({ name: 'A', kind });
    expect(header(language, text)?.bases.map(({ name }) => name)).toEqual(bases);
  });

  it('is found from the name of a base as well, over several lines', () => {
    const text = 'class Größe\n  extends a.\n    §B<C> {';
    expect(header('typescript', text)).toMatchObject({ name: 'Größe', at: { line: 1, column: 7 } });
  });

  it.each([
    { language: 'typescript', text: 'class A extends B<§C> {' },
    { language: 'typescript', text: 'class A extends B {\n  c: §C;' },
    { language: 'python', text: 'class A(B):\n    c: §C = 1' },
    { language: 'python', text: 'class A(metaclass=§B):' },
    { language: 'typescript', text: '§a = b;' },
  ])('is not what else stands near it in $language: $text', ({ language, text }) => {
    expect(header(language, text)).toBeUndefined();
  });
});

describe('what an impl block of Rust relates', () => {
  it.each([
    'impl §Show for Card {',
    'impl Show for §Card {',
    "unsafe impl<'a, T: Into<X>> fmt::§Show<T> for &'a mut deck::Card<T>\nwhere\n  T: Copy {",
  ])('%s', (text) => {
    const { lines, place } = at(text);
    const found = implementationAround(lines, place, 'rust');
    const wordAt = (point = { line: 0, column: 0 }) =>
      /^\w+/.exec(lines.at(point.line).slice(point.column - 1))?.[0];
    expect([wordAt(found?.trait), wordAt(found?.type)]).toEqual(['Show', 'Card']);
  });

  it.each(['impl §Card {', 'impl Show for Card {\n  fn f(c: §Card) {}', 'impl Show<§Card> for Deck {'])(
    'is nothing for %s',
    (text) => {
      const { lines, place } = at(text);
      expect(implementationAround(lines, place, 'rust')).toBeUndefined();
    },
  );
});
