/** A short form of `npm run soak:writers`: edits of files to which another program writes, held against the bytes. */
import { describe, expect, it } from 'vitest';
import { judge } from '../support/writers/judge.ts';
import { soakWriters } from '../support/writers/soak.ts';

describe('edits beside a program that writes to the same files', () => {
  it('say nothing that is not true, and lose no line of it', { timeout: 180_000 }, async () => {
    const seed = Date.now() % 1_000_000;
    const result = await soakWriters({ edits: 60, seed });
    expect([...result.wrong, ...result.lost], `seed ${seed}`).toEqual([]);
    expect(result.applied, `seed ${seed}`).toBeGreaterThan(0);
    expect(result.collided, `seed ${seed}`).toBeGreaterThan(0);
  });

  it('would be found out, were it otherwise', () => {
    const [old, made, both] = ['mark = 0;\n', 'mark = 1;\n', 'mark = 1;\n// theirs 1-1\n'];
    const answered = {
      isError: true,
      before: { 'a.ts': old },
      own: { 'a.ts': old },
      wanted: { 'a.ts': made },
    };
    const wrongIn = (text: string, after: string, isError = true) =>
      judge({ ...answered, text, isError, after: { 'a.ts': after } }).wrong.length;
    expect(wrongIn('a.ts has changed since. All files are as they were. Compute', old)).toBe(0);
    expect(wrongIn('a.ts has changed since. All files are as they were. Compute', both)).toBe(1);
    expect(
      wrongIn('failed. Not as before: /w/a.ts has the text of the edit and of others. Compute', both),
    ).toBe(0);
    expect(wrongIn('failed. Not as before: /w/a.ts has text of others. Compute', both)).toBe(1);
    expect(
      wrongIn('failed. Not as before: /w/a.ts has the text of the edit and of others. Compute', old),
    ).toBe(2);
    expect(wrongIn('edit a.ts: changed 1 place in 1 file', old, false)).toBe(1);
  });
});
