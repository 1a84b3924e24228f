/** Whether an answer is right: what it lacks, whether it said so, and what it has too much. */
import { conventionFor } from './conventions.ts';
import type { Place, Question, Tool, TruePlace } from './truth.ts';

export interface ProductAnswer {
  readonly places: readonly Place[];
  /** Whether it claims to be complete. */
  readonly complete: boolean;
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
    (place) => !found.has(keyOf(tool, place)) && !(place.group !== undefined && foundGroups.has(place.group)),
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
  const unsaid = answer.complete ? missing.filter((place) => !isNamed(answer, place.file)) : [];
  return {
    kind: missing.length === 0 ? 'exact' : unsaid.length === 0 ? 'said' : 'silent',
    expected: required.length,
    found: required.length - missing.length,
    missing,
    unsaid,
    extra,
    excused,
    isWary: missing.length === 0 && !answer.complete,
  };
}

/** What must agree: the name's own place for references, the line where servers differ about where a thing begins. */
export function keyOf(tool: Tool, { file, line, column }: Place): string {
  return tool === 'references' ? `${file}:${line}:${column}` : `${file}:${line}`;
}

/** Whether the answer says that this file, or a folder that it is in, was not searched or is not shown. */
export function isNamed({ remarks, hidden }: ProductAnswer, file: string): boolean {
  if (hidden.some((where) => where === file || (where.endsWith('/') && file.startsWith(where)))) return true;
  const folders = file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return remarks
    .filter((text) => /\bnot (been )?(searched|asked|looked at|seen|shown|known)\b/i.test(text))
    .some((text) => folders.some((name) => saysPath(text, name)));
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
