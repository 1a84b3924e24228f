/** Edits that wait to be applied, and how they are shown. */
import { describe, expect, it } from 'vitest';
import { AppliedEdits } from '../../../../../src/frontend/features/edits/apply/applied-edits.ts';
import { HeldEdits } from '../../../../../src/frontend/features/edits/apply/held-edits.ts';
import {
  baseText,
  type EditPlan,
  type PlannedChange,
  planOf,
} from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import { appliedLines, diffLines, previewLines } from '../../../../../src/frontend/features/edits/text.ts';
import { failureSentence } from '../../../../../src/frontend/render/failure.ts';
import type { AbsPath } from '../../../../../src/shared/base/brand.ts';
import { failureOf } from '../../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { tokensIn } from '../../../../support/tokens.ts';

const MODE = { bom: false, mode: 0o644 };
const view = { display: (file: AbsPath) => file.slice('/w/'.length) };

function change(name: string, places: number): PlannedChange {
  return {
    kind: 'change',
    path: absolutePath(`/w/${name}`),
    before: baseText('old\n', MODE),
    after: 'new\n',
    places,
  };
}

const plan = planOf([change('a.ts', 1)]);

describe('held edits', () => {
  it('are named e1, e2 and so on, and are there until they are taken', () => {
    const held = new HeldEdits();
    expect(held.hold(plan, 'rename a to b').id).toBe('e1');
    expect(held.hold(plan, 'format').id).toBe('e2');
    expect(held.named(' e1 ').about).toBe('rename a to b');
    expect(held.take('e1').plan).toBe(plan);
    expect(sentence(() => held.named('e1'))).toBe(
      'edit_id e1 is no longer held: it was applied, or newer ones have taken its place. Held are e2; or compute the edit again.',
    );
    expect(sentence(() => held.named('e9'))).toBe(
      'there is no edit_id "e9". Held are e2; or compute the edit again.',
    );
    expect(sentence(() => new HeldEdits().named('x'))).toBe(
      'there is no edit_id "x". Compute an edit first, for example with rename_symbol.',
    );
  });

  it('are bounded in number and size, the newest always stays', () => {
    const held = new HeldEdits({ edits: 2, chars: 1_000 });
    for (let index = 0; index < 3; index++) held.hold(plan, '');
    expect(sentence(() => held.named('e1'))).toContain('no longer held');
    expect(held.named('e2').id).toBe('e2');
    const heavy = planOf([
      { kind: 'create', path: absolutePath('/w/x'), after: 'x'.repeat(5_000), places: 0 },
    ]);
    expect(held.hold(heavy, '').id).toBe('e4');
    expect(sentence(() => held.named('e3'))).toContain('no longer held');
    expect(held.named('e4').plan).toBe(heavy);
  });
});

describe('applied edits', () => {
  it('can be undone unless something unknown was deleted', () => {
    const applied = new AppliedEdits();
    expect(applied.remember({ id: 'e1', about: 'rename', hints: {} }, { plan })).toBe(true);
    expect(applied.named('e1').plan.files).toEqual([
      { kind: 'change', path: '/w/a.ts', before: baseText('new\n', MODE), after: 'old\n', places: 1 },
    ]);
    const gone = planOf([
      { kind: 'delete', path: absolutePath('/w/x.png'), before: { hash: null }, places: 0 },
    ]);
    expect(applied.remember({ id: 'e2', about: 'delete', hints: {} }, { plan: gone })).toBe(false);
    expect(sentence(() => applied.named('e2'))).toBe(
      'no applied edit "e2" can be undone. Can be undone: e1.',
    );
  });
});

describe('an edit is shown', () => {
  it('with counts first, then the files by folder', () => {
    const many = planOf([
      change('src/store/cart.ts', 4),
      change('src/store/items.ts', 2),
      change('src/main.ts', 1),
      change('top.ts', 3),
    ]);
    expect(previewLines({ id: 'e7', plan: many }, view)).toEqual([
      'would change 10 places in 4 files; edit_id e7',
      '  src/store/: cart.ts (4), items.ts (2)',
      '  src/main.ts (1)',
      '  top.ts (3)',
    ]);
    expect(appliedLines(many, { ...view, mostFiles: 2 })).toEqual([
      'changed 10 places in 4 files',
      '  src/store/: cart.ts (4), items.ts (2)',
      '  and 2 more files',
    ]);
  });

  it('in few words for twelve files', () => {
    const twelve = planOf(
      Array.from({ length: 12 }, (_, index) => change(`src/part${index % 4}/component-${index}.ts`, 3)),
    );
    const text = previewLines({ id: 'e1', plan: twelve }, view).join('\n');
    expect(tokensIn(text)).toBeLessThanOrEqual(150);
  });

  it('with all else that happens', () => {
    const path = (name: string) => absolutePath(`/w/${name}`);
    const mixed: EditPlan = {
      files: [
        { kind: 'create', path: path('n/new.ts'), after: '', places: 0 },
        { kind: 'delete', path: path('gone.ts'), before: { hash: null }, places: 0 },
        {
          kind: 'rename',
          path: path('a.ts'),
          newPath: path('n/a.ts'),
          before: baseText('', MODE),
          after: 'x',
          places: 2,
        },
        {
          kind: 'rename',
          path: path('b.ts'),
          newPath: path('n/b.ts'),
          before: { hash: null },
          after: null,
          places: 0,
        },
      ],
      directories: { made: [path('n')], dropped: [] },
      confirmations: [{ label: 'Rename in strings', places: 2 }],
      leftOut: [{ path: path('vendor/v.ts'), places: 3 }],
    };
    expect(previewLines({ id: 'e1', plan: mixed }, view)).toEqual([
      'would create 1 file, rename 2 files, delete 1 file, make 1 folder; edit_id e1',
      'the server asks to confirm: Rename in strings, 2 places',
      'left out: vendor/v.ts (3)',
      '  create n/new.ts',
      '  delete gone.ts',
      '  rename a.ts to n/a.ts, 2 places changed',
      '  rename b.ts to n/b.ts',
    ]);
    expect(appliedLines(planOf([]), view)).toEqual(['changed nothing']);
  });

  it('as a diff, cut where it gets long', () => {
    expect(diffLines(plan, view)).toEqual(['--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new']);
    expect(diffLines(plan, view, 36).at(-1)).toBe('… 2 more lines of the diff in 1 file not shown');
  });
});

function sentence(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return failureSentence(failure);
  }
  return expect.unreachable('it did not fail');
}
