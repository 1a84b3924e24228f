/** Builds and tests as answers: the verdict first, then one line per failure, with a little detail for the first ones. */
import { assertNever } from '../../shared/base/brand.ts';
import type { PlacedFinding } from '../builds/place-findings.ts';
import type { TaskResult } from '../builds/run-task.ts';
import { isOutsideTests } from '../builds/runner.ts';
import type { Roots } from '../roots.ts';
import { oneLine } from './budget.ts';

/** Beyond these a model reads no further; the first errors usually cause the others. */
const SHOWN = 40;
const DETAILED = 10;
const DETAIL_LINES = 6;
const DATA_FINDINGS = 200;
const MESSAGE_CHARS = 2_000;

export function hasSucceeded({ task, end, reading }: TaskResult): boolean {
  if (end.kind !== 'exited' || end.code !== 0) return false;
  return task === 'build' || (reading.total !== 0 && failureCount(reading) === 0);
}

export function buildText(result: TaskResult, roots: Roots): string {
  return [verdict(result, roots), ...findingLines(result, roots), ...lastOutput(result)].join('\n');
}

/** Said before everything else: a run that was stopped has no verdict. */
export function unfinished({ end, seconds, task }: TaskResult): string | undefined {
  if (end.kind !== 'timeout') return undefined;
  const limit = shownSeconds(seconds);
  return task === 'build'
    ? `TIMEOUT: the build was stopped after ${limit}; whether it succeeds is not known`
    : `TIMEOUT: the tests were stopped after ${limit}; whether they pass is not known`;
}

/** What is said beside the verdict; lists that were cut say so for those who only look at the data. */
export function remarks({ notes, findings }: TaskResult): readonly string[] {
  if (findings.length <= DATA_FINDINGS) return notes;
  return [...notes, `the data has the first ${DATA_FINDINGS} of ${findings.length} findings`];
}

export function findingData(findings: readonly PlacedFinding[]) {
  return findings.slice(0, DATA_FINDINGS).map(({ file, line, column, message, severity }) => ({
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    message: message.slice(0, MESSAGE_CHARS),
    severity: severity ?? ('error' as const),
  }));
}

export function failureData(findings: readonly PlacedFinding[]) {
  return findings.slice(0, DATA_FINDINGS).map(({ file, line, column, test, message }) => ({
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    test_name: test ?? '',
    message: message.slice(0, MESSAGE_CHARS),
  }));
}

function verdict(result: TaskResult, roots: Roots): string {
  const { command, cwd, seconds } = result;
  const where = cwd === roots.primary ? '' : ` (in ${roots.display(cwd)})`;
  return `${summary(result)} in ${shownSeconds(seconds)}: ${command}${where}`;
}

function summary(result: TaskResult): string {
  const { task, end, reading, findings } = result;
  if (end.kind === 'timeout') return `${task === 'build' ? 'build' : 'tests'} stopped`;
  const ended = end.kind === 'killed' ? `killed by ${end.signal}` : `exit code ${end.code}`;
  switch (task) {
    case 'build': {
      const errors = findings.filter(({ severity }) => severity !== 'warning').length;
      const warnings = findings.length - errors;
      const also = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
      if (hasSucceeded(result)) return `build succeeded${also}`;
      return errors === 0
        ? `build failed (${ended})${also}`
        : `build failed: ${counted(errors, 'error')}${also}`;
    }
    case 'test': {
      const skipped = reading.skipped ? `, ${reading.skipped} skipped` : '';
      const failed = failureCount(reading);
      if (failed > 0) return `${testsFailed(failed, result)}${skipped}`;
      if (reading.total === 0)
        return `no tests ran${skipped}${end.kind === 'exited' && end.code === 0 ? '' : ` (${ended})`}`;
      if (!hasSucceeded(result)) return `tests failed (${ended})`;
      return reading.total === undefined
        ? 'tests succeeded (exit code 0; how many ran is not known)'
        : `${counted(reading.total, 'test')} passed${skipped}`;
    }
    default:
      return assertNever(task);
  }
}

/** Files that do not compile are failures, though no test of theirs was counted. */
function testsFailed(failed: number, { reading, findings }: TaskResult): string {
  const broken = findings.filter(isOutsideTests).length;
  const tests = Math.max(0, failed - broken);
  const parts = [
    ...(tests > 0 || broken === 0
      ? [`${tests}${reading.total ? ` of ${reading.total}` : ''} tests failed`]
      : []),
    ...(broken > 0 ? [`${counted(broken, 'error')} outside of tests`] : []),
  ];
  return parts.join(', ');
}

function failureCount({ findings, failed }: TaskResult['reading']): number {
  return Math.max(failed ?? 0, findings.length);
}

function findingLines({ findings, task }: TaskResult, roots: Roots): readonly string[] {
  const errorsFirst = findings.toSorted((a, b) => rank(a) - rank(b));
  const lines = errorsFirst.slice(0, SHOWN).flatMap((finding, index) => {
    const [first = '', ...more] = finding.message.trim().split('\n');
    const name = task === 'test' ? `${finding.test ?? ''}  ` : `${finding.severity ?? 'error'}: `;
    const line = `${placeOf(finding, roots)}${name}${oneLine(first, 200)}`;
    const kept = more.filter((each) => each.trim() !== '');
    const detail = index < DETAILED ? kept.slice(0, DETAIL_LINES).map((each) => `    ${cut(each)}`) : [];
    const hidden = kept.length - DETAIL_LINES;
    return [line, ...detail, ...(index < DETAILED && hidden > 0 ? [`    +${hidden} lines`] : [])];
  });
  const rest = findings.length - SHOWN;
  return rest > 0 ? [...lines, `${rest} more not shown; pass path to run less`] : lines;
}

function rank({ severity }: PlacedFinding): number {
  return severity === 'warning' ? 1 : 0;
}

function placeOf({ file, line, column }: PlacedFinding, roots: Roots): string {
  if (file === undefined) return '';
  const at = [roots.display(file), line, column].filter((part) => part !== undefined);
  return `${at.join(':')} `;
}

/** Where nothing could be read from the output, its end has to speak for itself. */
function lastOutput(result: TaskResult): readonly string[] {
  const { findings, lastLines } = result;
  const isClear = hasSucceeded(result) || (findings.length > 0 && result.end.kind !== 'timeout');
  if (isClear || lastLines.length === 0) return [];
  return ['last output:', ...lastLines.map((line) => `    ${cut(line)}`)];
}

function cut(line: string): string {
  return line.length <= 200 ? line.trimEnd() : `${line.slice(0, 199)}…`;
}

function shownSeconds(seconds: number): string {
  return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
