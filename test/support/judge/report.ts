/** What a run has shown, as text and as data. */
import { quantile } from '../quantile.ts';
import type { Verdict } from './compare.ts';
import type { Running } from './processes.ts';
import { sectionsOf } from './report-lines.ts';
import { type Question, TOOLS, type Tool, type Truth } from './truth.ts';

export interface Judged {
  readonly question: Question;
  readonly verdict: Verdict;
  /** Of each call: of several where an answer said that the same call may find more later. */
  readonly times: readonly number[];
  /** The first answer of a language, which starts its server, and of every further server. */
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
  /** Of the silent ones those that say that nothing is missing. */
  readonly wrong: number;
  /** Of the silent ones those that lack only what takes a build to be seen. */
  readonly unbuilt: number;
  readonly failed: number;
  /** Answers with places that the oracle does not have. */
  readonly extra: number;
  /** Answers with calls below another function than theirs. */
  readonly misnamed: number;
  /** Answers that lack nothing and said that they may. */
  readonly wary: number;
  /** Questions that took more than one call. */
  readonly again: number;
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
  'wrong',
  'unbuilt',
  'extra',
  'misnamed',
  'failed',
  'wary',
  'again',
  'p50',
  'p95',
  'max',
] as const satisfies readonly (keyof Row)[];

export function rowsOf(judged: readonly Judged[]): Row[] {
  return TOOLS.flatMap((tool) => {
    const own = judged.filter(({ question }) => question.tool === tool);
    if (own.length === 0) return [];
    const count = (kind: Verdict['kind']) => own.filter(({ verdict }) => verdict.kind === kind).length;
    const answers = own.flatMap(({ verdict }) => (verdict.kind === 'failed' ? [] : [verdict]));
    const times = own.flatMap((each) => (each.isFirst ? each.times.slice(1) : each.times));
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
        wrong: answers.filter(({ isWrong }) => isWrong).length,
        extra: answers.filter(({ extra }) => extra.length > 0).length,
        misnamed: answers.filter(({ misnamed }) => misnamed.length > 0).length,
        wary: answers.filter(({ isWary }) => isWary).length,
        again: own.filter((each) => each.times.length > 1).length,
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
  const { files, symbols, inSeveralFiles, candidates, questions } = truth;
  return [
    `${root}: ${files.length} files`,
    `judged by ${truth.by} (${truth.seconds.toFixed(0)} s, ${truth.megabytes.toFixed(0)} MB)`,
    ...truth.remarks,
    `${symbols} of ${candidates} symbols, ${inSeveralFiles} of them used in several files; ${questions.length} questions`,
    '',
    ...table(rowsOf(judged)),
    `times in ms, after the first answer${first.length === 0 ? '' : ` (${first.map(firstText).join(', ')})`}`,
    runningText(running),
    excusedText(judged),
    ...sectionsOf(judged),
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

function firstText({ question, times }: Judged): string {
  return `${question.tool} in ${question.at.file}: ${Math.round(times[0] ?? 0)} ms`;
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
