/** The first complete answer of servers that were not running, with the product in front and without it. */
import { median } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import type { Place } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import { sessionToReferences, settledCount } from './sessions.ts';
import type { BenchWorkspace } from './workspaces.ts';

export async function coldReferences(place: Place, workspace: BenchWorkspace, rounds: number): Promise<Row> {
  const plan = await planOf(workspace, place.stateDir());
  const settled = await startRaw(workspace, plan);
  const expected = await settledCount(() => settled.references());
  await settled.stop();
  const rawOnce = async () => {
    const raw = await startRaw(workspace, plan);
    while (((await raw.references()) ?? []).length < expected);
    return raw;
  };
  const [rawMs, ours]: [number[], number[]] = [[], []];
  // No server is running, but the product has run before, as everything else on a machine has: the first start compiles.
  const stateDir = place.stateDir();
  const ourOnce = async () => {
    const ms = await sessionToReferences(place, workspace, stateDir, expected);
    await place.stopDaemons(stateDir);
    return ms;
  };
  const firstEver = await ourOnce();
  for (let round = 0; round < rounds; round++) {
    const { ms, value: raw } = await timed(rawOnce);
    await raw.stop();
    rawMs.push(ms);
    ours.push(await ourOnce());
  }
  return {
    what: `cold: spawn to complete find_references (${expected} hits), against a raw server from its spawn`,
    workspace: workspace.name,
    parts: { 'raw ms': median(rawMs), 'ours ms': median(ours), 'first start ever ms': firstEver },
    figure: median(ours) / median(rawMs),
    unit: 'x',
    bar: { kind: 'at most', value: 1.2 },
  };
}
