/** From an edit on disk to diagnostics that are known to be about it, against the time that the server itself needs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { until } from '../../test/support/events.ts';
import { median } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import type { Place } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** A line that is wrong, and what only the report on it has. */
export const MISTAKE = {
  typescript: { text: '\nexport const benchMistake: number = "a";\n', report: 'TS2322' },
  go: { text: '\nvar benchMistake int = "a"\n', report: 'IncompatibleAssign' },
  python: { text: '\nbench_mistake: int = "a"\n', report: 'reportAssignmentType' },
} as const;

/** An odd number: the first edit is a mistake, because a server may have nothing to say when all stays well. */
const WARM_UP = 5;

export async function editToDiagnostics(
  place: Place,
  workspace: BenchWorkspace,
  edits: number,
): Promise<Row> {
  const stateDir = place.stateDir();
  const mistake = MISTAKE[workspace.language];
  const { file } = workspace.target;
  const sound = readFileSync(file, 'utf8');
  const raw = await startRaw(workspace, await planOf(workspace, stateDir, 'types'));
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const [rawMs, ours]: [number[], number[]] = [[], []];
  try {
    await until(
      async () => !(await session.call('get_diagnostics', { file_path: file })).startsWith('TIMEOUT'),
      {
        what: 'the server to be warm',
        timeoutMs: 240_000,
      },
    );
    for (let edit = -WARM_UP; edit < edits; edit++) {
      if (edit === 0) rawMs.length = ours.length = 0;
      const isWrong = edit % 2 !== 0;
      // Never the same text twice, so that nothing can be remembered.
      const text = `${sound}${isWrong ? mistake.text : ''}${'\n'.repeat(edit + 8)}`;
      rawMs.push(await raw.edited(text));
      writeFileSync(file, text);
      const { ms, value } = await timed(() =>
        session.call('get_diagnostics', { file_path: file, severity: 'error' }),
      );
      ours.push(ms);
      if (value.includes(mistake.report) !== isWrong)
        throw new Error(`not the diagnostics of this edit: ${value}`);
    }
  } finally {
    writeFileSync(file, sound);
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
  return {
    what: 'edit on disk to fresh diagnostics, over the time of the server itself',
    workspace: workspace.name,
    parts: { 'raw ms': median(rawMs), 'ours ms': median(ours) },
    figure: median(ours.map((ms, edit) => ms - (rawMs[edit] ?? 0))),
    unit: 'ms more',
    bar: { kind: 'at most', value: 150 },
  };
}
