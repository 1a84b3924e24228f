import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, renderAnswer } from '../../../../src/frontend/render/answer.ts';
import { clip, leftOut, MAX_CHARS, oneLine, pageOf } from '../../../../src/frontend/render/budget.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('pages of a list', () => {
  it('say what comes before and after them', () => {
    const page = pageOf(numbers(250), { limit: 50, cursor: '100' }, () => 10);
    expect(page).toMatchObject({ from: 100, total: 250, nextCursor: '150' });
    expect(leftOut(page, 'hits')).toEqual([
      '100 earlier hits not shown',
      '100 more hits not shown; pass cursor:"150"',
    ]);
    expect(
      leftOut(
        pageOf([1], {}, () => 1),
        'hits',
      ),
    ).toEqual([]);
  });

  it('never hold more than the hard limits', () => {
    expect(pageOf(numbers(500), { limit: 500 }, () => 1).items).toHaveLength(200);
    expect(pageOf(numbers(500), {}, () => 1).items).toHaveLength(100);
    expect(pageOf(numbers(100), {}, () => 10_000).items).toHaveLength(5);
    expect(pageOf([1], {}, () => 1_000_000).items).toHaveLength(1);
  });

  it('give every item once when followed to the end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(30_000), { maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (sizes, limit) => {
          const seen: number[] = [];
          let cursor: string | undefined;
          do {
            const page = pageOf(sizes, { limit, cursor }, (size) => size);
            seen.push(...page.items);
            cursor = page.nextCursor;
          } while (cursor !== undefined);
          expect(seen).toEqual(sizes);
        },
      ),
    );
  });

  it('refuse a cursor that is not theirs', () => {
    for (const cursor of ['x', '-1', '5', '1.5'])
      expect(() => pageOf([1, 2], { cursor }, () => 1)).toThrow(/invalid-input/);
  });
});

describe('texts', () => {
  it('are cut to one line', () => {
    expect(oneLine('  a\t\tb\n c ')).toBe('a b c');
    expect(oneLine('x'.repeat(100))).toHaveLength(80);
  });

  it('are cut at whole lines, saying so', () => {
    const long = `${'line\n'.repeat(20_000)}`;
    const cut = clip(long);
    expect(cut.length).toBeLessThanOrEqual(MAX_CHARS);
    expect(cut).toMatch(/\n… cut after \d+ of 100000 characters; pass limit to get less$/);
    expect(clip('short')).toBe('short');
  });
});

describe('an answer', () => {
  const answer: Answer = {
    text: 'body',
    data: [1],
    incomplete: { reason: 'x' },
    notes: ['n'],
    hint: 'go on',
  };

  it('puts uncertainty first and the next step last', () => {
    expect(renderAnswer(answer, 'text')).toEqual({
      isError: false,
      texts: ['INCOMPLETE: x\nbody\nnote: n\nnext: go on'],
    });
  });

  it('keeps the first JSON text free of anything else', () => {
    expect(renderAnswer(answer, 'json')).toEqual({
      isError: false,
      texts: ['[1]', 'INCOMPLETE: x', 'n', 'Next step: go on'],
      structured: { status: 'incomplete', data: [1], complete: false, reason: 'INCOMPLETE: x' },
    });
    expect(renderAnswer({ text: 't', data: 'plain' }, 'json').texts).toEqual(['plain']);
  });
});
