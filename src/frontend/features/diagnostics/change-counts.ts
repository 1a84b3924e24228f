/**
 * The one wording for what a change does to diagnostics: `2 new errors, 1 gone, 836 before; 1 new warning`. A total
 * alone would not tell an agent which errors its change has caused.
 */
import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import type { ComparedFindings, Comparison } from './baselines.ts';

const NAMES = [
  [DiagnosticSeverity.Error, 'error'],
  [DiagnosticSeverity.Warning, 'warning'],
  [DiagnosticSeverity.Information, 'info'],
  [DiagnosticSeverity.Hint, 'hint'],
] as const;

/** The same of findings that are at hand. */
export function comparedCounts(compared: ComparedFindings): string {
  return changeCounts(
    compared,
    (severity) => compared.before.filter((finding) => finding.severity === severity).length,
  );
}

/** Errors are always counted, the rest where it changed; nothing gone and nothing before is not worth a word. */
export function changeCounts(
  { added, gone }: Comparison,
  before: (severity: DiagnosticSeverity) => number,
): string {
  return NAMES.flatMap(([severity, name]) => {
    const among = (findings: Comparison['added']) =>
      findings.filter((finding) => finding.severity === severity).length;
    const [fresh, lost] = [among(added), among(gone)];
    if (severity !== DiagnosticSeverity.Error && !fresh && !lost) return [];
    const countBefore = before(severity);
    return [
      [
        counted(fresh, `new ${name}`),
        ...(lost ? [`${lost} gone`] : []),
        ...(countBefore > 0 ? [`${countBefore} before`] : []),
      ].join(', '),
    ];
  }).join('; ');
}
