/** The reach of symbols as lines sorted by risk, and as data. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { oneLine } from '../../render/budget.ts';
import { kindName } from '../../symbols/symbol-kinds.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { Caller } from './callers.ts';
import { everyCaller, type Impact, type Reached, type Subject } from './impact.ts';

const MOST_NAMES = 3;
const MOST_FILES = 4;
const MOST_LISTED = 12;
/** Of a symbol that is used everywhere not every user is written down; the counts are of all. */
const MOST_CALLERS = 20;
/** All lists of an answer together have to stay below the limit of one. */
const MOST_TOGETHER = 40;
const MOST_CHANGED = 100;

/**
 * `stop method 2:3: 3 callers: src/a.ts (stopAll, evict), src/b.ts (end); own file: close; 4 tests`. What nobody uses is
 * one line together.
 */
export function reachLines(reached: readonly Reached[], roots: Roots): string[] {
  const files = new Set(reached.map(({ subject }) => subject.source.path));
  const used = reached.filter(isUsed);
  const unused = reached.filter((each) => !used.includes(each));
  const told = used.map((each) => {
    const { node, source } = each.subject;
    const file = files.size > 1 || each.isIndirect ? `${roots.display(source.path)}:` : '';
    const name = `${each.isIndirect ? 'via ' : ''}${subjectName(each.subject)} ${node.word}`;
    return { name, at: `${file}${node.at.line}:${node.at.column}`, uses: usesText(each, roots) };
  });
  // The overloads of a function have the same users.
  const overloads = groupBy(told, ({ name, uses }) => `${name}\n${uses}`);
  const lines = [...overloads.values()].map((same) => {
    const places = same.map(({ at }) => at).join(', ');
    return `  ${same[0]?.name} ${places}: ${same[0]?.uses}`;
  });
  if (unused.length > 0)
    lines.push(`  no callers, no tests: ${unused.map(({ subject }) => subjectName(subject)).join(', ')}`);
  if (lines.some((line) => CUT.test(line)))
    lines.push('  +n: as many more, not named here; find_references of that symbol lists every use');
  return lines;
}

/** What `untested` means, and no more than that. */
export const UNTESTED = 'no test file refers to it';

export function untestedLine(untested: readonly Reached[], all: number): string[] {
  if (untested.length === 0 || all === 0) return [];
  if (untested.length === all && all > 1) return [`no test file refers to any of these ${all}`];
  const more = untested.length > MOST_LISTED ? ' (filter:"untested" lists them)' : '';
  return [`no test file refers to: ${nameList(untested.map(({ subject }) => subject))}${more}`];
}

function nameList(subjects: readonly Subject[]): string {
  const names = subjects.slice(0, MOST_LISTED).map(subjectName);
  return `${names.join(', ')}${subjects.length > MOST_LISTED ? `, +${subjects.length - MOST_LISTED} more` : ''}`;
}

export function subjectName({ node }: Subject): string {
  return oneLine(node.path.join('.'), 60);
}

/** `23 callers in 9 other files, 4 in their own file, 5 tests in 2 files`, each counted once. */
export function reachSummary(reached: readonly Reached[]): string {
  const own = distinct(reached.flatMap((each) => each.ownCallers)).length;
  const callers = callersIn(distinct(reached.flatMap((each) => each.callers)), 'caller', 'other file');
  return [
    own > 0 && callers === 'no callers' ? 'no callers in other files' : callers,
    ...(own > 0 ? [`${own} in their own file`] : []),
    callersIn(distinct(reached.flatMap((each) => each.tests)), 'test', 'file'),
  ].join(', ');
}

function callersIn(callers: readonly Caller[], what: string, where: string): string {
  const files = new Set(callers.map(({ file }) => file)).size;
  if (files === 0) return `no ${what}s`;
  return `${counted(callers.length, what)} in ${counted(files, where)}`;
}

function isUsed(reached: Reached): boolean {
  return everyCaller(reached).length + reached.tests.length + reached.typeQueries > 0;
}

function usesText(reached: Reached, roots: Roots): string {
  const { callers, ownCallers, tests, typeQueries, subject } = reached;
  return [
    ...(callers.length > 0 ? [`${counted(callers.length, 'caller')}: ${filesText(callers, roots)}`] : []),
    ...(ownCallers.length > 0 ? [`own file: ${namesText(ownCallers)}`] : []),
    ...(callers.length + ownCallers.length === 0 ? ['no callers'] : []),
    ...(typeQueries > 0 ? [counted(typeQueries, 'type query', { many: 'type queries' })] : []),
    tests.length === 0 ? 'no tests' : counted(tests.length, 'test'),
    ...(subject.isGuarded ? ['sync-guarded'] : []),
  ].join('; ');
}

/** Stands only where something was left out. */
const CUT = /, \+\d+( files)?[);]/;

/** `src/a.ts (stopAll, evict, +2), src/b.ts, +5 files`. */
function filesText(callers: readonly Caller[], roots: Roots): string {
  const files = [...groupBy(callers, ({ file }) => file)].map(([file, own]) => {
    const isWhole = own.every(({ node }) => node === undefined);
    return `${roots.display(file)}${isWhole ? '' : ` (${namesText(own)})`}`;
  });
  return firstOf(files, MOST_FILES, ' files');
}

function namesText(callers: readonly Caller[]): string {
  const names = callers.map(({ name, node }) => (node ? oneLine(name, 40) : 'top level'));
  return firstOf(names, MOST_NAMES);
}

/** A last one is written down rather than counted: its number would be hardly shorter. */
function firstOf(names: readonly string[], most: number, what = ''): string {
  const shown = names.length === most + 1 ? names : names.slice(0, most);
  const rest = names.length - shown.length;
  return [...shown, ...(rest > 0 ? [`+${rest}${what}`] : [])].join(', ');
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
  /** Of other files; those of its own are apart. */
  readonly non_test_callers: CallerData[];
  readonly own_file_callers: CallerData[];
  readonly caller_files: string[];
  readonly test_count: number;
  readonly non_test_count: number;
  readonly own_file_count: number;
  /** `typeof it` in a type: depends on it and calls nobody. */
  readonly type_query_count?: number;
  readonly sync_guarded?: boolean;
  readonly transitive?: boolean;
}

export function reachedData(reached: Reached): ReachedData {
  const { subject, callers, ownCallers, tests, typeQueries, isIndirect } = reached;
  return {
    ...subjectPlace(subject),
    test_callers: tests.slice(0, MOST_CALLERS).map(callerData),
    non_test_callers: callers.slice(0, MOST_CALLERS).map(callerData),
    own_file_callers: ownCallers.slice(0, MOST_CALLERS).map(callerData),
    caller_files: [...new Set(callers.map(({ file }) => file))].slice(0, MOST_CALLERS),
    test_count: tests.length,
    non_test_count: callers.length,
    own_file_count: ownCallers.length,
    ...(typeQueries > 0 ? { type_query_count: typeQueries } : {}),
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

/** How long a symbol gets as data, and half as much again for what belongs to all symbols together. */
export function reachedSize({ callers, ownCallers, tests }: Reached): number {
  const listed = [callers, ownCallers, tests].reduce(
    (sum, { length }) => sum + Math.min(length, MOST_CALLERS),
    0,
  );
  return 1.5 * (300 + listed * 140);
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
