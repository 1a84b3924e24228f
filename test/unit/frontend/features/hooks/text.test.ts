import { describe, expect, it } from 'vitest';
import type { BroughtError } from '../../../../../src/frontend/features/hooks/brought-errors.ts';
import type { Since } from '../../../../../src/frontend/features/hooks/look-at-edit.ts';
import { afterReport, unreported } from '../../../../../src/frontend/features/hooks/reported.ts';
import { broughtText, unseenText } from '../../../../../src/frontend/features/hooks/text.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { tokensIn } from '../../../../support/tokens.ts';

const at = { line: 1, column: 1 };
const error = (file: string, message: string, since: Since = 'edit', isEdited = true): BroughtError => ({
  finding: {
    file: `/project/${file}` as AbsPath,
    start: { line: 3, column: 5 },
    end: at,
    severity: 1,
    code: 'TS2304',
    source: 'ts',
    message,
    line: 'x',
  },
  since,
  isEdited,
});
const view = {
  display: (file: string) => file.slice('/project/'.length),
  of: 'edit',
  maxTokens: 600,
  leftOut: 0,
} as const;
const late = { file: '/project/late.py' as AbsPath, failure: undefined };

describe('a report', () => {
  it('names the errors of each file, and files that were not edited as such', () => {
    const errors = [error('a.ts', 'gone'), error('b.ts', 'no member'), error('b.ts', 'no member')];
    const other = { ...error('c.ts', 'broken'), isEdited: false };
    expect(broughtText([...errors, other], [late], { ...view, leftOut: 2 })).toBe(
      [
        'agent-lsp: this edit brought 4 errors:',
        'a.ts',
        '  3:5 TS2304 gone',
        'b.ts',
        '  2 x 3:5 TS2304 no member',
        'c.ts (not edited)',
        '  3:5 TS2304 broken',
        'not looked at: late.py (no answer in time)',
        'not looked at: 2 more edited files',
      ].join('\n'),
    );
  });

  it('does not claim an edit for what was not compared with the text before it', () => {
    expect(broughtText([error('a.ts', 'gone', 'commit')], [], view)).toMatch(
      /^agent-lsp: 1 error after this edit, new since the last commit \(the text before the edit is not known\):\n/,
    );
    expect(broughtText([error('a.ts', 'gone', 'unknown')], [], { ...view, of: 'turn' })).toMatch(
      /^agent-lsp: 1 error after the edits of this turn, not known whether these were there before:\n/,
    );
    const mixed = broughtText([error('a.ts', 'one'), error('b.ts', 'two', 'unknown')], [], view);
    expect(mixed).toMatch(/2 errors after this edit:\na.ts\n.*one\nnot known whether .*:\nb.ts\n.*two$/);
  });

  it.each([
    {
      what: 'of many errors',
      make: (index: number) => error(`src/folder/file-${index % 7}.ts`, `Cannot find name 'name${index}'.`),
    },
    {
      what: 'of long messages',
      make: (index: number) => error('a.ts', `${index} Type '{ a: ${'string | '.repeat(40)}' is not`),
    },
    {
      what: 'in another script',
      make: (index: number) =>
        error('a.ts', `${index} 型 'string' を型 'number' に割り当てることはできません。`),
    },
  ])('$what stays below its tokens, and counts the rest', ({ make }) => {
    const text =
      broughtText(
        Array.from({ length: 400 }, (__, index) => make(index)),
        [],
        view,
      ) ?? '';
    expect(tokensIn(text)).toBeLessThanOrEqual(600);
    expect(tokensIn(text)).toBeGreaterThan(150);
    expect(text).toMatch(/\nand \d+ more errors; get_diagnostics lists them$/);
  });

  it('stays below 60,000 characters, however many tokens it may have', () => {
    const errors = Array.from({ length: 3_000 }, (_, index) =>
      error(`a${index}.ts`, `${'x'.repeat(250)} ${index}`),
    );
    expect(broughtText(errors, [], { ...view, maxTokens: 15_000 })?.length).toBeLessThanOrEqual(60_000);
  });

  it('is none without errors; what was not looked at is said for itself', () => {
    expect(broughtText([], [late], view)).toBeUndefined();
    expect(unseenText([late], view)).toBe('agent-lsp: not looked at: late.py (no answer in time)');
    expect(unseenText([], view)).toBeUndefined();
  });
});

describe('what was reported', () => {
  const NONE = { reported: {}, prolonged: 0 };
  const old = error('a.ts', 'old', 'unknown');
  const seen = (...errors: readonly BroughtError[]) =>
    new Map(errors.map(({ finding }) => [finding.file, errors.map((each) => each.finding)]));

  it('is not said again, until it was gone in between', () => {
    const first = afterReport(NONE, { errors: [old], unseen: [], seen: seen(old) }, 0);
    expect(unreported(NONE, [old])).toEqual([old]);
    expect(unreported(first, [old])).toEqual([]);
    const gone = afterReport(first, { errors: [], unseen: [], seen: new Map([[old.finding.file, []]]) }, 0);
    expect(unreported(gone, [old])).toEqual([old]);
  });

  it('does not hide what an edit is known to have brought', () => {
    const brought = error('a.ts', 'old', 'edit');
    const first = afterReport(NONE, { errors: [brought], unseen: [], seen: seen(brought) }, 0);
    expect(unreported(first, [brought])).toEqual([brought]);
  });

  it('is kept of files that were not looked at', () => {
    const first = afterReport(NONE, { errors: [old], unseen: [], seen: seen(old) }, 0);
    const second = afterReport(first, { errors: [], unseen: [], seen: new Map() }, 0);
    expect(unreported(second, [old])).toEqual([]);
  });
});
