/** What a run has shown about single answers, a section for each kind of shortfall. */
import type { Verdict } from './compare.ts';
import type { Judged } from './report.ts';
import type { Place, Question, TruePlace } from './truth.ts';

const MOST_MISSING = 5;
const MOST_SAID = 2;
const MOST_EXTRAS = 10;

export function sectionsOf(judged: readonly Judged[]): string[] {
  return [
    ...section('silent shortfalls', judged.flatMap(silentLines)),
    ...section('said shortfalls', judged.flatMap(saidLines)),
    ...section('calls below another function than theirs', judged.flatMap(misnamedLines)),
    ...section('possible uses without a reason', judged.flatMap(unexplainedLines)),
    ...section('extra places (the oracle does not have them)', extraLines(judged)),
    ...section('failed', judged.flatMap(failedLines)),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

type Answered = Exclude<Verdict, { kind: 'failed' }>;

function silentLines({ question, verdict }: Judged): string[] {
  if (verdict.kind !== 'silent') return [];
  const { unsaid } = verdict;
  const isImportsOnly = unsaid.every((place) => place.class === 'import' || place.class === 'export');
  return [
    `${shortfall(question, verdict)}${isImportsOnly ? '; only imports and exports are missing' : ''}`,
    ...missingLines(unsaid, MOST_MISSING),
  ];
}

function saidLines({ question, verdict }: Judged): string[] {
  return verdict.kind === 'said'
    ? [
        `${shortfall(question, verdict)}; ${verdict.reason ?? 'named or possible'}`,
        ...missingLines(verdict.missing, MOST_SAID),
      ]
    : [];
}

function shortfall(question: Question, { expected, found }: Answered): string {
  return `  ${asked(question)}: ${found} of ${expected}`;
}

function missingLines(missing: readonly TruePlace[], most: number): string[] {
  const left = missing.length - most;
  return [
    ...missing.slice(0, most).map((place) => `    ${missingText(place)}`),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ];
}

function misnamedLines({ question, verdict }: Judged): string[] {
  return verdict.kind === 'failed'
    ? []
    : verdict.misnamed.map(
        ({ named, ...place }) =>
          `  ${placeText(place)} is in ${place.caller}, not in ${named}, for ${asked(question)}`,
      );
}

function unexplainedLines({ question, verdict }: Judged): string[] {
  return verdict.kind === 'failed'
    ? []
    : verdict.unexplained.map((place) => `  ${placeText(place)} for ${asked(question)}`);
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
  return `${placeText(place)} ${place.class}${place.isMember ? ' of a member' : ''}${place.needsBuild ? ', behind an import that needs a build' : ''}`;
}

function placeText({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
