/** The reach of symbols as lines sorted by risk, and as data. */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Caller } from '../impact/callers.ts';
import type { Impact, Reached, Subject } from '../impact/impact.ts';
import type { Roots } from '../roots.ts';
import { kindName } from '../symbol-lookup.ts';
import { oneLine } from './budget.ts';

const MOST_NAMES = 3;
const MOST_LISTED = 12;
/** Of a symbol that is used everywhere not every user is written down; the counts are of all. */
const MOST_CALLERS = 50;
/** All lists of an answer together have to stay below the limit of one. */
const MOST_TOGETHER = 50;
const MOST_CHANGED = 100;

/** `stop method 2:3: 7 callers in 3 dirs (stopAll, evict, +5), tests 4`. What nobody uses is one line together. */
export function reachLines(reached: readonly Reached[], roots: Roots): string[] {
  const files = new Set(reached.map(({ subject }) => subject.source.path));
  const used = reached.filter(({ callers, tests }) => callers.length + tests.length > 0);
  const unused = reached.filter((each) => !used.includes(each));
  const lines = used.map((each) => {
    const { subject, callers, tests, isIndirect } = each;
    const { node, source } = subject;
    const at = `${files.size > 1 || isIndirect ? `${roots.display(source.path)}:` : ''}${node.at.line}:${node.at.column}`;
    const guarded = subject.isGuarded ? ', sync-guarded' : '';
    return `  ${isIndirect ? 'via ' : ''}${subjectName(subject)} ${kindName(node.kind)} ${at}: ${callersText(callers)}, tests ${tests.length}${guarded}`;
  });
  if (unused.length > 0)
    lines.push(`  no callers, no tests: ${nameList(unused.map(({ subject }) => subject))}`);
  return lines;
}

export function untestedLine(untested: readonly Reached[], all: number): string[] {
  if (untested.length === 0 || all === 0) return [];
  return [
    untested.length === all && all > 1
      ? `untested: all ${all}`
      : `untested: ${nameList(untested.map(({ subject }) => subject))}`,
  ];
}

export function nameList(subjects: readonly Subject[], most = MOST_LISTED): string {
  const names = subjects.slice(0, most).map(subjectName);
  return `${names.join(', ')}${subjects.length > most ? `, +${subjects.length - most} more` : ''}`;
}

export function subjectName({ node }: Subject): string {
  return oneLine(node.path.join('.'), 60);
}

/** `23 callers in 9 files, 5 tests in 2 files`, each counted once. */
export function reachSummary(reached: readonly Reached[]): string {
  const callers = distinct(reached.flatMap((each) => each.callers));
  const tests = distinct(reached.flatMap((each) => each.tests));
  return [counted(callers, 'caller'), counted(tests, 'test')].join(', ');
}

function counted(callers: readonly Caller[], what: string): string {
  if (callers.length === 0) return `no ${what}s`;
  const files = new Set(callers.map(({ file }) => file)).size;
  return `${callers.length} ${what}${callers.length === 1 ? '' : 's'} in ${files} file${files === 1 ? '' : 's'}`;
}

function callersText(callers: readonly Caller[]): string {
  if (callers.length === 0) return 'no callers';
  const dirs = new Set(callers.map(({ file }) => path.dirname(file))).size;
  const names = [...new Set(callers.map(({ name }) => oneLine(name, 40)))];
  const more = names.length > MOST_NAMES ? `, +${names.length - MOST_NAMES}` : '';
  return `${callers.length} caller${callers.length === 1 ? '' : 's'} in ${dirs} dir${dirs === 1 ? '' : 's'} (${names.slice(0, MOST_NAMES).join(', ')}${more})`;
}

export interface CallerData {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ReachedData {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly test_callers: CallerData[];
  readonly non_test_callers: CallerData[];
  readonly test_count: number;
  readonly non_test_count: number;
  readonly sync_guarded?: boolean;
  readonly transitive?: boolean;
}

export function reachedData({ subject, callers, tests, isIndirect }: Reached): ReachedData {
  return {
    ...subjectPlace(subject),
    test_callers: tests.slice(0, MOST_CALLERS).map(callerData),
    non_test_callers: callers.slice(0, MOST_CALLERS).map(callerData),
    test_count: tests.length,
    non_test_count: callers.length,
    ...(subject.isGuarded ? { sync_guarded: true } : {}),
    ...(isIndirect ? { transitive: true } : {}),
  };
}

/** The first so many; `cutWarnings` says that there are more. */
export function changedData(subjects: readonly Subject[]): (CallerData & { kind: string })[] {
  return subjects.slice(0, MOST_CHANGED).map(subjectData);
}

export function cutWarnings(subjects: readonly Subject[]): string[] {
  if (subjects.length <= MOST_CHANGED) return [];
  return [`changed_symbols lists ${MOST_CHANGED} of ${subjects.length}; affected_symbols has a cursor`];
}

function subjectData(subject: Subject): CallerData & { kind: string } {
  return { ...subjectPlace(subject), kind: kindName(subject.node.kind) };
}

/** What belongs to all symbols together. */
export function togetherData(reached: readonly Reached[]): {
  test_files: AbsPath[];
  test_functions: CallerData[];
  non_test_callers: CallerData[];
} {
  const tests = distinct(reached.flatMap((each) => each.tests));
  const callers = distinct(reached.flatMap((each) => each.callers));
  return {
    test_files: [...new Set(tests.map(({ file }) => file))].sort().slice(0, MOST_TOGETHER),
    test_functions: tests
      .filter(({ node }) => node !== undefined)
      .slice(0, MOST_TOGETHER)
      .map(callerData),
    non_test_callers: callers.slice(0, MOST_TOGETHER).map(callerData),
  };
}

/** How long a symbol gets as data, and as much again for what belongs to all symbols together. */
export function reachedSize({ callers, tests }: Reached): number {
  const listed = Math.min(callers.length, MOST_CALLERS) + Math.min(tests.length, MOST_CALLERS);
  return 2 * (300 + listed * 140);
}

export function warningsOf({ notLookedAt }: Impact): string[] {
  return notLookedAt.map(({ subject, why }) => `${subjectName(subject)} was not looked at: ${why}`);
}

function distinct(callers: readonly Caller[]): readonly Caller[] {
  return [...new Map(callers.map((caller) => [`${caller.file}\0${caller.name}`, caller])).values()];
}

function subjectPlace({ source, node }: Subject): CallerData {
  return { name: node.path.join('.'), file: source.path, line: node.at.line, column: node.at.column };
}

function callerData({ name, file, at }: Caller): CallerData {
  return { name, file, line: at.line, column: at.column };
}
