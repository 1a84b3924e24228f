/** Which edits of a rename change the name and nothing else. */
import { describe, expect, it } from 'vitest';
import { baseText, planOf } from '../../../../../src/frontend/features/edits/plan/edit-plan.ts';
import { moreThanName } from '../../../../../src/frontend/features/rename/rename-extent.ts';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';

const FILE = absolutePath('/w/a.ts');

/** One edit of a text, from and to a marker. */
function reason(text: string, newText: string, names: readonly [string, string] = ['stop', 'halt']) {
  const [ahead = '', old = '', behind = ''] = text.split('|');
  const base = ahead + old + behind;
  const at = (offset: number) => {
    const lines = base.slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  };
  const range = { start: at(ahead.length), end: at(ahead.length + old.length) };
  const before = baseText(base, { bom: false, mode: 0o644 });
  const after = ahead + newText + behind;
  const plan = planOf([{ kind: 'change', path: FILE, before, after, places: 1 }]);
  const [name, newName] = names;
  const edit = { changes: { [pathToUri(FILE)]: [{ range, newText }] } };
  return moreThanName({ edit, plan, name, newName }, { encoding: 'utf-16', display: () => 'a.ts' });
}

describe('a rename', () => {
  it.each<[string, string, (readonly [string, string])?]>([
    ['client.|stop|();', 'halt'],
    ['all({ |stop| })', 'stop: halt'],
    ['all({ stop|| })', ': halt'],
    ['all({ ||stop })', 'stop: '],
    ['export { |stop| };', 'halt as stop'],
    ['import { |stop as halt| } from', 'halt'],
    [`client[|'stop'|]`, `'halt'`],
    ['client.|stop|', '"ha-lt"', ['stop', 'ha-lt']],
    ['this.|#stop|', '#halt', ['#stop', 'halt']],
    ['|$stop| = 1', '$halt', ['$stop', 'halt']],
    ['<Button {|stop|} />', 'stop={halt'],
    ['call(|stop|=1)', 'halt'],
    ['import |"x/stop"|', '"x/halt"'],
    ['// |stop ends it|', 'halt ends it'],
    ['say(|stop|)', 'as', ['stop', 'as']],
  ])('of %j to %j is the name alone', (text, newText, names) => {
    expect(reason(text, newText, names)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['|client.stop();|', 'client.halt(1);'],
    ['|function stop()|', 'async function halt()'],
    ['|const a = stop;\nconst b = 1;|\n', 'const a = halt;\nconst b = 1;'],
    ['client.|stop|();', 'halt\n'],
    ['client.|stop|();', ''],
    ['client.|stop|();', 'begin'],
    ['x||y', 'import z'],
  ])('of %j to %j is more', (text, newText) => {
    expect(reason(text, newText)).toMatch(/^1 of 1 place changes more than the name: a\.ts:1:\d+$/);
  });

  it('that creates or deletes files is more', () => {
    const plan = planOf([{ kind: 'create', path: FILE, after: '', places: 0 }]);
    const options = { encoding: 'utf-16', display: () => 'a.ts' } as const;
    expect(moreThanName({ edit: {}, plan, name: 'stop', newName: 'halt' }, options)).toBe(
      'it changes more than the name: 1 file is created or deleted',
    );
  });
});
