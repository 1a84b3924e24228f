import { describe, expect, it } from 'vitest';
import { formerText } from '../../../../../src/frontend/features/hooks/former-text.ts';

const change = (...replacements: readonly (readonly [string, string])[]) => ({
  path: '/a',
  replacements: replacements.map(([before, after]) => ({ before, after })),
});

describe('the text before an edit', () => {
  it.each([
    ['one edit', 'a\nnew\nb\n', [['old', 'new']], 'a\nold\nb\n'],
    [
      'edits of one place, the last first',
      'three',
      [
        ['one', 'two'],
        ['two', 'three'],
      ],
      'one',
    ],
    ['lines at the end of a file that ends without a line end', 'a\nnew', [['old\n', 'new\n']], 'a\nold'],
    ['what was put in', 'a\nb\n', [['', 'b\n']], 'a\n'],
  ] as const)('is taken back from %s', (_, now, replacements, text) => {
    expect(formerText(change(...replacements), now)).toEqual({ kind: 'text', text });
  });

  it.each([
    ['the new text stands twice', 'new new', [['old', 'new']]],
    ['the new text is gone', 'formatted', [['old', 'new']]],
    ['something was taken out, and nothing shows where', 'a b', [['old', '']]],
    ['the client says nothing of the edit', 'a', []],
  ] as const)('is unknown when %s', (_, now, replacements) => {
    expect(formerText(change(...replacements), now)).toEqual({ kind: 'unknown' });
  });

  it('is unknown of a file that is gone', () => {
    expect(formerText(change(['a', 'b']), undefined)).toEqual({ kind: 'unknown' });
  });

  it('is what the client has kept, before all else', () => {
    expect(formerText({ ...change(['x', 'y']), original: 'kept' }, 'y')).toEqual({
      kind: 'text',
      text: 'kept',
    });
  });

  it('is none of a file that is new', () => {
    expect(formerText({ ...change(), original: null }, 'text')).toEqual({ kind: 'none' });
    expect(formerText(change(['', 'text']), 'text')).toEqual({ kind: 'none' });
  });
});
