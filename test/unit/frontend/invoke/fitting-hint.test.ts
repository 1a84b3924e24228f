/** Which advice an answer ends with, by what the session has just done. */
import { describe, expect, it } from 'vitest';
import { recentCalls, withFittingHint } from '../../../../src/frontend/invoke/fitting-hint.ts';
import { SessionState } from '../../../../src/frontend/tools/session-state.ts';
import { systemClock } from '../../../../src/shared/base/lifetime.ts';

type Args = Readonly<Record<string, unknown>>;
type Call = readonly [tool: string, args: Args, effect?: 'read' | 'write' | 'execute'];

function shownAfter(hint: string, ...calls: readonly Call[]): boolean {
  const ground: Partial<ConstructorParameters<typeof SessionState>[0]> = { clock: systemClock };
  const recent = recentCalls({
    state: new SessionState(ground as ConstructorParameters<typeof SessionState>[0]),
  });
  for (const [name, args, effect = 'read'] of calls) recent.add({ tool: { name, effect }, args });
  const answer = { text: '', data: undefined, hint };
  return withFittingHint(answer, { isWanted: true, unlisted: [], recent }).hint !== undefined;
}

const HINT = 'find_references src/a.ts Client.stop shows the call sites';
const ASKED: Call = ['find_references', { file_path: 'src/a.ts', symbol: 'Client.stop' }];

describe('advice', () => {
  it('is not to ask what was just asked', () => {
    expect(shownAfter(HINT)).toBe(true);
    expect(shownAfter(HINT, ASKED)).toBe(false);
    expect(shownAfter(HINT, ASKED, ['blast_radius', { changed_files: ['src/a.ts'] }])).toBe(false);
    expect(shownAfter('run_tests', ['run_tests', {}, 'execute'])).toBe(false);
  });

  it('is to ask something else with the same tool, or the same again after a change', () => {
    expect(shownAfter(HINT, ['find_references', { file_path: 'src/a.ts', symbol: 'Client.start' }])).toBe(
      true,
    );
    expect(shownAfter(HINT, ASKED, ['apply_edit', { edit_id: 'e1' }, 'write'])).toBe(true);
    expect(
      shownAfter('apply_edit with undo e1 takes it back', ['apply_edit', { edit_id: 'e1' }, 'write']),
    ).toBe(true);
    expect(shownAfter('run_tests path:"src/a.test.ts" runs less', ['run_tests', {}, 'execute'])).toBe(true);
    expect(shownAfter('run_tests', ['run_tests', {}, 'execute'], ['run_build', {}, 'execute'])).toBe(true);
    expect(shownAfter('inspect_symbol a.ts:12:3', ['inspect_symbol', { file_path: 'a.ts', line: 1 }])).toBe(
      true,
    );
  });

  it('leaves behind what it alone tells, where none is wanted', () => {
    const answer = { text: '', data: undefined, hint: 'apply_edit with edit_id e1', hintTells: 'edit_id e1' };
    const recent = { answersTo: () => false };
    const off = { isWanted: false, unlisted: [], recent };
    expect(withFittingHint(answer, off)).toMatchObject({ hint: undefined, notes: ['edit_id e1'] });
  });
});
