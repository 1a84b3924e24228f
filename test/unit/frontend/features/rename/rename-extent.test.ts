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
  it.each<{ readonly text: string; readonly newText: string; readonly names?: readonly [string, string] }>([
    { text: 'client.|stop|();', newText: 'halt' },
    { text: 'all({ |stop| })', newText: 'stop: halt' },
    { text: 'all({ stop|| })', newText: ': halt' },
    { text: 'all({ ||stop })', newText: 'stop: ' },
    { text: 'export { |stop| };', newText: 'halt as stop' },
    { text: 'import { |stop as halt| } from', newText: 'halt' },
    { text: `client[|'stop'|]`, newText: `'halt'` },
    { text: 'client.|stop|', newText: '"ha-lt"', names: ['stop', 'ha-lt'] },
    { text: 'this.|#stop|', newText: '#halt', names: ['#stop', 'halt'] },
    { text: '|$stop| = 1', newText: '$halt', names: ['$stop', 'halt'] },
    { text: '<Button {|stop|} />', newText: 'stop={halt' },
    { text: 'call(|stop|=1)', newText: 'halt' },
    { text: 'import |"x/stop"|', newText: '"x/halt"' },
    { text: '// |stop ends it|', newText: 'halt ends it' },
    { text: 'say(|stop|)', newText: 'as', names: ['stop', 'as'] },
  ])('of $text to $newText is the name alone', ({ text, newText, names }) => {
    expect(reason(text, newText, names)).toBeUndefined();
  });

  it.each<{ readonly text: string; readonly newText: string }>([
    { text: '|client.stop();|', newText: 'client.halt(1);' },
    { text: '|function stop()|', newText: 'async function halt()' },
    { text: '|const a = stop;\nconst b = 1;|\n', newText: 'const a = halt;\nconst b = 1;' },
    { text: 'client.|stop|();', newText: 'halt\n' },
    { text: 'client.|stop|();', newText: '' },
    { text: 'client.|stop|();', newText: 'begin' },
    { text: 'x||y', newText: 'import z' },
  ])('of $text to $newText is more', ({ text, newText }) => {
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
