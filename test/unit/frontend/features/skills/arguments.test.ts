import { describe, expect, it } from 'vitest';
import { argumentsIn } from '../../../../../src/frontend/features/skills/arguments.ts';

describe('the hint of a skill', () => {
  it.each([
    { hint: '', expected: [] },
    {
      hint: '[symbol] [new name]',
      expected: [
        ['symbol', true],
        ['new-name', true],
      ],
    },
    {
      hint: '[symbol] [optional: file path]',
      expected: [
        ['symbol', true],
        ['file-path', false],
      ],
    },
    // One of them is enough, and which one is not known beforehand.
    {
      hint: '[symbol | file path]',
      expected: [
        ['symbol', false],
        ['file-path', false],
      ],
    },
  ] as const)('$hint gives the arguments of its prompt', ({ hint, expected }) => {
    expect(argumentsIn(hint).map(({ name, required }) => [name, required])).toEqual(expected);
  });

  it('says of alternatives that there is another', () => {
    expect(argumentsIn('[symbol | file path]')[0]?.description).toBe(
      'Name path, such as Client.stop; or file-path',
    );
  });
});
