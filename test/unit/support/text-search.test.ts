import { describe, expect, it } from 'vitest';
import {
  changedLines,
  declarationsAround,
  exportsOf,
  hitsOf,
  lineEdits,
  listing,
  wholeFiles,
} from '../../support/text-search.ts';

const bell = {
  name: 'bell.ts',
  text: `/** Rings: see ring. */
export function ring(times: number): number {
  return times;
}
export class Tower {
  readonly bells = 3;
  strike(): number {
    return ring(this.bells);
  }
}
`,
};
const use = {
  name: 'use.ts',
  text: `import { ring } from './bell.ts';
export const morning = ring(7);
export const wring = 1;
function evening() {
  const first = ring(1);
  return first + ring(2);
}
`,
};

it('the lines that a diff takes away have their old numbers', () => {
  const diff = `rename ring to toll: would change 2 places
--- a/bell.ts
+++ b/bell.ts
@@ -1,3 +1,3 @@
 /** Rings: see ring. */
-export function ring(times: number): number {
+export function toll(times: number): number {
   return times;
@@ -8,1 +8,1 @@
-    return ring(this.bells);
+    return toll(this.bells);
`;
  expect([...changedLines(diff)]).toEqual(['bell.ts:2', 'bell.ts:8']);
});

describe('a reader who searches the text', () => {
  const hits = hitsOf([bell, use], 'ring');

  it('is shown each line with the whole word, and what is asked counts as well', () => {
    expect(listing('ring', hits)).toEqual({
      asked: `rg --line-number --word-regexp 'ring'`,
      answered: [
        'bell.ts:1:/** Rings: see ring. */',
        'bell.ts:2:export function ring(times: number): number {',
        'bell.ts:8:    return ring(this.bells);',
        `use.ts:1:import { ring } from './bell.ts';`,
        'use.ts:2:export const morning = ring(7);',
        'use.ts:5:  const first = ring(1);',
        'use.ts:6:  return first + ring(2);',
      ].join('\n'),
    });
  });

  it('opens the innermost declaration around each hit once, and none for imports and comments', () => {
    expect(declarationsAround(hits).map(({ asked }) => asked)).toEqual([
      'read bell.ts 2 4',
      'read bell.ts 7 9',
      'read use.ts 2 2',
      'read use.ts 4 7',
    ]);
    expect(declarationsAround(hits)[1]?.answered).toBe(
      '  strike(): number {\n    return ring(this.bells);\n  }',
    );
  });

  it('or reads each file with a hit once', () => {
    expect(wholeFiles(hits).map(({ answered }) => answered)).toEqual([bell.text, use.text]);
  });

  it('finds a declaration by the keyword before its name', () => {
    expect(hitsOf([bell, use], 'ring', 'function\\s+').map(({ line }) => line)).toEqual([2]);
  });

  it('writes each line that has the name twice: as it is and as it is to be', () => {
    expect(lineEdits(hits.slice(-1), 'ring', 'toll')).toEqual([
      { asked: 'edit use.ts\n  return first + ring(2);\n  return first + toll(2);', answered: 'ok' },
    ]);
  });
});

it('what a file exports is asked about by its own name, once', () => {
  const text = `export function a(x: 1): 1;
export function a(x: 2): 2;
export function a(x: number) { return x; }
export class B {}
export type C = B;
export const d = 1, e = 2;
export { f } from './f.ts';
const g = 1;
`;
  expect(exportsOf({ name: 'x.ts', text })).toEqual([
    { name: 'a', line: 1, isFunction: true },
    { name: 'B', line: 4, isFunction: false },
    { name: 'C', line: 5, isFunction: false },
    { name: 'd', line: 6, isFunction: false },
    { name: 'e', line: 6, isFunction: false },
  ]);
});
