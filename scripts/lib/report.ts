/**
 * What every check hands back, and how it is printed, so that a check can run alone, inside `check.ts`,
 * or inside a test on a planted tree.
 */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Problem {
  /** Relative to the root of the tree, with forward slashes. */
  readonly file: string;
  readonly line?: number | undefined;
  readonly message: string;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  /** Worth a look, but no reason to fail. */
  readonly warnings?: readonly Problem[];
  /** Figures for the reader, such as a token count. */
  readonly notes?: readonly string[];
}

export type Check = (root: string) => CheckResult | Promise<CheckResult>;

export interface TimedResult extends CheckResult {
  readonly name: string;
  readonly ms: number;
}

/** The tree these scripts belong to. */
export const projectRoot: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Runs a check; one that throws is a failed check with the error as its problem, not the end of the others. */
export async function timed(name: string, check: Check, root: string): Promise<TimedResult> {
  const start = performance.now();
  const result = await outcomeOf(name, check, root);
  return { ...result, name, ms: performance.now() - start };
}

/** One line for the check, then one line per problem, warning and note. */
export function formatResult(result: TimedResult): string {
  const verdict = result.problems.length === 0 ? 'ok  ' : 'FAIL';
  const count = result.problems.length === 0 ? '' : `  ${plural(result.problems.length, 'problem')}`;
  const lines = [
    `${verdict} ${result.name.padEnd(14)}${String(Math.round(result.ms)).padStart(6)} ms${count}`,
  ];
  for (const problem of result.problems) lines.push(`     ${formatProblem(problem)}`);
  for (const warning of result.warnings ?? []) lines.push(`     warning: ${formatProblem(warning)}`);
  for (const note of result.notes ?? []) lines.push(`     ${note}`);
  return `${lines.join('\n')}\n`;
}

function formatProblem(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}`;
  return `${place}  ${problem.message}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Runs the check on its own when its file is what Node was started with. */
export async function runWhenMain(moduleUrl: string, name: string, check: Check): Promise<void> {
  if (!isMain(moduleUrl)) return;
  const result = await timed(name, check, projectRoot);
  process.stdout.write(formatResult(result));
  process.exitCode = result.problems.length === 0 ? 0 : 1;
}

export function isMain(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(moduleUrl));
}

async function outcomeOf(name: string, check: Check, root: string): Promise<CheckResult> {
  try {
    return await check(root);
  } catch (error) {
    const [first, second = ''] = (
      error instanceof Error ? (error.stack ?? error.message) : String(error)
    ).split('\n');
    return { problems: [{ file: name, message: `could not run: ${first} ${second.trim()}` }] };
  }
}
