import { describe, expect, it } from 'vitest';
import { counted } from '../../../../src/shared/base/counted.ts';

describe('a count', () => {
  it.each([
    { said: '1 file', count: 1, one: 'file', forms: {} },
    { said: '2 files', count: 2, one: 'file', forms: {} },
    { said: '0 files', count: 0, one: 'file', forms: {} },
    { said: 'No files', count: 0, one: 'file', forms: { none: 'No' } },
    { said: '1 fix', count: 1, one: 'fix', forms: { many: 'fixes', none: 'no' } },
    { said: 'no fixes', count: 0, one: 'fix', forms: { many: 'fixes', none: 'no' } },
    { said: '3 calls were', count: 3, one: 'call was', forms: { many: 'calls were' } },
  ] as const)('says $said', ({ said, count, one, forms }) => {
    expect(counted(count, one, forms)).toBe(said);
  });
});
