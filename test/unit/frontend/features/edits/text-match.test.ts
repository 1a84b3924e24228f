/** Text that agents quote, found only where one place is meant. */
import { describe, expect, it } from 'vitest';
import { findText, reindented } from '../../../../../src/frontend/features/edits/plan/text-match.ts';
import { planReplacement } from '../../../../../src/frontend/features/edits/plan/text-replacement.ts';
import { WriteBoundary } from '../../../../../src/frontend/features/edits/plan/write-boundary.ts';
import { failureSentence } from '../../../../../src/frontend/render/failure.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const source = 'class A {\n  run() {\n    return 1;\n  }\n  stop() {\n    return 1;\n  }\n}\n';

describe('quoted text', () => {
  it('is found where it is, once', () => {
    const match = findText(source, 'run() {');
    expect(match).toEqual({ kind: 'unique', range: { start: 12, end: 19 } });
    expect(findText('a.b a+b', 'a+b')).toMatchObject({ kind: 'unique', range: { start: 4 } });
    expect(findText('x $1 y', '$1')).toMatchObject({ kind: 'unique' });
  });

  it('is not taken for the first of several, also when these overlap', () => {
    expect(findText(source, 'return 1;')).toEqual({ kind: 'several', lines: [3, 6] });
    expect(findText('aaa', 'aa')).toEqual({ kind: 'several', lines: [1, 1] });
  });

  it('may have other line ends than the file', () => {
    expect(findText('a\r\nb\r\nc', 'a\nb')).toEqual({ kind: 'unique', range: { start: 0, end: 4 } });
  });

  it('with other white space is told apart, by whole lines, without the line end that was not quoted', () => {
    const match = findText(source, 'run()  {\n  return 1;\n}');
    expect(match).toMatchObject({ kind: 'but-for-space', lines: [2, 4] });
    if (match.kind === 'but-for-space')
      expect(source.slice(match.range.start, match.range.end)).toBe('  run() {\n    return 1;\n  }');
    const whole = findText(source, 'stop()  {\n');
    if (whole.kind === 'but-for-space')
      expect(source.slice(whole.range.start, whole.range.end)).toBe('  stop() {\n');
    expect(findText(source, 'return  1;')).toEqual({ kind: 'several', lines: [3, 6] });
  });

  it('that is not there gets the line that is most like it', () => {
    expect(findText(source, 'stopp() {\n')).toEqual({ kind: 'none', nearest: { line: 5, text: 'stop() {' } });
    expect(findText(source, 'qqq')).toEqual({ kind: 'none' });
    expect(findText('', ' \n ')).toEqual({ kind: 'none' });
  });
});

describe('new text for a quote without its indentation', () => {
  it.each([
    {
      newText: 'x\n  y\n\nz',
      quoted: 'a\n  b',
      found: '    a\n      b',
      expected: '    x\n      y\n\n    z',
    },
    { newText: '\t\tx', quoted: '\t\ta', found: '\ta', expected: '\tx' },
    { newText: 'x', quoted: 'a\n b', found: '  a\nb', expected: 'x' },
  ])(
    '$newText is indented like the file, where it was wrong throughout',
    ({ newText, quoted, found, expected }) => {
      expect(reindented(newText, quoted, found)).toBe(expected);
    },
  );
});

describe('a replacement', () => {
  it('is a plan, or says what to do', async () => {
    await using workspace = createWorkspace();
    const file = workspace.write('a.ts', source.replaceAll('\n', '\r\n'));
    const boundary = new WriteBoundary({ roots: [workspace.root], ours: [] });
    const plan = (oldText: string, newText: string) =>
      planReplacement(file, { oldText, newText }, { boundary });
    const exact = await plan('run() {\n    return 1;', 'go() {\n    return 2;');
    expect(exact.kind).toBe('exact');
    expect(exact.plan.files[0]).toMatchObject({
      after: source.replace('run() {\n    return 1;', 'go() {\n    return 2;').replaceAll('\n', '\r\n'),
    });
    const offered = await plan('stop() {\n  return 1;\n}', 'stop() {\n  return 2;\n}');
    expect(offered).toMatchObject({ kind: 'but-for-space', lines: [5, 7] });
    expect((await plan('run', 'run')).plan.files).toEqual([]);
    const said = (oldText: string) =>
      plan(oldText, '').then(
        () => expect.unreachable(),
        (error: unknown) => failureSentence(failureOf(error) ?? expect.unreachable()),
      );
    expect(await said('return 1;')).toBe(
      `old_text is 2 times in ${file} (lines 3, 6). Add lines before or after it to old_text until only one place is meant.`,
    );
    expect(await said('rum() {')).toBe(
      `old_text is not in ${file}; line 2 looks most like it: run() {. Read the file again and quote it exactly.`,
    );
    expect(await said('')).toContain('old_text is empty');
  });
});
