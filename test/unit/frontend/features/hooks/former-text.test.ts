import { describe, expect, it } from 'vitest';
import { formerText } from '../../../../../src/frontend/features/hooks/former-text.ts';

const change = (...replacements: readonly (readonly [string, string])[]) => ({
  path: '/a',
  replacements: replacements.map(([before, after]) => ({ before, after })),
});

describe('the text before an edit', () => {
  it.each([
    { what: 'one edit', now: 'a\nnew\nb\n', replacements: [['old', 'new']], text: 'a\nold\nb\n' },
    {
      what: 'edits of one place, the last first',
      now: 'three',
      replacements: [
        ['one', 'two'],
        ['two', 'three'],
      ],
      text: 'one',
    },
    {
      what: 'lines at the end of a file that ends without a line end',
      now: 'a\nnew',
      replacements: [['old\n', 'new\n']],
      text: 'a\nold',
    },
    { what: 'what was put in', now: 'a\nb\n', replacements: [['', 'b\n']], text: 'a\n' },
  ] as const)('is taken back from $what', ({ now, replacements, text }) => {
    expect(formerText(change(...replacements), now)).toEqual({ kind: 'text', text });
  });

  it.each([
    { when: 'the new text stands twice', now: 'new new', replacements: [['old', 'new']] },
    { when: 'the new text is gone', now: 'formatted', replacements: [['old', 'new']] },
    { when: 'something was taken out, and nothing shows where', now: 'a b', replacements: [['old', '']] },
    { when: 'the client says nothing of the edit', now: 'a', replacements: [] },
  ] as const)('is unknown when $when', ({ now, replacements }) => {
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
