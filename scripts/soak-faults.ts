/**
 * `npm run soak:faults [-- --rounds 20]`: the fault tests again and again, each round in processes of its own. The first
 * round that fails ends it with exit code 1 and shows what failed.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const root = path.resolve(import.meta.dirname, '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
/** Ownership is decided under faults, too. */
const FILES = ['test/process/faults-', 'test/process/ownership'];

for (let round = 1; round <= rounds; round++) {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--no-color', ...FILES], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  const tests = /^\s*Tests\s+(.+)$/m.exec(stdout)?.[1] ?? 'no tests';
  process.stdout.write(`round ${round} of ${rounds}: ${tests}, ${seconds} s\n`);
  if (status === 0) continue;
  process.stdout.write(`${stdout}\n${stderr}\n`);
  process.exitCode = 1;
  break;
}
