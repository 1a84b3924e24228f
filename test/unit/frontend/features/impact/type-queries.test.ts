import { describe, expect, it } from 'vitest';
import { isTypeQuery } from '../../../../../src/frontend/features/impact/type-queries.ts';
import { TextLines } from '../../../../../src/shared/base/positions.ts';

/** Asked at the last `it` of the text. */
function judged(text: string): boolean {
  const lines = new TextLines(text);
  for (let line = lines.count; line >= 1; line--) {
    const found = [...lines.at(line).matchAll(/\bit\b/g)].at(-1);
    if (found) return isTypeQuery(lines, { line, column: found.index + 1 });
  }
  throw new Error('there is no such word');
}

describe('typeof in front of a name', () => {
  it.each([
    'type A = typeof it;',
    'export type A = (typeof it)[number];',
    'type A = keyof typeof it;',
    'type A =\n  | typeof it\n',
    'type A = ReturnType<typeof it>;',
    'type A = ReturnType<typeof shop.it>;',
    'function f(a: typeof it): void {}',
    'const a = b as typeof it;',
    'const a: typeof it = b;',
    'const a = f<typeof it>(b);',
    "let a: typeof import('./shop').it;",
  ])('asks for a type in %s', (text) => {
    expect(judged(text)).toBe(true);
  });

  it.each([
    "if (typeof it === 'string') run();",
    "return typeof it.name !== 'string';",
    'const kind = typeof it;',
    'switch (typeof it) {',
    "const a = b ? typeof it == 'x' : 1;",
    'run(typeof it);',
    'return it(1);',
    'type A = B;\nit();',
  ])('asks for a value in %s', (text) => {
    expect(judged(text)).toBe(false);
  });
});
