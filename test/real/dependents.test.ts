/** A short form of `npm run soak:dependents`: a package changes, and the compiler judges what is said about its dependents. */
import { describe, expect, it } from 'vitest';
import { soakDependents } from '../support/dependents/soak.ts';

const KINDS = [
  { title: 'by the compiler that the project has', typescript: 'auto', rootOf: undefined },
  { title: 'by a server that has nothing but that compiler', typescript: 'own', rootOf: undefined },
  { title: 'by version 7', typescript: '7', rootOf: undefined },
  { title: 'outside the root of the session', typescript: 'auto', rootOf: 'p2' },
] as const;

describe('diagnostics of dependents after changes in a package', () => {
  for (const { title, typescript, rootOf } of KINDS) {
    it(`are what the compiler says, ${title}`, { timeout: 300_000 }, async () => {
      // Always the same changes, so that a failure can be looked at; the soak draws others.
      const seed = 1;
      const { wrong, leftOut, right, withErrors, unknown } = await soakDependents({
        cycles: 12,
        seed,
        typescript,
        rootOf,
      });
      expect(wrong, `seed ${seed}`).toEqual([]);
      expect(leftOut, `seed ${seed}`).toEqual([]);
      // Answers without errors would show nothing, nor would answers that claim nothing.
      expect(withErrors, `seed ${seed}`).toBeGreaterThan(0);
      expect(right, `seed ${seed}: ${unknown.join('; ')}`).toBeGreaterThan(unknown.length);
    });
  }
});
