/**
 * `npm run soak:writers [-- --edits 1000 --seed 1]`: edits of three files while another program writes to the same ones, each
 * answer held against the bytes. Exit code 1 when an answer said something of the files that was not true, or when a line of
 * the other program is neither in its file nor in a kept file that an answer named.
 */
import { parseArgs } from 'node:util';
import { soakWriters } from '../test/support/writers/soak.ts';

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const result = await soakWriters({ edits: Number(values.edits), seed });
const { wrong, lost } = result;
process.stdout.write(
  [
    `${result.edits} edits in ${Math.round(result.ms / 1000)} s; seed ${seed}`,
    `${result.applied} applied, ${result.refused} refused before anything was written, ${result.collided} taken back`,
    `${result.theirLines} lines of the other program: ${lost.length} lost, ${result.onlyKept} only in one of ${result.keptFiles} kept files`,
    `${wrong.length} wrong sentences`,
    ...[...wrong.slice(0, 10), ...lost.slice(0, 10)].map((each) => `  ${each}`),
    '',
  ].join('\n'),
);
if (wrong.length + lost.length > 0) process.exitCode = 1;
