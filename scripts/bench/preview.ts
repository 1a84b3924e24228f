/** Trying an edit out, against the time that the server itself needs from a changed text to its diagnostics. */
import { readFileSync } from 'node:fs';
import { median } from '../../test/support/quantile.ts';
import { MISTAKE } from './edits.ts';
import { type Row, timed } from './figures.ts';
import type { Place } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** What trying out may take is so many times the raw time, and so many milliseconds more. */
const TIMES = 1.5;
const MORE_MS = 50;

export async function previewEdits(place: Place, workspace: BenchWorkspace, edits: number): Promise<Row> {
  const stateDir = place.stateDir();
  const mistake = MISTAKE[workspace.language];
  const { file } = workspace.target;
  const sound = readFileSync(file, 'utf8');
  const last = sound.split('\n').length;
  const raw = await startRaw(workspace, await planOf(workspace, stateDir, 'types'));
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const [rawMs, ours]: [number[], number[]] = [[], []];
  try {
    for (let edit = -4; edit < edits; edit++) {
      if (edit === 0) rawMs.length = ours.length = 0;
      const isWrong = edit % 2 !== 0;
      // Never the same text twice, so that nothing can be remembered.
      const more = `${isWrong ? mistake.text : ''}${'\n'.repeat(edit + 8)}`;
      rawMs.push(await raw.edited(`${sound}${more}`));
      const { ms, value } = await timed(() =>
        session.call('preview_edit', { file_path: file, start_line: last, new_text: more }),
      );
      ours.push(ms);
      if (value.includes(mistake.report) !== isWrong || /TIMEOUT|UNKNOWN/.test(value))
        throw new Error(`not the diagnostics of this edit: ${value}`);
    }
  } finally {
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
  const parts = { 'raw ms': median(rawMs), 'ours ms': median(ours) };
  return {
    what: `preview_edit over ${TIMES} times the raw time from didChange to diagnostics`,
    workspace: workspace.name,
    parts,
    figure: parts['ours ms'] - TIMES * parts['raw ms'],
    unit: 'ms more',
    bar: { kind: 'at most', value: MORE_MS },
  };
}
