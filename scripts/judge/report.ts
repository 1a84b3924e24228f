/** What a run has shown, as text and as data. */
import { quantile } from '../bench/figures.ts';
import type { Verdict } from './compare.ts';
import type { Running } from './processes.ts';
import { type Place, type Question, TOOLS, type Tool, type TruePlace, type Truth } from './truth.ts';

export interface Judged {
  readonly question: Question;
  readonly verdict: Verdict;
  readonly ms: number;
  /** The first answer of a language, which starts its server. */
  readonly isFirst: boolean;
}

export interface Run {
  readonly root: string;
  readonly truth: Truth;
  readonly judged: readonly Judged[];
  readonly running: Running | undefined;
}

interface Row {
  readonly tool: Tool;
  readonly asked: number;
  readonly exact: number;
  readonly said: number;
  readonly silent: number;
  /** Of the silent ones those that lack only what takes a build to be seen. */
  readonly unbuilt: number;
  readonly failed: number;
  /** Answers with places that the oracle does not have. */
  readonly extra: number;
  /** Answers that lack nothing and said that they may. */
  readonly wary: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

const FIGURES = [
  'tool',
  'asked',
  'exact',
  'said',
  'silent',
  'unbuilt',
  'extra',
  'failed',
  'wary',
  'p50',
  'p95',
  'max',
] as const satisfies readonly (keyof Row)[];
const MOST_MISSING = 5;
const MOST_EXTRAS = 10;

export function rowsOf(judged: readonly Judged[]): Row[] {
  return TOOLS.flatMap((tool) => {
    const own = judged.filter(({ question }) => question.tool === tool);
    if (own.length === 0) return [];
    const count = (kind: Verdict['kind']) => own.filter(({ verdict }) => verdict.kind === kind).length;
    const times = own.filter(({ isFirst }) => !isFirst).map(({ ms }) => ms);
    const ms = (q: number) => Math.round(quantile(times, q));
    return [
      {
        tool,
        asked: own.length,
        exact: count('exact'),
        said: count('said'),
        silent: count('silent'),
        unbuilt: own.filter(({ verdict }) => needsBuild(verdict)).length,
        failed: count('failed'),
        extra: own.filter(({ verdict }) => verdict.kind !== 'failed' && verdict.extra.length > 0).length,
        wary: own.filter(({ verdict }) => verdict.kind !== 'failed' && verdict.isWary).length,
        p50: ms(0.5),
        p95: ms(0.95),
        max: ms(1),
      },
    ];
  });
}

function needsBuild(verdict: Verdict): boolean {
  return verdict.kind === 'silent' && verdict.unsaid.every((place) => place.needsBuild === true);
}

export function hasSilent(judged: readonly Judged[]): boolean {
  return judged.some(({ verdict }) => verdict.kind === 'silent');
}

export function reportText({ root, truth, judged, running }: Run): string {
  const first = judged.filter(({ isFirst }) => isFirst);
  const { files, projects, loose, unresolved, symbols, inSeveralFiles, candidates, questions } = truth;
  return [
    `${root}: ${files.length} files in ${projects} configurations, ${loose} of them in none${listed('; set aside', truth.setAside)}`,
    `judged by TypeScript ${truth.typescript} over one program (${truth.seconds.toFixed(0)} s, ${truth.megabytes.toFixed(0)} MB)`,
    `${unresolved.length} imports of its own source could not be resolved${listed(', such as', unresolved)}`,
    `${symbols} of ${candidates} symbols, ${inSeveralFiles} of them used in several files; ${questions.length} questions`,
    '',
    ...table(rowsOf(judged)),
    `times in ms, after the first answer${first.length === 0 ? '' : ` (${first.map(firstText).join(', ')})`}`,
    runningText(running),
    excusedText(judged),
    ...section('silent shortfalls', judged.flatMap(silentLines)),
    ...section('extra places (the oracle does not have them)', extraLines(judged)),
    ...section('failed', judged.flatMap(failedLines)),
  ].join('\n');
}

export function reportData({ root, truth, judged, running }: Run): Record<string, unknown> {
  const { files, questions: _questions, ...figures } = truth;
  return {
    root,
    truth: { ...figures, files: files.length },
    tools: rowsOf(judged),
    running,
    excused: excusedBy(judged),
    answers: judged.map(({ question: { expected: _expected, ...question }, ...rest }) => ({
      ...question,
      ...rest,
    })),
  };
}

function listed(words: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${words} ${items.slice(0, 3).join(', ')}`;
}

function table(rows: readonly Row[]): string[] {
  const head = [...FIGURES];
  const cells = rows.map((row) => FIGURES.map((figure) => String(row[figure])));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...cells].map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

function firstText({ question, ms }: Judged): string {
  return `${question.tool} in ${question.at.file}: ${Math.round(ms)} ms`;
}

function runningText(running: Running | undefined): string {
  if (!running) return 'processes: not known on this system';
  const { brokers, servers, serverProcesses, serverMegabytes, serverPeakMegabytes, ownMegabytes } = running;
  const [now, peak, own] = [serverMegabytes, serverPeakMegabytes, ownMegabytes].map(Math.round);
  return `${brokers} brokers, ${servers} servers in ${serverProcesses} processes with ${now} MB (at most ${peak} MB); brokers and session ${own} MB`;
}

/** By convention, how many places were not found and need not be: a large number is worth a look. */
function excusedBy(judged: readonly Judged[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of judged)
    for (const name of verdict.kind === 'failed' ? [] : verdict.excused)
      counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function excusedText(judged: readonly Judged[]): string {
  const parts = Object.entries(excusedBy(judged)).map(([name, count]) => `${name} ${count}`);
  return `not found and excused by conventions: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function silentLines({ question, verdict }: Judged): string[] {
  if (verdict.kind !== 'silent') return [];
  const { expected, found, unsaid } = verdict;
  const isImportsOnly = unsaid.every((place) => place.class === 'import' || place.class === 'export');
  const left = unsaid.length - MOST_MISSING;
  return [
    `  ${asked(question)}: ${found} of ${expected}${isImportsOnly ? '; only imports and exports are missing' : ''}`,
    ...unsaid.slice(0, MOST_MISSING).map((place) => `    ${missingText(place)}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
}

function extraLines(judged: readonly Judged[]): string[] {
  const all = judged.flatMap(({ question, verdict }) =>
    verdict.kind === 'failed' ? [] : verdict.extra.map((place) => ({ question, place })),
  );
  const lines = all
    .slice(0, MOST_EXTRAS)
    .map(({ question, place }) => `  ${placeText(place)} for ${asked(question)}`);
  return all.length <= MOST_EXTRAS ? lines : [...lines, `  and ${all.length - MOST_EXTRAS} more`];
}

function failedLines({ question, verdict }: Judged): string[] {
  return verdict.kind === 'failed' ? [`  ${asked(question)}: ${verdict.why.replace(/\s+/g, ' ')}`] : [];
}

function asked({ tool, name, kind, at, isAtUse }: Question): string {
  return `${tool} of ${kind} ${name} (${placeText(at)}${isAtUse ? ', a use' : ''})`;
}

function missingText(place: TruePlace): string {
  return `${placeText(place)} ${place.class}${place.needsBuild ? ', behind an import that needs a build' : ''}`;
}

function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
