/** A short form of `npm run soak:truth`: random edits, and the compiler as the judge of every answer. */
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../support/truth/dialects.ts';
import { soak } from '../support/truth/soak.ts';

const FOR_MS = 13_000;

describe('diagnostics that call themselves fresh are what the compiler says', () => {
  for (const dialect of DIALECTS) {
    const missing = dialect.missing();
    const why = missing === undefined ? '' : ` (skipped: ${missing})`;
    if (missing !== undefined) process.stderr.write(`skipped: the truth of ${dialect.server}: ${missing}\n`);
    it.skipIf(missing !== undefined)(
      `with ${dialect.server}, after random edits of which half are made behind its back${why}`,
      { timeout: 180_000 },
      async () => {
        const seed = Date.now() % 1_000_000;
        const result = await soak(dialect, { cycles: 500, forMs: FOR_MS, seed });
        expect(result.wrong, `seed ${seed}`).toEqual([]);
        expect(result.right, `seed ${seed}`).toBeGreaterThan(0);
        expect(result.undecided, `seed ${seed}`).toBe(0);
      },
    );
  }
});
