/** A type check as text: the verdict and what it was made with, then a line for each finding. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { leftOut, oneLine, type Page } from '../../render/budget.ts';
import type { Roots } from '../../workspace/roots.ts';
import { countOf, type Severity, type TypeCheck, type TypeFinding } from './checker.ts';

export function checkText(check: TypeCheck, page: Page<TypeFinding>, roots: Roots): string {
  return [
    `${verdict(check)}; ${basis(check, roots)}; root ${roots.primary}`,
    ...page.items.map((finding) => typeFindingLine(finding, roots)),
    ...leftOut(page, 'findings'),
  ].join('\n');
}

/** Errors come first, then the rest in the order of files. */
export function bySeverity(findings: readonly TypeFinding[]): readonly TypeFinding[] {
  return findings.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}

export function typeFindingLine(finding: TypeFinding, roots: Roots): string {
  const { file, line, column, severity, message, rule } = finding;
  const code = rule === undefined ? '' : ` (${rule})`;
  return `${shownFile(file, roots)}:${line}:${column} ${severity}: ${oneLine(message, 400)}${code}`;
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2 };

function verdict(check: TypeCheck): string {
  const { findings, filesAnalyzed, seconds } = check;
  const informations = countOf(findings, 'information');
  const counts = [
    counted(countOf(findings, 'error'), 'error', { none: 'no' }),
    counted(countOf(findings, 'warning'), 'warning', { none: 'no' }),
    ...(informations === 0 ? [] : [`${informations} information`]),
  ];
  const time = `${Math.round(seconds * 10) / 10} s`;
  if (filesAnalyzed === 0) return `Nothing was checked (0 files, ${time})`;
  return `${counts.join(', ')} in ${counted(filesAnalyzed, 'file', { none: 'no' })} (${time})`;
}

/** `pyright 1.1.414, Python 3.11 (pyproject.toml), environment .venv`. */
function basis({ checker, version, settings }: TypeCheck, roots: Roots): string {
  const said = settings.map(({ name, value, from }) => {
    if (name === 'python_version') return `Python ${value} (${from})`;
    if (name === 'project') return `configured by ${shownFile(value, roots)}`;
    return `environment ${from}`;
  });
  return [`${checker} ${version}`, ...said].join(', ');
}

function shownFile(file: string, roots: Roots): string {
  const path: AbsPath = absolutePath(file);
  return roots.display(path);
}
