import { describe, expect, it } from 'vitest';
import { hunksIn, moved, touchedBy } from '../../../../../src/frontend/features/impact/hunks.ts';

describe('hunks of a patch without context', () => {
  it('belong to the file as it is afterwards, whatever its text looks like', () => {
    const patch = [
      'diff --git a/old name.ts b/new name.ts',
      '--- a/old name.ts\t',
      '+++ b/new name.ts\t',
      '@@ -1,2 +1,3 @@ function f() {',
      '-one',
      '--- a/not-a-file',
      '+++ b/not-a-file',
      '+@@ -1 +1 @@',
      '+three',
      '@@ -9 +11,0 @@',
      '-gone',
      'diff --git a/gone.ts b/gone.ts',
      '--- a/gone.ts',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      'diff --git "a/t\\303\\244b\\t.ts" "b/t\\303\\244b\\t.ts"',
      '--- "a/t\\303\\244b\\t.ts"',
      '+++ "b/t\\303\\244b\\t.ts"',
      '@@ -0,0 +1 @@',
      '+x',
    ].join('\n');
    const found = hunksIn(patch);
    expect([...found.keys()]).toEqual(['new name.ts', 'täb\t.ts']);
    expect(found.get('new name.ts')?.map(touchedBy)).toEqual([
      { start: 1, end: 3 },
      { start: 12, end: 11 },
    ]);
  });

  it('are found again after further changes', () => {
    const later = hunksIn('+++ b/a\n@@ -2,0 +3,4 @@\n+\n+\n+\n+\n@@ -10,2 +15 @@\n-\n-\n+').get('a') ?? [];
    expect(moved({ start: 1, end: 2 }, later)).toEqual({ start: 1, end: 2 });
    expect(moved({ start: 3, end: 5 }, later)).toEqual({ start: 7, end: 9 });
    expect(moved({ start: 10, end: 12 }, later)).toEqual({ start: 15, end: 15 });
    expect(moved({ start: 20, end: 20 }, later)).toEqual({ start: 23, end: 23 });
    expect(moved({ start: 6, end: 5 }, later)).toEqual({ start: 10, end: 9 });
  });
});
