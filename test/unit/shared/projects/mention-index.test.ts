/** Which files mention which words, kept between questions. */
import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MentionIndex } from '../../../../src/shared/projects/mention-index.ts';
import { createWorkspace } from '../../../support/workspace.ts';

const TEXT = `
//- a.ts
const netPrice = $shop.get('größe') + price_2; // net
//- b.ts
export { other } from './a';
`;
const OPTIONS = { cursor: '<no cursor>' };

describe('the index of mentions', () => {
  it('has whole words, with signs and letters of all languages', async () => {
    await using workspace = createWorkspace(TEXT, OPTIONS);
    const index = new MentionIndex();
    const file = workspace.file('a.ts');
    expect(index.learn(file, false)).toBe(true);
    for (const word of ['netPrice', '$shop', 'größe', 'price_2', 'net']) {
      const number = index.numberOf(word);
      expect(number !== undefined && index.mentions(file, number), word).toBe(true);
    }
    for (const word of ['Price', 'shop', 'gr', 'price', 'netPrice2'])
      expect(index.numberOf(word), word).toBeUndefined();
  });

  it('tells files apart that were learned', async () => {
    await using workspace = createWorkspace(TEXT, OPTIONS);
    const index = new MentionIndex();
    const [a, b] = [workspace.file('a.ts'), workspace.file('b.ts')];
    index.learn(a, false);
    const netPrice = index.numberOf('netPrice') ?? -1;
    expect(index.mentions(b, netPrice)).toBe(false);
    index.learn(b, false);
    expect(index.mentions(b, netPrice)).toBe(false);
    expect(index.mentions(b, index.numberOf('other') ?? -1)).toBe(true);
    expect(index.mentions(a, index.numberOf('other') ?? -1)).toBe(false);
    const priced = index.wordsThat((word) => /price/i.test(word));
    expect(priced.size).toBe(2);
    expect([index.mentionsAny(a, priced), index.mentionsAny(b, priced)]).toEqual([true, false]);
  });

  it('reads a file again only when it is told to look, and the file has changed', async () => {
    await using workspace = createWorkspace(TEXT, OPTIONS);
    const index = new MentionIndex();
    const file = workspace.file('b.ts');
    index.learn(file, true);
    workspace.write('b.ts', 'export { newer, longer };\n');
    index.learn(file, false);
    expect(index.numberOf('newer')).toBeUndefined();
    index.learn(file, true);
    expect(index.mentions(file, index.numberOf('newer') ?? -1)).toBe(true);
    expect(index.mentions(file, index.numberOf('other') ?? -1)).toBe(false);
  });

  it('sees a change of the same length by its time', async () => {
    await using workspace = createWorkspace(TEXT, OPTIONS);
    const index = new MentionIndex();
    const file = workspace.file('b.ts');
    index.learn(file, true);
    workspace.write('b.ts', workspace.read('b.ts').replace('other', 'newer'));
    utimesSync(file, new Date(0), new Date(0));
    index.learn(file, true);
    expect(index.mentions(file, index.numberOf('newer') ?? -1)).toBe(true);
  });

  it('forgets a file that was told to have changed, and everything when it is cleared', async () => {
    await using workspace = createWorkspace(TEXT, OPTIONS);
    const index = new MentionIndex();
    const file = workspace.file('b.ts');
    index.learn(file, false);
    const other = index.numberOf('other') ?? -1;
    index.forget(file);
    expect(index.mentions(file, other)).toBe(false);
    index.learn(file, false);
    expect(index.mentions(file, other)).toBe(true);
    index.clear();
    expect(index.numberOf('other')).toBeUndefined();
    expect(index.mentions(file, other)).toBe(false);
  });

  it('looks through a large file whenever it is asked for a word, and says of a larger one that it cannot', async () => {
    await using workspace = createWorkspace();
    const index = new MentionIndex();
    const small = workspace.write('small.ts', 'bulky');
    const large = workspace.write('large.ts', `bulky other bulky\n${' '.repeat(2 * 1024 * 1024)}`);
    const huge = workspace.write('huge.ts', `bulky\n${' '.repeat(16 * 1024 * 1024)}`);
    const counts = () => [large, huge].map((file) => index.countIn(file, 'bulky', false));
    expect(counts()).toEqual([2, undefined]);
    for (const file of [small, large, huge]) index.learn(file, false);
    expect(counts()).toEqual([2, undefined]);
    expect(index.mentions(large, index.numberOf('bulky') ?? -1)).toBe(true);
    expect(index.numberOf('other')).toBeUndefined();
  });

  it('counts no word where there is none: a name may be all marks', async () => {
    await using workspace = createWorkspace();
    const index = new MentionIndex();
    const file = workspace.write('small.ts', 'some text');
    expect(index.countIn(file, '', false)).toBe(0);
    index.learn(file, false);
    expect(index.countIn(file, '', false)).toBe(0);
  });

  it('knows nothing of files that are gone, binary or too large to be written by hand', async () => {
    await using workspace = createWorkspace();
    const index = new MentionIndex();
    expect(index.learn(workspace.file('gone.ts'), true)).toBe(false);
    index.learn(workspace.write('binary.ts', 'hidden\0word'), true);
    index.learn(workspace.write('large.ts', `bulky\n${' '.repeat(2 * 1024 * 1024)}`), true);
    expect(['hidden', 'word', 'bulky'].map((word) => index.numberOf(word))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
