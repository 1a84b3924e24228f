import { expect, it } from 'vitest';
import { useChecks } from '../../support/checks.ts';
import { plantedTree } from '../../support/planted-tree.ts';

const { problemsOf } = useChecks();

it('finds what is exported for nobody, and what only tests use', async () => {
  const root = plantedTree({
    'src/a.ts': `
export const used = 1;
export function shared() { return own(); }
export function own() { return dynamic; }
export async function nobody() {}
export class OnlyTests {}
export const inside = shared() + inside;
export const dynamic = 1;
export interface Shape { readonly a: 1 }
`,
    'src/b.ts': `import { used } from './a.ts';\nconst { dynamic } = await import('./a.ts');\n`,
    'src/d.ts': `const own = { nobody: 1 };\n`,
    'scripts/c.ts': `import { shared } from '../src/a.ts';\n`,
    'test/a.test.ts': `import { inside, OnlyTests } from '../src/a.ts';\n`,
  });
  expect(await problemsOf('exports', root)).toEqual([
    'src/a.ts:4  exports own, but no other file uses it: do not export it',
    'src/a.ts:5  exports nobody, and nobody uses it',
    'src/a.ts:6  exports OnlyTests, and only tests use it',
  ]);
});
