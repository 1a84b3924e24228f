/** What pyright prints with `--outputjson`, read without trusting its shape. */
import { fieldOf, isObject } from '../../../shared/base/unknown-value.ts';
import type { Severity, TypeFinding } from './checker.ts';

export interface PyrightReport {
  readonly version: string;
  readonly findings: readonly TypeFinding[];
  readonly filesAnalyzed: number;
  readonly seconds: number;
}

/** Undefined when it is no report of pyright. */
export function pyrightReport(text: string): PyrightReport | undefined {
  const report = parsed(text);
  const summary = fieldOf(report, 'summary');
  const diagnostics = fieldOf(report, 'generalDiagnostics');
  const filesAnalyzed = fieldOf(summary, 'filesAnalyzed');
  if (!Array.isArray(diagnostics) || typeof filesAnalyzed !== 'number') return undefined;
  return {
    version: String(fieldOf(report, 'version') ?? 'of unknown version'),
    findings: diagnostics.flatMap(findingOf),
    filesAnalyzed,
    seconds: numberOf(fieldOf(summary, 'timeInSec')),
  };
}

function parsed(text: string): unknown {
  const begin = text.indexOf('{');
  try {
    return begin === -1 ? undefined : JSON.parse(text.slice(begin));
  } catch {
    return undefined;
  }
}

/** Words today; older versions wrote the numbers of the protocol. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: 'error',
  warning: 'warning',
  information: 'information',
  1: 'error',
  2: 'warning',
  3: 'information',
};

/** Hints of editors, such as code that is never reached, are no problems. */
function findingOf(diagnostic: unknown): readonly TypeFinding[] {
  if (!isObject(diagnostic)) return [];
  const { file, message, rule, range } = diagnostic;
  const severity = SEVERITIES[String(diagnostic.severity)];
  if (severity === undefined) return [];
  const start = fieldOf(range, 'start');
  const end = fieldOf(range, 'end');
  return [
    {
      file: typeof file === 'string' ? file : '',
      line: numberOf(fieldOf(start, 'line')) + 1,
      column: numberOf(fieldOf(start, 'character')) + 1,
      endLine: numberOf(fieldOf(end, 'line')) + 1,
      endColumn: numberOf(fieldOf(end, 'character')) + 1,
      severity,
      message: typeof message === 'string' ? message : '',
      rule: typeof rule === 'string' ? rule : undefined,
    },
  ];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
