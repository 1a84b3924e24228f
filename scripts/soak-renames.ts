/**
 * `npm run soak:renames [-- --count 50 --language typescript --seed 1]`: renames random names in real sources and back
 * again, until so many different ones were applied. Exit code 1 when the compiler found more errors after one of them, or
 * when the way back did not lead to the same bytes.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../test/support/quantile.ts';
import { seeded } from '../test/support/truth/model.ts';
import { Place } from './bench/place.ts';
import { soakRenames } from './renames/soak.ts';
import { pythonSources, typescriptSources } from './renames/workspaces.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    /** `typescript` or `python`; both if not given. */
    language: { type: 'string' },
    /** Renamed together between two runs of the compiler. */
    batch: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`seed ${values.seed}`);
const place = new Place();
try {
  for (const make of [typescriptSources, pythonSources]) {
    const name = make === typescriptSources ? 'typescript' : 'python';
    if ((values.language ?? name) !== name) continue;
    const root = path.join(place.directory, name);
    mkdirSync(root);
    const workspace = make(root);
    if (!workspace) {
      say(`${name}: left out, there are no sources for it on this machine`);
      continue;
    }
    const session = await place.session(root, place.stateDir(), '--output', 'json', '--daemon', 'never');
    const random = seeded(Number(values.seed));
    const tally = await soakRenames(workspace, session, {
      count: Number(values.count),
      batch: Number(values.batch),
      random,
      say,
    });
    await session.close();
    const { shownFirst, refused, rises, backShown, notRestored } = tally;
    say(
      `${name}: ${tally.applied} different symbols renamed and back (${tally.places} places in ${tally.files} files), errors rose ${rises.length} times, other bytes ${notRestored.length} times; ${shownFirst.length} more shown first and not applied, ${refused.length} refused, ${tally.passedOver} passed over; the way back was shown first ${backShown.length} times; ${Math.round(median(tally.ms))} ms each, at most ${Math.max(...tally.ms)}`,
    );
    for (const [what, lines] of Object.entries({ rises, notRestored, backShown, shownFirst }))
      for (const line of lines) say(`  ${what}: ${line}`);
    if (rises.length + notRestored.length > 0) process.exitCode = 1;
  }
} finally {
  await place.remove();
}
