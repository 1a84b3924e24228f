/**
 * Checks trees that are not this one. Each line of standard input names a check and the root of a tree; the line that
 * answers it is the result as JSON. The tests of the checks plant a fault into many trees and ask here, in one process.
 */
import { createInterface } from 'node:readline';
import { checkArchitecture } from './check-architecture.ts';
import { checkDecisions } from './check-decisions.ts';
import { checkDocs } from './check-docs.ts';
import { checkExports } from './check-exports.ts';
import { checkFeatures } from './check-features.ts';
import { checkRegistry } from './check-registry.ts';
import { checkSkills } from './check-skills.ts';
import { type Check, timed } from './lib/report.ts';

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['architecture', checkArchitecture],
  ['decisions', checkDecisions],
  ['docs', checkDocs],
  ['exports', checkExports],
  ['features', checkFeatures],
  ['registry', checkRegistry],
  ['skills', checkSkills],
]);

for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', root = ''] = line.split('\t');
  const check = checks.get(name);
  if (check === undefined) throw new Error(`there is no check “${name}”`);
  process.stdout.write(`${JSON.stringify(await timed(name, check, root))}\n`);
}
