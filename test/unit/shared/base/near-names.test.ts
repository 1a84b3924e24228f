import { describe, expect, it } from 'vitest';
import { didYouMean, nearNames } from '../../../../src/shared/base/near-names.ts';

const TOOLS = ['find_references', 'find_symbol', 'go_to_symbol', 'list_symbols', 'rename_symbol', 'call'];

describe('names that were meant', () => {
  it.each([
    { given: 'find_refrences', meant: ['find_references'] },
    { given: 'findreferences', meant: ['find_references'] },
    { given: 'FIND_SYMBOL', meant: ['find_symbol'] },
    { given: 'lsit_symbols', meant: ['list_symbols'] },
    { given: 'symbol_find', meant: ['find_symbol'] },
    { given: 'cal', meant: ['call'] },
    { given: 'references', meant: ['find_references'] },
    { given: 'find_refs', meant: ['find_references'] },
    { given: 'sesame', meant: [] },
    { given: 'x', meant: [] },
    { given: '', meant: [] },
  ])('of $given are $meant', ({ given, meant }) => {
    expect(nearNames(given, TOOLS)).toEqual(meant);
  });

  it('are the nearest three, the nearest first', () => {
    expect(nearNames('stop', ['stopped', 'shop', 'stop1', 'step', 'strop'])).toEqual([
      'shop',
      'step',
      'stop1',
    ]);
  });

  it('make the end of a sentence, or none', () => {
    expect(didYouMean('symbol', TOOLS)).toBe(', did you mean find_symbol, go_to_symbol or list_symbols?');
    expect(didYouMean('cal', TOOLS)).toBe(', did you mean call?');
    expect(didYouMean('sesame', TOOLS)).toBe('');
  });
});
