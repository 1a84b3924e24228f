/**
 * A new baseline as an answer: its id, the numbers of errors and warnings, and the files that are not in it. It lists
 * no findings; an agent that wants them asks for diagnostics.
 */
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import type { Answer } from '../../render/answer.ts';
import type { Baseline } from './baselines.ts';
import type { FileCheck } from './check-files.ts';
import { countsOf } from './diagnostics.ts';
import { type CheckData, checkData, checkLines, checkStates } from './file-checks.ts';
import { statusOf } from './file-status.ts';

/** `baseline b1: 836 errors, 3 warnings, in 12 files`. */
export function baselineLine({ id, files }: Baseline): string {
  const where = counted(files.size, 'file');
  const counts = files.size === 0 ? 'nothing is known' : countsOf([...files.values()].flat());
  return `baseline ${id}: ${counts}, in ${where}`;
}

export function baselineData({ id, files }: Baseline): Record<string, unknown> {
  const findings = [...files.values()].flat();
  const count = (wanted: DiagnosticSeverity) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    baseline: id,
    baseline_counts: {
      errors: count(DiagnosticSeverity.Error),
      warnings: count(DiagnosticSeverity.Warning),
      files: files.size,
    },
  };
}

/** For a call that asks for nothing else. */
export function baselineAnswer(baseline: Baseline, checks: readonly FileCheck[]): Answer<CheckData> {
  const missing = checks.filter((check) => statusOf(check) !== 'fresh');
  const lines = missing.flatMap((check) =>
    checkLines([check], { below: () => [], folderOf: (file) => file }),
  );
  return {
    text: [...lines, ...missingLine(missing.length), baselineLine(baseline)].join('\n'),
    data: checkData(missing, [], () => false),
    fresh: missing.length === 0,
    details: {
      ...(missing.length > 0 ? { reason: lines[0] } : {}),
      files: checkStates(missing),
      ...baselineData(baseline),
    },
    hint: `after the change, get_diagnostics since:"${baseline.id}" lists what is new`,
  };
}

function missingLine(count: number): readonly string[] {
  if (count === 0) return [];
  return [`not in the baseline: ${count === 1 ? 'this file' : `these ${count} files`}`];
}
