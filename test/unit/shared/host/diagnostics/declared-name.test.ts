/** Where the name of a declaration stands, from where an engine says that the declaration begins. */
import { describe, expect, it } from 'vitest';
import { nameIn } from '../../../../../src/shared/host/diagnostics/declared-name.ts';

function found(text: string, name: string): string {
  const { line, offset } = nameIn(text.split('\n'), name, { line: 1, offset: 1 });
  return `${line}:${offset}`;
}

describe('the name in a declaration', () => {
  it('is found behind modifiers', () => {
    expect(found('export async function price() {}', 'price')).toBe('1:23');
    expect(found('static #sides = 0;', '#sides')).toBe('1:9');
  });

  it('is not taken from decorators, comments and what they are given', () => {
    expect(found("@mark('title', { title: 1 })\n  title: string;", 'title')).toBe('2:3');
    expect(found('@title() @a.title /* title */ title: string;', 'title')).toBe('1:31');
    expect(found('@mark(\n  `)`,\n) // title\n  readonly title: string;', 'title')).toBe('4:12');
  });

  it('is the beginning where the name does not stand there', () => {
    expect(found("'a-b': 1", 'a-b')).toBe('1:1');
  });
});
