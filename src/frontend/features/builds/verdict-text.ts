/** What a build or a test run came to. "Succeeded" and "passed" are said only when everything was run and is known. */
import { assertNever } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import type { Task } from '../../../shared/languages/runner-rows.ts';
import { failureSentence } from '../../render/failure.ts';
import { everyIncomplete, type Incomplete } from '../../render/incomplete.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { SystemRun } from './run-system.ts';
import type { TaskResult } from './run-task.ts';
import { isOutsideTests, type OutputReading } from './runner.ts';
import { shownConfig, shownSeconds } from './words.ts';

type State =
  | 'succeeded'
  | 'failed'
  | 'stopped'
  /** There were no tests. */
  | 'nothing'
  /** Nothing failed, but not all of it is known. */
  | 'unknown';

/** The codes with which runners end that found no tests; pytest and unittest have one for that. */
const CODES_WITHOUT_TESTS: readonly number[] = [0, 1, 5];

function stateOf(task: Task, { end, reading }: SystemRun): State {
  if (end.kind === 'timeout') return 'stopped';
  const code = end.kind === 'exited' ? end.code : undefined;
  switch (task) {
    case 'build':
      if (code !== 0) return 'failed';
      return reading.projects?.unchecked.length ? 'unknown' : 'succeeded';
    case 'test': {
      if (failureCount(reading) > 0) return 'failed';
      if (reading.total === 0 && code !== undefined && CODES_WITHOUT_TESTS.includes(code)) return 'nothing';
      if (code !== 0) return 'failed';
      return reading.total === undefined ? 'unknown' : 'succeeded';
    }
    default:
      return assertNever(task);
  }
}

function overall({ task, runs, notRun }: TaskResult): State {
  const states = new Set(runs.map((run) => stateOf(task, run)));
  if (states.has('failed')) return 'failed';
  if (states.has('stopped')) return 'stopped';
  if (states.has('unknown') || notRun.length > 0) return 'unknown';
  return states.has('succeeded') ? 'succeeded' : 'nothing';
}

export function hasSucceeded(result: TaskResult): boolean {
  return overall(result) === 'succeeded';
}

/** One of several runs, for programs. */
/** No test, though nothing went wrong. */
export function ranNothing(result: TaskResult): boolean {
  return result.task === 'test' && overall(result) === 'nothing';
}

export function runSucceeded(task: Task, run: SystemRun): boolean {
  return stateOf(task, run) === 'succeeded';
}

/** Whether what was read of a run tells enough, or its output has to speak for itself. */
export function isClear({ task }: TaskResult, run: SystemRun): boolean {
  const state = stateOf(task, run);
  return state === 'succeeded' || (run.findings.length > 0 && state !== 'stopped');
}

export function verdict(result: TaskResult, roots: Roots): string {
  const { task, runs } = result;
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
  const commands = runs.map((run) => {
    const where = run.cwd === roots.primary ? '' : ` (in ${roots.display(run.cwd)})`;
    const outcome = runs.length === 1 ? '' : ` (${summary(task, stateOf(task, run), [run])})`;
    return `${run.command}${where}${outcome.replace('(build ', '(')}`;
  });
  return `${summary(task, overall(result), runs)} in ${shownSeconds(seconds)}: ${commands.join('; ')}`;
}

/** Said before everything else: what is not known, and so has no verdict. */
export function unfinished({ task, runs, notRun }: TaskResult, roots: Roots): Incomplete | undefined {
  return everyIncomplete([
    ...runs.flatMap((run) => unknownOf(task, run, roots)),
    ...notRun.map(({ name, failure }) => ({
      reason: `${name} was not run: ${failure ? failureSentence(failure) : 'no time was left'}`,
    })),
  ]);
}

function unknownOf(task: Task, run: SystemRun, roots: Roots): readonly Incomplete[] {
  const { end, seconds, reading } = run;
  if (end.kind === 'timeout') {
    const limit = shownSeconds(seconds);
    const reason =
      task === 'build'
        ? `the build was stopped after ${limit}; whether it succeeds is not known`
        : `the tests were stopped after ${limit}; whether they pass is not known`;
    return [{ reason, isTimeout: true }];
  }
  if (task === 'test')
    return stateOf(task, run) === 'unknown'
      ? [{ reason: `whether any tests ran cannot be told from the output of ${run.command}` }]
      : [];
  const { checked, unchecked } = reading.projects ?? { checked: 0, unchecked: [] };
  if (unchecked.length === 0) return [];
  const names = unchecked.map(({ config, why }) => `${shownConfig(config, roots)} (${why})`);
  return [
    {
      reason: `${unchecked.length} of ${checked + unchecked.length} projects were not checked: ${names.join(', ')}`,
    },
  ];
}

function summary(task: Task, state: State, runs: readonly SystemRun[]): string {
  switch (task) {
    case 'build':
      return buildSummary(state, runs);
    case 'test':
      return testSummary(state, runs);
    default:
      return assertNever(task);
  }
}

function buildSummary(state: State, runs: readonly SystemRun[]): string {
  const findings = runs.flatMap((run) => run.findings);
  const errors = findings.filter(({ severity }) => severity !== 'warning').length;
  const warnings = findings.length - errors;
  const projects = runs.reduce((sum, { reading }) => sum + (reading.projects?.checked ?? 0), 0);
  const also = [
    ...(warnings === 0 ? [] : [`, ${counted(warnings, 'warning')}`]),
    ...(projects === 0 ? [] : [`, ${counted(projects, 'project')} checked`]),
  ].join('');
  switch (state) {
    case 'failed':
      return errors === 0
        ? `build failed (${endings(runs)})${also}`
        : `build failed: ${counted(errors, 'error')}${also}`;
    case 'stopped':
      return 'build stopped';
    case 'unknown':
    case 'nothing':
      return `no errors found${also}`;
    case 'succeeded':
      return `build succeeded${also}`;
    default:
      return assertNever(state);
  }
}

function testSummary(state: State, runs: readonly SystemRun[]): string {
  const known = runs.flatMap(({ reading }) => reading.total ?? []);
  const total = known.reduce((sum, count) => sum + count, 0);
  const skips = runs.reduce((sum, { reading }) => sum + (reading.skipped ?? 0), 0);
  const skipped = skips === 0 ? '' : `, ${skips} skipped`;
  switch (state) {
    case 'failed': {
      const failed = runs.reduce((sum, { reading }) => sum + failureCount(reading), 0);
      return failed === 0
        ? `tests failed (${endings(runs)})`
        : `${testsFailed(failed, total, runs)}${skipped}`;
    }
    case 'stopped':
      return 'tests stopped';
    case 'nothing':
      return `no tests ran${skipped}${endings(runs) === '' ? '' : ` (${endings(runs)})`}`;
    case 'unknown':
      return total === 0
        ? 'no failure seen, exit code 0'
        : `${counted(total, 'test')} ran without a failure${skipped}`;
    case 'succeeded':
      return `${counted(total, 'test')} passed${skipped}`;
    default:
      return assertNever(state);
  }
}

/** Files that do not compile are failures, though no test of theirs was counted. */
function testsFailed(failed: number, total: number, runs: readonly SystemRun[]): string {
  const broken = runs.flatMap(({ findings }) => findings).filter(isOutsideTests).length;
  const tests = Math.max(0, failed - broken);
  const parts = [
    ...(tests > 0 || broken === 0 ? [`${tests}${total === 0 ? '' : ` of ${total}`} tests failed`] : []),
    ...(broken > 0 ? [`${counted(broken, 'error')} outside of tests`] : []),
  ];
  return parts.join(', ');
}

function failureCount({ findings, failed }: OutputReading): number {
  return Math.max(failed ?? 0, findings.length);
}

/** How those ended that did not end well. */
function endings(runs: readonly SystemRun[]): string {
  return runs
    .flatMap(({ end }) => {
      if (end.kind === 'killed') return [`killed by ${end.signal}`];
      return end.kind === 'exited' && end.code !== 0 ? [`exit code ${end.code}`] : [];
    })
    .join(', ');
}
