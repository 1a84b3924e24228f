import { describe, expect, it } from 'vitest';
import { didYouMean, nearNames } from '../../../../src/shared/base/near-names.ts';

const TOOLS = ['find_references', 'find_symbol', 'go_to_symbol', 'list_symbols', 'rename_symbol', 'call'];

describe('names that were meant', () => {
  it.each([
    ['find_refrences', ['find_references']],
    ['findreferences', ['find_references']],
    ['FIND_SYMBOL', ['find_symbol']],
    ['lsit_symbols', ['list_symbols']],
    ['symbol_find', ['find_symbol']],
    ['cal', ['call']],
    ['references', ['find_references']],
    ['find_refs', ['find_references']],
    ['sesame', []],
    ['x', []],
    ['', []],
  ])('of %s are %j', (given, meant) => {
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
