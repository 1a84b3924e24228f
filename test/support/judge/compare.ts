/** Whether an answer is right: what it lacks, whether it said so, and what it has too much. */
import { conventionFor } from './conventions.ts';
import type { Place, Question, Tool, TruePlace } from './truth.ts';

export interface FoundPlace extends Place {
  /** Of a call the function that the answer names around it. */
  readonly caller?: string | undefined;
}

/** A place that may be meant, as far as the server can tell. */
export interface PossiblePlace extends Place {
  readonly why: string;
}

export interface ProductAnswer {
  readonly places: readonly FoundPlace[];
  readonly possible: readonly PossiblePlace[];
  /** By file, how many places there are in all, where not all of them are listed. */
  readonly counted: ReadonlyMap<string, number>;
  /** It says nowhere that something may be missing. */
  readonly complete: boolean;
  /** It says that nothing is missing. */
  readonly claims: boolean;
  /** All that it says beside its data. */
  readonly remarks: readonly string[];
  /** Folders and files whose places were counted but not listed. */
  readonly hidden: readonly string[];
}

export type Verdict =
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'exact' | 'said' | 'silent';
      readonly expected: number;
      readonly found: number;
      readonly missing: readonly TruePlace[];
      /** Of the missing ones those that nothing was said about. */
      readonly unsaid: readonly TruePlace[];
      readonly extra: readonly Place[];
      /** Names of conventions, one for each place that is not there and need not be. */
      readonly excused: readonly string[];
      /** Why it may lack something, in its own words. */
      readonly reason: string | undefined;
      /** It says that nothing is missing, and something is. */
      readonly isWrong: boolean;
      /** Calls that are listed below another function than the one around them. */
      readonly misnamed: readonly (TruePlace & { readonly named: string })[];
      /** Possible uses without a reason. */
      readonly unexplained: readonly Place[];
      /** Nothing is missing, and yet it said that something may be. */
      readonly isWary: boolean;
    };

export function judged(question: Question, answer: ProductAnswer, files: ReadonlySet<string>): Verdict {
  const { tool } = question;
  const found = new Set(answer.places.map((place) => keyOf(tool, place)));
  const foundGroups = new Set(
    question.expected.flatMap((place) => (found.has(keyOf(tool, place)) ? (place.group ?? []) : [])),
  );
  const required = oncePerGroup(
    oncePerKey(
      tool,
      question.expected.filter((place) => !conventionFor(tool, place)),
    ),
  );
  const missing = required.filter(
    (place) =>
      !found.has(keyOf(tool, place)) &&
      !(place.group !== undefined && foundGroups.has(place.group)) &&
      !isCounted(answer, required, place.file),
  );
  const known = new Set(question.expected.map((place) => keyOf(tool, place)));
  const extra = oncePerKey(
    tool,
    answer.places.filter((place) => files.has(place.file) && !known.has(keyOf(tool, place))),
  );
  // Nobody asks for the declaration, so that its absence needs no excuse.
  const excused = question.expected.flatMap((place) =>
    place.class === 'definition' || found.has(keyOf(tool, place))
      ? []
      : (conventionFor(tool, place)?.name ?? []),
  );
  const possible = new Set(answer.possible.map((place) => keyOf(tool, place)));
  const isSaid = (place: Place) =>
    possible.has(keyOf(tool, place)) || isNamed(answer, place.file) || leavesAlias(question, answer);
  const unsaid = answer.complete ? missing.filter((place) => !isSaid(place)) : [];
  return {
    kind: missing.length === 0 ? 'exact' : unsaid.length === 0 ? 'said' : 'silent',
    expected: required.length,
    found: required.length - missing.length,
    missing,
    unsaid,
    extra,
    excused,
    reason: answer.remarks.find((text) => text.startsWith('INCOMPLETE')),
    isWrong: unsaid.length > 0 && answer.claims,
    misnamed: misnamedIn(question, answer),
    unexplained: answer.possible.filter(({ why }) => why.trim() === ''),
    isWary: missing.length === 0 && !answer.complete,
  };
}

/** Of a long diff only the beginning is there; then as many places as there have to be are taken for them. */
function isCounted({ counted, places }: ProductAnswer, required: readonly Place[], file: string): boolean {
  const all = counted.get(file) ?? 0;
  const inFile = (each: Place) => each.file === file;
  return all > places.filter(inFile).length && all >= required.filter(inFile).length;
}

/** On one line there may be several calls, of which each has its own function around it. */
function misnamedIn({ tool, expected }: Question, { places }: ProductAnswer) {
  return expected.flatMap((place) => {
    const { caller } = place;
    if (tool !== 'callers' || caller === undefined) return [];
    const names = places.flatMap((each) =>
      keyOf(tool, each) === keyOf(tool, place) ? (each.caller ?? []) : [],
    );
    return names.length === 0 || names.includes(caller) ? [] : [{ ...place, named: names[0] ?? '' }];
  });
}

/** What must agree: the name's own place for references, the line where servers differ about where a thing begins. */
function keyOf(tool: Tool, { file, line, column }: Place): string {
  return tool === 'references' || tool === 'rename' ? `${file}:${line}:${column}` : `${file}:${line}`;
}

/** Whether the answer says that this file, or a folder that it is in, was not searched or is not shown. */
export function isNamed({ remarks, hidden }: ProductAnswer, file: string): boolean {
  if (hidden.some((where) => where === file || (where.endsWith('/') && file.startsWith(where)))) return true;
  const folders = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return remarks
    .filter((text) => /\bnot (been )?(searched|asked|looked at|seen|shown|known)\b/i.test(text))
    .some((text) => folders.some((name) => saysPath(text, name)));
}

/** A rename that stops at an alias and says who still sees the old name is smaller on purpose. */
function leavesAlias({ tool, name }: Question, { remarks }: ProductAnswer): boolean {
  return tool === 'rename' && remarks.some((text) => text.includes(`others still see ${name} at`));
}

function saysPath(text: string, name: string): boolean {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\w./-])${escaped}(?:/?(?![\\w/-])(?!\\.\\w))`).test(text);
}

function oncePerKey<T extends Place>(tool: Tool, places: readonly T[]): readonly T[] {
  return [...new Map(places.map((place) => [keyOf(tool, place), place])).values()];
}

function oncePerGroup(places: readonly TruePlace[]): readonly TruePlace[] {
  const seen = new Set<string>();
  return places.filter(({ group }) => {
    if (group === undefined) return true;
    const isNew = !seen.has(group);
    seen.add(group);
    return isNew;
  });
}
