/**
 * `npm run soak:truth [-- --cycles 1000 --server pyright --seed 1]`: random edits, half of them behind the product's
 * back, each followed at once by get_diagnostics, and each answer checked against the compiler. Exit code 1 when any
 * answer that called itself fresh was not true.
 */
import { parseArgs } from 'node:util';
import { quantile } from '../test/support/quantile.ts';
import { DIALECTS } from '../test/support/truth/dialects.ts';
import { soak } from '../test/support/truth/soak.ts';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '1000' },
    server: { type: 'string', default: 'all' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const wanted = DIALECTS.filter(({ server }) => values.server === 'all' || values.server === server);
if (wanted.length === 0)
  throw new Error(`--server must be all or one of ${DIALECTS.map((each) => each.server).join(', ')}`);
const runnable = wanted.filter((dialect) => {
  const missing = dialect.missing();
  if (missing !== undefined) process.stdout.write(`${dialect.server}: left out, ${missing}\n`);
  return missing === undefined;
});

process.stdout.write(`seed ${seed}\n`);
let [judged, behind] = [0, 0];
for (const dialect of runnable) {
  const cycles = Math.ceil(Number(values.cycles) / runnable.length);
  const result = await soak(dialect, { cycles, seed });
  const stale = result.wrong.filter(({ kind }) => kind === 'stale').length;
  const ms = (q: number) => Math.round(quantile(result.callMs, q));
  process.stdout.write(
    `${result.server}: ${result.cycles} cycles; ${result.right} true, ${stale} stale, ${result.wrong.length - stale} falsely clean, ${result.admitted} said so themselves, ${result.undecided} not judged; ${result.withErrors} with errors; call p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms\n`,
  );
  for (const wrong of result.wrong.slice(0, 10)) process.stdout.write(`  ${JSON.stringify(wrong)}\n`);
  if (result.wrong.length > 0) process.exitCode = 1;
  judged += result.right + result.wrong.length;
  behind += result.behind;
}
process.stdout.write(`${judged} answers judged, ${behind} of them after edits behind the product's back\n`);
