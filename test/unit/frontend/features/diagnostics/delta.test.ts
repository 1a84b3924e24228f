import { describe, expect, it } from 'vitest';
import { deltaLines, triedLines } from '../../../../../src/frontend/features/diagnostics/delta.ts';
import {
  type DiagnosticDelta,
  deltaOf,
} from '../../../../../src/frontend/features/diagnostics/diagnostic-delta.ts';
import type { FileFindings, Finding } from '../../../../../src/frontend/features/diagnostics/diagnostics.ts';
import { foldEqual, times } from '../../../../../src/frontend/features/diagnostics/fold-equal.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';

const [a, b] = [absolutePath('/w/a.ts'), absolutePath('/w/b.ts')];
const display = (file: string) => file.slice(3);

function finding(file: typeof a, line: number, message: string, severity: Finding['severity'] = 1): Finding {
  const point = { line, column: 1 };
  return { file, start: point, end: point, severity, code: 'c', source: 's', message, line: message };
}

function delta(before: readonly Finding[], after: readonly Finding[]): DiagnosticDelta {
  const reports = (findings: readonly Finding[]) =>
    [a, b].map(
      (file): FileFindings => ({
        report: { file, diagnostics: [], version: 1, freshness: { kind: 'exact', proof: 'pull' } },
        server: 'srv',
        findings: findings.filter((each) => each.file === file),
      }),
    );
  return deltaOf({ files: [a, b], before: reports(before), after: reports(after) });
}

const many = Array.from({ length: 40 }, (_, line) => finding(a, line + 1, `old ${line}`));

describe('what a change does to diagnostics', () => {
  it('is one short line when nothing is new, whatever was wrong before', () => {
    expect(deltaLines(delta(many, many), display)).toEqual(['0 new errors, 40 before, in 2 files']);
    expect(deltaLines(delta([], []), display)).toEqual(['0 new errors, in 2 files']);
  });

  it('says what is new, gone and was before, errors and warnings apart', () => {
    const after = [...many.slice(2), finding(b, 3, 'fresh'), finding(b, 4, 'unused', 2)];
    expect(deltaLines(delta(many, after), display)).toEqual([
      '1 new error, 2 gone, 40 before; 1 new warning, in 2 files',
      '  new E b.ts:3:1 c fresh',
      '  new W b.ts:4:1 c unused',
    ]);
  });

  it('folds what says the same, with its number and its first place', () => {
    const same = Array.from({ length: 35 }, (_, line) =>
      finding(line < 20 ? a : b, line + 1, 'no such thing'),
    );
    expect(deltaLines(delta([], [finding(a, 9, 'other'), ...same]), display)).toEqual([
      '36 new errors, in 2 files',
      '  new E a.ts:9:1 c other',
      '  new 35 x E a.ts:1:1 c no such thing',
    ]);
  });

  it('counts what is not listed by findings, not by lines', () => {
    const lines = Array.from({ length: 21 }, (_, line) => finding(a, line + 1, `new ${line}`));
    const listed = deltaLines(delta([], [...lines, finding(b, 1, 'new 20')]), display);
    expect(listed).toHaveLength(22);
    expect(listed.at(-1)).toBe('  and 2 more new');
  });

  it('says of a trial how many files were not looked at', () => {
    expect(triedLines(delta(many, many), 63, display)).toEqual([
      'tried out: 0 new errors, 40 before, in 2 files; 63 more would change and were not looked at',
    ]);
  });
});

describe('equal things', () => {
  it('are told once, in the order of the first ones', () => {
    expect(foldEqual(['b', 'a', 'b', 'b'], (text) => text)).toEqual([
      { first: 'b', count: 3 },
      { first: 'a', count: 1 },
    ]);
    expect([times(1), times(3)]).toEqual(['', '3 x ']);
  });
});
