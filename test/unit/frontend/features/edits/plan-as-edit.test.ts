import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseText, planOf } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import { planAsEdit, textEdits } from '../../../../../src/frontend/features/edits/plan/plan-as-edit.ts';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';

const LIKE = { bom: false, mode: 0o644 };

/** What a client makes of edits: from the last to the first, by offsets. */
function applied(text: string, edits: ReturnType<typeof textEdits>): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = ({ line, character }: { line: number; character: number }) => {
    expect(line).toBeLessThan(starts.length);
    return (starts[line] ?? 0) + character;
  };
  return edits.reduceRight(
    (made, { range, newText }) =>
      made.slice(0, offset(range.start)) + newText + made.slice(offset(range.end)),
    text,
  );
}

describe('a plan as an edit of the protocol', () => {
  it('makes the new text of the old one, whatever they are', () => {
    const line = fc.constantFrom('', 'stop', 'halt', 'a.stop(b)', 'a.halt(b)', 'ä 𝒳 stop', ' x', 'x\r');
    const text = fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.boolean())
      .map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applied(before, textEdits(before, after))).toBe(after);
      }),
    );
  });

  it('has an edit for each word that a rename changes', () => {
    expect(textEdits('stop(stop, x)\nkeep\n', 'halt(halt, x)\nkeep\n')).toEqual([
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }, newText: 'halt' },
      { range: { start: { line: 0, character: 5 }, end: { line: 0, character: 9 } }, newText: 'halt' },
    ]);
  });

  it('makes, moves and deletes files in steps', () => {
    const [made, gone, from, to] = ['made', 'gone', 'from', 'to'].map((name) => absolutePath(`/w/${name}`));
    if (!made || !gone || !from || !to) throw new Error('no paths');
    const plan = planOf([
      { kind: 'create', path: made, after: 'new\n', places: 1 },
      { kind: 'delete', path: gone, before: { hash: null }, places: 1 },
      { kind: 'rename', path: from, newPath: to, before: baseText('a\n', LIKE), after: 'b\n', places: 1 },
    ]);
    expect(planAsEdit(plan)).toMatchObject({
      documentChanges: [
        { kind: 'create', uri: pathToUri(made) },
        { textDocument: { uri: pathToUri(made) }, edits: [{ newText: 'new\n' }] },
        { kind: 'delete', uri: pathToUri(gone) },
        { kind: 'rename', oldUri: pathToUri(from), newUri: pathToUri(to) },
        { textDocument: { uri: pathToUri(to) }, edits: [{ newText: 'b' }] },
      ],
    });
  });
});
