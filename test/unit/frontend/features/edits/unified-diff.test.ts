/** Diffs, judged by git: applied to the old text they must give the new one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseText, type PlannedChange } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import { hunksOf, unifiedDiff } from '../../../../../src/frontend/features/edits/plan/unified-diff.ts';
import { changedLines } from '../../../../../src/frontend/lexical/line-diff.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { describeWith } from '../../../../support/requirements.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

const display = (file: AbsPath) => file.slice(1);
const at = (name: string) => absolutePath(`/${name}`);
const MODE = { bom: false, mode: 0o644 };

function change(name: string, before: string, after: string): PlannedChange {
  return { kind: 'change', path: at(name), before: baseText(before, MODE), after, places: 1 };
}

const line = fc.constantFrom('a', 'b', 'c', 'd', '', '  é😀', 'x\r', '-- ', '\\ No newline', '+++ x');
const someText = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

describe('the lines that differ', () => {
  it('lead from one text to the other, and are no more than necessary', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = changedLines(before, after);
        const result: string[] = [];
        let last = 0;
        let cost = 0;
        for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
          result.push(...before.slice(last, oldStart), ...after.slice(newStart, newEnd));
          cost += oldEnd - oldStart + newEnd - newStart;
          last = oldEnd;
        }
        expect([...result, ...before.slice(last)]).toEqual(after);
        expect(cost).toBe(before.length + after.length - 2 * longestCommon(before, after));
      }),
    );
  });

  it('are everything in between when two long texts have little in common', () => {
    const before = Array.from({ length: 4_000 }, (_, index) => `old ${index}`);
    const after = ['same', ...before.map((each) => each.replace('old', 'new')), 'same'];
    expect(changedLines(['same', ...before, 'same'], after)).toEqual([
      { oldStart: 1, oldEnd: 4_001, newStart: 1, newEnd: 4_001 },
    ]);
  });
});

describe('a unified diff', () => {
  it('has three lines around each change, and one hunk where these meet', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
    const after = before.with(4, 'five\n').with(9, 'ten\n').toSpliced(18, 1);
    expect(hunksOf(before.join(''), after.join(''))).toEqual([
      ...['@@ -2,12 +2,12 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8', ' 9', '-10', '+ten', ' 11'],
      ...[' 12', ' 13', '@@ -16,5 +16,4 @@', ' 16', ' 17', ' 18', '-19', ' 20'],
    ]);
  });

  it('says where a line end is missing', () => {
    expect(hunksOf('a', 'a\n')).toEqual(['@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a']);
    expect(hunksOf('', 'a')).toEqual(['@@ -0,0 +1 @@', '+a', '\\ No newline at end of file']);
  });

  it('is cut at its limit and says how much is missing', () => {
    const files = ['a', 'b', 'c'].map((name) => change(name, 'x\n'.repeat(50), 'y\n'.repeat(50)));
    const diff = unifiedDiff({ files }, { display, maxChars: 400 });
    expect(diff.text.length).toBeLessThanOrEqual(400);
    expect(diff.cutFiles).toBe(2);
    expect(diff.cutLines + diff.text.split('\n').length - 1).toBe(3 * 103);
  });
});

describeWith('git', 'git takes our diffs', ({ git }) => {
  const apply = (root: string, diff: string) =>
    execFileSync(git, ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], {
      cwd: root,
      input: diff,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CEILING_DIRECTORIES: path.dirname(root),
      },
    });

  it('of any text', async () => {
    await using workspace = createWorkspace();
    fc.assert(
      fc.property(fc.array(fc.tuple(someText, someText), { minLength: 4, maxLength: 4 }), (pairs) => {
        const different = pairs.filter(
          ([before, after]) => before !== after && before !== '' && after !== '',
        );
        fc.pre(different.length > 0);
        different.forEach(([before], index) => void workspace.write(`f ${index}.ts`, before));
        const files = different.map(([before, after], index) => change(`f ${index}.ts`, before, after));
        apply(workspace.root, unifiedDiff({ files }, { display }).text);
        different.forEach(([, after], index) => void expect(workspace.read(`f ${index}.ts`)).toBe(after));
      }),
      { numRuns: 25 },
    );
  });

  it('of files that come, go and move', async () => {
    await using workspace = createWorkspace();
    const bom = { bom: true, mode: 0o755 };
    mkdirSync(workspace.file('a "dir"'));
    writeFileSync(workspace.file('a "dir"/ü.ts'), '\ufeffone\r\ntwo\r\n');
    workspace.write('gone.ts', 'x\ny');
    workspace.write('empty.ts', '');
    workspace.write('same.ts', 'same\n');
    workspace.write('edited.ts', 'a\nb\nc\nd\ne\n');
    const files: PlannedChange[] = [
      {
        kind: 'change',
        path: at('a "dir"/ü.ts'),
        before: baseText('one\r\ntwo\r\n', bom),
        after: 'eins\r\ntwo\r\n',
        places: 1,
      },
      { kind: 'delete', path: at('gone.ts'), before: baseText('x\ny', MODE), places: 0 },
      { kind: 'delete', path: at('empty.ts'), before: baseText('', MODE), places: 0 },
      { kind: 'create', path: at('new/n.ts'), after: 'n\n', places: 0 },
      { kind: 'create', path: at('nothing.ts'), after: '', places: 0 },
      {
        kind: 'rename',
        path: at('same.ts'),
        newPath: at('moved/same.ts'),
        before: baseText('same\n', MODE),
        after: null,
        places: 0,
      },
      {
        kind: 'rename',
        path: at('edited.ts'),
        newPath: at('moved/edited.ts'),
        before: baseText('a\nb\nc\nd\ne\n', MODE),
        after: 'a\nB\nc\nd\ne\n',
        places: 1,
      },
    ];
    apply(workspace.root, unifiedDiff({ files }, { display }).text);
    const names = readdirSync(workspace.root, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => [name, readFileSync(workspace.file(name), 'utf8')]);
    expect(texts).toEqual([
      ['a "dir"/ü.ts', '\ufeffeins\r\ntwo\r\n'],
      ['moved/edited.ts', 'a\nB\nc\nd\ne\n'],
      ['moved/same.ts', 'same\n'],
      ['new/n.ts', 'n\n'],
      ['nothing.ts', ''],
    ]);
    rmSync(workspace.file('moved'), { recursive: true });
  });
});

/** By the book, and much too slow for real texts. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (const [i, one] of a.entries())
    for (const [j, other] of b.entries()) {
      const row = rows[i + 1] ?? [];
      row[j + 1] = one === other ? (rows[i]?.[j] ?? 0) + 1 : Math.max(rows[i]?.[j + 1] ?? 0, row[j] ?? 0);
    }
  return rows[a.length]?.[b.length] ?? 0;
}
