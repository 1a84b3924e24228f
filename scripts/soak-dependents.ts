/**
 * `npm run soak:dependents [-- --cycles 200 --seed 1 --typescript auto --root-of workspace --installed <directory>]`:
 * changes a package of a monorepo by rename_symbol, by apply_edit and behind the product's back, and asks at once about
 * files of packages that depend on it. `--root-of package` asks in a session whose root is one of those, so that all that
 * changes lies outside. `--installed` names the directory of another TypeScript for the workspace, such as a version 4.
 * Exit code 1 when the compiler contradicts an answer that called itself fresh, or a rename that was applied left
 * out a dependent.
 */
import { parseArgs } from 'node:util';
import { soakDependents } from '../test/support/dependents/soak.ts';
import { quantile } from '../test/support/quantile.ts';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    typescript: { type: 'string', default: 'auto' },
    /** `package` is p2, which depends on the core; p4 and p5 depend on a package that does, too. */
    'root-of': { type: 'string', default: 'workspace' },
    installed: { type: 'string' },
  },
});
const typescript = (['auto', 'own', '7'] as const).find((each) => each === values.typescript);
if (!typescript) throw new Error('--typescript must be auto, own or 7');
const rootOf = { workspace: '', package: 'p2', p4: 'p4', p5: 'p5' }[values['root-of']];
if (rootOf === undefined) throw new Error('--root-of must be workspace, package, p4 or p5');
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`seed ${values.seed}, typescript ${typescript}, root of the ${values['root-of']}`);
const result = await soakDependents({
  cycles: Number(values.cycles),
  seed: Number(values.seed),
  typescript,
  rootOf: rootOf === '' ? undefined : rootOf,
  installed: values.installed,
});
const { wrong, unknown, leftOut, shownFirst } = result;
const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
const clean = wrong.filter(({ kind }) => kind === 'falsely clean').length;
const ms = (q: number) => Math.round(quantile(result.callMs, q));
say(`${result.cycles} cycles (${listed(result.ways)}); answered by ${listed(result.servers)}`);
say(
  `${result.judged} judged: ${result.right} true, ${wrong.length - clean} stale, ${clean} falsely clean; ${result.withErrors} with errors, ${result.changed} other than before; ${result.inferred} inferred; ${unknown.length} unknown; ${leftOut.length} renames left files out, ${shownFirst.length} were shown first; questions of a cycle p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms`,
);
for (const each of wrong.slice(0, 10)) say(`  ${JSON.stringify(each)}`);
for (const [kind, each] of Object.entries({ unknown, leftOut, shownFirst }))
  for (const line of each.slice(0, 10)) say(`  ${kind}: ${line}`);
if (wrong.length + leftOut.length > 0) process.exitCode = 1;
