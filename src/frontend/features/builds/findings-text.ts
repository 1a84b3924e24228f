/** What a build or a test run found, as lines and as data; what is said of many places is said once. */

import type { Task } from '../../../shared/languages/runner-rows.ts';
import { oneLine } from '../../render/budget.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { PlacedFinding } from './place-findings.ts';
import { isOutsideTests } from './runner.ts';

/** Beyond these a model reads no further; the first errors usually cause the others. */
const SHOWN = 40;
const DETAILED = 10;
const DETAIL_LINES = 6;
const SHOWN_OTHERS = 5;
const DATA_FINDINGS = 200;
const DATA_OTHERS = 50;
const MESSAGE_CHARS = 2_000;

/** One message and where it was said; never empty. */
type Folded = readonly [PlacedFinding, ...PlacedFinding[]];

function folded(findings: readonly PlacedFinding[]): readonly Folded[] {
  const groups = new Map<string, [PlacedFinding, ...PlacedFinding[]]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

/** Errors that come from the same cause often name the file in which they were met, and nothing else differs. */
function keyOf({ file, test, severity, message }: PlacedFinding): string {
  const said = file === undefined ? message : message.replaceAll(file, '');
  return JSON.stringify([severity, isOutsideTests({ test, message }) ? test : '', said]);
}

export function findingLines(
  findings: readonly PlacedFinding[],
  task: Task,
  { roots, canRunLess }: { readonly roots: Roots; readonly canRunLess: boolean },
): readonly string[] {
  const errorsFirst = folded(findings).toSorted(([a], [b]) => rank(a) - rank(b));
  const lines = errorsFirst.slice(0, SHOWN).flatMap(([finding, ...others], index) => {
    const [first = '', ...more] = finding.message.trim().split('\n');
    const name = task === 'test' ? `${finding.test ?? ''}  ` : `${finding.severity ?? 'error'}: `;
    const times = others.length === 0 ? '' : `${others.length + 1} x: `;
    const line = `${times}${placeOf(finding, roots)}${name}${oneLine(first, 200)}`;
    const kept = more.filter((each) => each.trim() !== '');
    const detail =
      index < DETAILED ? kept.slice(0, DETAIL_LINES).map((each) => `    ${shortLine(each)}`) : [];
    const hidden = kept.length - DETAIL_LINES;
    return [
      line,
      ...detail,
      ...(index < DETAILED && hidden > 0 ? [`    +${hidden} lines`] : []),
      ...otherPlaces(others, task, roots),
    ];
  });
  const rest = errorsFirst.length - SHOWN;
  if (rest <= 0) return lines;
  return [...lines, `${rest} more not shown${canRunLess ? '; pass path to run less' : ''}`];
}

function otherPlaces(others: readonly PlacedFinding[], task: Task, roots: Roots): readonly string[] {
  if (others.length === 0) return [];
  const places = others.map((other) => {
    const name = task === 'test' && !isOutsideTests(other) ? (other.test ?? '') : '';
    return `${placeOf(other, roots)}${name}`.trim();
  });
  const shown = [...new Set(places)].filter((place) => place !== '').slice(0, SHOWN_OTHERS);
  if (shown.length === 0) return [];
  const rest = others.length - shown.length;
  return [`    also ${shown.join(', ')}${rest > 0 ? `, +${rest}` : ''}`];
}

/** Lists that were cut say so for those who only look at the data. */
export function cutNote(findings: readonly PlacedFinding[]): readonly string[] {
  const count = folded(findings).length;
  return count <= DATA_FINDINGS
    ? []
    : [`the data has the first ${DATA_FINDINGS} of ${count} different findings`];
}

export function buildFindingData(findings: readonly PlacedFinding[]) {
  return foldedData(findings, (finding) => ({ severity: finding.severity ?? ('error' as const) }));
}

export function failureData(findings: readonly PlacedFinding[]) {
  return foldedData(findings, (finding) => ({ test_name: finding.test ?? '' }));
}

function foldedData<Own extends object>(
  findings: readonly PlacedFinding[],
  own: (finding: PlacedFinding) => Own,
) {
  return folded(findings)
    .slice(0, DATA_FINDINGS)
    .map(([first, ...others]) => ({
      ...placeData(first),
      ...own(first),
      message: first.message.slice(0, MESSAGE_CHARS),
      ...(others.length === 0
        ? {}
        : {
            count: others.length + 1,
            also: others.slice(0, DATA_OTHERS).map((other) => ({ ...placeData(other), ...own(other) })),
          }),
    }));
}

function placeData({ file, line, column }: PlacedFinding) {
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

function rank({ severity }: PlacedFinding): number {
  return severity === 'warning' ? 1 : 0;
}

function placeOf({ file, line, column }: PlacedFinding, roots: Roots): string {
  if (file === undefined) return '';
  const at = [roots.display(file), line, column].filter((part) => part !== undefined);
  return `${at.join(':')} `;
}

export function shortLine(line: string): string {
  return line.length <= 200 ? line.trimEnd() : `${line.slice(0, 199)}…`;
}
