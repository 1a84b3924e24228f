/** The judge is only worth something if it is right about what is missing, what was said, and what is too much. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { untilSettled } from '../../support/judge/attempts.ts';
import { isNamed, judged, type ProductAnswer } from '../../support/judge/compare.ts';
import { conventions } from '../../support/judge/conventions.ts';
import { readOptions } from '../../support/judge/options.ts';
import { drawn, sampled } from '../../support/judge/oracle/draw.ts';
import { figuresOf } from '../../support/judge/processes.ts';
import { readAnswer } from '../../support/judge/read-answer.ts';
import { placesInDiff } from '../../support/judge/renamed-places.ts';
import { hasSilent, type Judged, rowsOf } from '../../support/judge/report.ts';
import { filesIn, isMade } from '../../support/judge/sources.ts';
import type { PlaceClass, Question, Tool, TruePlace } from '../../support/judge/truth.ts';
import { seeded } from '../../support/truth/model.ts';
import { createWorkspace } from '../../support/workspace.ts';

const at = (file: string, line: number, column = 1) => ({ file, line, column });
const truePlace = (line: number, kind: PlaceClass = 'use', more: Partial<TruePlace> = {}): TruePlace => ({
  ...at('src/a.ts', line),
  class: kind,
  ...more,
});
const question = (expected: readonly TruePlace[], tool: Tool = 'references'): Question => ({
  tool,
  name: 'stop',
  kind: 'method',
  at: at('src/a.ts', 1),
  isAtUse: false,
  expected,
});
const answer = (lines: readonly number[], more: Partial<ProductAnswer> = {}): ProductAnswer => ({
  places: lines.map((line) => at('src/a.ts', line)),
  possible: [],
  counted: new Map(),
  complete: true,
  claims: true,
  remarks: [],
  hidden: [],
  ...more,
});
const files = new Set(['src/a.ts']);

describe('the verdict on an answer', () => {
  it('is exact when nothing is missing', () => {
    expect(judged(question([truePlace(1)]), answer([1]), files)).toMatchObject({ kind: 'exact', extra: [] });
  });

  it('is silent when a place is missing from what claims to be complete', () => {
    const verdict = judged(question([truePlace(1), truePlace(2)]), answer([1]), files);
    expect(verdict).toMatchObject({ kind: 'silent', expected: 2, found: 1, unsaid: [{ line: 2 }] });
  });

  it('is said when the answer calls itself incomplete', () => {
    expect(judged(question([truePlace(1)]), answer([], { complete: false }), files).kind).toBe('said');
  });

  it('calls an answer wary that lacks nothing and says that it may', () => {
    expect(judged(question([truePlace(1)]), answer([1], { complete: false }), files)).toMatchObject({
      kind: 'exact',
      isWary: true,
    });
  });

  it('counts places that the oracle does not have, in files that it has', () => {
    const found = answer([1, 7]);
    const verdict = judged(
      question([truePlace(1)]),
      { ...found, places: [...found.places, at('dist/a.js', 1)] },
      files,
    );
    expect(verdict).toMatchObject({ kind: 'exact', extra: [{ line: 7 }] });
  });

  it('compares the column for references and only the line for callers', () => {
    const elsewhere = { ...answer([]), places: [at('src/a.ts', 1, 9)] };
    expect(judged(question([truePlace(1)]), elsewhere, files).kind).toBe('silent');
    expect(judged(question([truePlace(1, 'call')], 'callers'), elsewhere, files).kind).toBe('exact');
  });

  it('takes one overload for all of them, and misses them as one', () => {
    const overloads = [1, 2, 3].map((line) => truePlace(line, 'member', { group: 'stop' }));
    expect(judged(question(overloads, 'symbols'), answer([2]), files).kind).toBe('exact');
    expect(judged(question(overloads, 'symbols'), answer([]), files)).toMatchObject({
      expected: 1,
      missing: [{ line: 1 }],
    });
  });

  it('lets conventions neither be missed nor be too much', () => {
    const places = [truePlace(1), truePlace(2, 'comment')];
    expect(judged(question(places), answer([1]), files)).toMatchObject({
      kind: 'exact',
      expected: 1,
      excused: ['mentions in comments'],
    });
    expect(judged(question(places), answer([1, 2]), files)).toMatchObject({ kind: 'exact', extra: [] });
  });
});

describe('what an answer claims', () => {
  const lacking = (more: Partial<ProductAnswer>) =>
    judged(question([truePlace(1), truePlace(2)]), answer([1], more), files);

  it('is wrong when it says that nothing is missing, and merely silent when it says nothing', () => {
    expect(lacking({})).toMatchObject({ kind: 'silent', isWrong: true });
    expect(lacking({ claims: false })).toMatchObject({ kind: 'silent', isWrong: false });
  });

  it('covers a place that is listed as possible, but not the others', () => {
    const possible = (line: number) => ({ possible: [{ ...at('src/a.ts', line), why: 'any' }] });
    expect(lacking(possible(2))).toMatchObject({ kind: 'said', isWrong: false, unexplained: [] });
    expect(lacking(possible(3))).toMatchObject({ kind: 'silent', isWrong: true });
    expect(lacking({ possible: [{ ...at('src/a.ts', 2), why: '' }] })).toMatchObject({
      unexplained: [{ line: 2 }],
    });
  });

  it('finds a method that is listed with its type, and no name that merely ends like it', () => {
    const listed = ['Type.stop', 'nonstop', 'stop()'].map((name, index) => ({
      name,
      ...at('/r/src/a.ts', index + 1),
    }));
    const page = readAnswer('/r', question([], 'symbols'), {
      content: [],
      structuredContent: { status: 'ok', data: listed },
    });
    expect(page).toMatchObject({ answer: { places: [{ line: 1 }, { line: 3 }] } });
  });

  it('is read from the accounting, wherever that stands', () => {
    const page = (more: object, data: object = []) =>
      readAnswer('/r', question([]), {
        content: [],
        structuredContent: { status: 'ok', data, complete: true, ...more },
      });
    const possible = [{ file: '/r/src/a.ts', line: 2, column: 3, why: 'any' }];
    const read = { possible: [{ ...at('src/a.ts', 2, 3), why: 'any' }] };
    expect(page({ possible })).toMatchObject({ answer: read });
    expect(page({}, { possible })).toMatchObject({ answer: read });
    expect(page({ accounted: { not_looked_at: 4 } })).toMatchObject({ answer: { complete: false } });
  });
});

it('a link is no file of its own: what it leads to counts under its name', async () => {
  await using workspace = createWorkspace('//- a.ts\nexport {};\n');
  symlinkSync('a.ts', workspace.file('b.ts'));
  expect(filesIn(workspace.root, 'typescript')).toEqual(['a.ts']);
  execFileSync('git', ['init', '--quiet'], { cwd: workspace.root });
  execFileSync('git', ['add', '--all'], { cwd: workspace.root });
  expect(filesIn(workspace.root, 'typescript')).toEqual(['a.ts']);
});

describe('a preview of a rename', () => {
  const renaming = { name: 'stop', newName: 'stopZq7' };
  const diff = `--- a/src/a.ts
+++ b/src/a.ts
@@ -3,3 +3,3 @@
 before
-stop(stop, unstop, { stop });
+stopZq7(stop, unstop, { stop: stopZq7 });
 after
--- a/src/b.ts
+++ b/src/b.ts
@@ -1 +1 @@
-export { stop };
+export { stopZq7 as stop };`;

  it('changes the places that its diff changes', () => {
    expect(placesInDiff(diff, renaming)).toEqual([
      at('src/a.ts', 4, 1),
      at('src/a.ts', 4, 22),
      at('src/b.ts', 1, 10),
    ]);
  });

  it('changes a word, and not the end of a longer one before it', () => {
    const member = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-  unstop: stop;\n+  unstop: stopZq7;';
    expect(placesInDiff(member, renaming)).toEqual([at('src/a.ts', 1, 11)]);
  });

  it.each([
    { fresh: 'stop: stopZq7.bind(1)', column: 9 },
    { fresh: 'stopZq7: stop.bind(1)', column: 3 },
  ])('changes one of two where both are written: $fresh', ({ fresh, column }) => {
    const pair = `--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-  stop: stop.bind(1)\n+  ${fresh}`;
    expect(placesInDiff(pair, renaming)).toEqual([at('src/a.ts', 1, column)]);
  });

  it('has to have all of them, the declaration among them', () => {
    const asked = question([truePlace(1, 'definition'), truePlace(2)], 'rename');
    expect(judged(asked, answer([2]), files)).toMatchObject({ kind: 'silent', unsaid: [{ line: 1 }] });
    const aliased = answer([1], { remarks: ['others still see stop at src/b.ts:1 "stop"; rename it there'] });
    expect(judged(asked, aliased, files).kind).toBe('said');
  });

  it('is counted by files where its diff is too long to be shown', () => {
    const asked = question([truePlace(1), truePlace(2)], 'rename');
    const cut = (edits: number) => answer([1], { counted: new Map([['src/a.ts', edits]]) });
    expect(judged(asked, cut(2), files).kind).toBe('exact');
    expect(judged(asked, cut(1), files).kind).toBe('silent');
  });
});

describe('the function around a call', () => {
  it('has to be the one that the answer names, where both name one', () => {
    const asked = question([truePlace(1, 'call', { caller: 'inner' })], 'callers');
    const named = (caller: string | undefined) => ({
      ...answer([]),
      places: [{ ...at('src/a.ts', 1), caller }],
    });
    expect(judged(asked, named('outer'), files)).toMatchObject({ kind: 'exact', misnamed: [{ line: 1 }] });
    expect(judged(asked, named('inner'), files)).toMatchObject({ misnamed: [] });
    expect(judged(asked, named(undefined), files)).toMatchObject({ misnamed: [] });
  });
});

describe('conventions', () => {
  it.each(['use', 'call', 'new', 'jsx', 'shorthand', 'import', 'declaration'] as const)(
    'never excuse a missing reference that is a %s',
    (kind) => {
      expect(judged(question([truePlace(1, kind)]), answer([]), files).kind).toBe('silent');
    },
  );

  it('each have a name of their own and a reason', () => {
    expect(new Set(conventions.map(({ name }) => name)).size).toBe(conventions.length);
    for (const { reason } of conventions) expect(reason.length).toBeGreaterThan(20);
  });
});

describe('what an answer says about a file', () => {
  const says = (...remarks: string[]) => answer([], { remarks });
  it.each([
    { given: says('3 files were not searched, such as src/a.ts'), expected: true },
    { given: says('not searched: src/, lib/'), expected: true },
    { given: says('not searched: src/a.tsx'), expected: false },
    { given: says('not searched: other/src/a.ts'), expected: false },
    { given: says('see src/a.ts for more'), expected: false },
    { given: answer([], { hidden: ['src/'] }), expected: true },
    { given: answer([], { hidden: ['generated files'] }), expected: false },
  ])('counts when it names the file or its folder: %#', ({ given, expected }) => {
    expect(isNamed(given, 'src/a.ts')).toBe(expected);
  });
});

describe('drawing', () => {
  const items = Array.from({ length: 60 }, (_, index) => ({
    id: index,
    package: index < 50 ? 'large' : 'small',
    kind: index % 2 === 0 ? 'class' : 'function',
  }));

  it('gives every item once, and the same order for the same seed', () => {
    const order = (seed: number) => [...drawn(items, seeded(seed))].map(({ id }) => id);
    expect(new Set(order(1)).size).toBe(items.length);
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
  });

  it('takes packages in turn, however large they are', () => {
    const first = [...drawn(items, seeded(3))].slice(0, 10);
    expect(first.filter((item) => item.package === 'small')).toHaveLength(5);
  });

  it('takes half of the sample from what several files use', () => {
    const look = ({ id }: { id: number }) => ({ files: id % 5 === 0 ? 2 : 1 });
    const sample = sampled(items, items, look, { count: 10, random: seeded(1) });
    expect(sample).toHaveLength(10);
    expect(sample.filter(({ uses }) => uses.files > 1).length).toBeGreaterThanOrEqual(5);
  });
});

describe('output of a build', () => {
  const isPackage = (directory: string) => ['', 'packages/a'].includes(directory);
  it.each([
    { file: 'node_modules/a/index.js', expected: true },
    { file: 'packages/a/dist/index.js', expected: true },
    { file: 'build/index.js', expected: true },
    { file: 'packages/a/src/build/index.ts', expected: false },
    { file: 'packages/a/src/dist.ts', expected: false },
  ])('$file: $expected', ({ file, expected }) => expect(isMade(file, isPackage)).toBe(expected));
});

describe('an answer that says when to call again', () => {
  const settled = async (kinds: readonly string[]) => {
    const verdicts = {
      exact: judged(question([truePlace(1)]), answer([1]), files),
      said: judged(question([truePlace(1)]), answer([], { complete: false }), files),
      silent: judged(question([truePlace(1)]), answer([]), files),
      failed: { kind: 'failed', why: 'the server goes on' },
    } as const;
    const left = [...kinds];
    const waited: number[] = [];
    const { verdict, times } = await untilSettled(
      async () => {
        const [kind] = left.splice(0, 1);
        return { verdict: verdicts[kind as keyof typeof verdicts], ms: 10, retryMs: 2_000 };
      },
      async (ms) => waited.push(ms),
    );
    return { kind: verdict.kind, calls: times.length, waited: waited.length };
  };

  it('is asked again until it lacks nothing, and a silent one on the way counts', async () => {
    expect(await settled(['failed', 'said', 'exact'])).toEqual({ kind: 'exact', calls: 3, waited: 2 });
    expect(await settled(['said', 'silent', 'exact'])).toEqual({ kind: 'silent', calls: 2, waited: 1 });
    expect(await settled(Array(20).fill('said'))).toMatchObject({ kind: 'said', calls: 8 });
  });
});

describe('the report', () => {
  const one = (verdict: Judged['verdict'], ms: number, isFirst = false): Judged => ({
    question: question([truePlace(1)]),
    verdict,
    times: [ms],
    isFirst,
  });
  const exact = judged(question([truePlace(1)]), answer([1]), files);
  const silent = judged(question([truePlace(1, 'use', { needsBuild: true })]), answer([]), files);

  it('keeps the first answer of a language out of the times', () => {
    expect(rowsOf([one(exact, 9_000, true), one(exact, 10), one(silent, 30)])).toMatchObject([
      { asked: 3, exact: 2, silent: 1, unbuilt: 1, max: 30 },
    ]);
  });

  it('fails for silence only', () => {
    expect(hasSilent([one(exact, 1), one({ kind: 'failed', why: 'time was up' }, 1)])).toBe(false);
    expect(hasSilent([one(silent, 1)])).toBe(true);
  });
});

it('counts servers and their processes, and neither guards nor brokers among them', () => {
  const seen = (pid: number, parent: number, name: string) => ({
    pid,
    parent,
    name,
    megabytes: 10,
    peak: 20,
    seconds: 5,
  });
  const all = [
    seen(1, 0, 'node'),
    seen(2, 1, 'node'),
    seen(3, 2, 'sh'),
    seen(4, 2, 'node'),
    seen(5, 4, 'tsserver'),
    seen(9, 0, 'other'),
  ];
  expect(figuresOf(all, [2], 1)).toMatchObject({
    brokers: 1,
    servers: 1,
    serverProcesses: 2,
    serverMegabytes: 20,
    serverPeakMegabytes: 40,
    ownMegabytes: 20,
  });
});

it('refuses what it does not know', () => {
  expect(() => readOptions(['.', '--tools', 'renames'])).toThrow('there is no renames');
  expect(() => readOptions([])).toThrow('usage');
  expect(() => readOptions(['.', '--symbols', '0'])).toThrow('--symbols');
});
