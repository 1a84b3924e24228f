/**
 * What became of each occurrence of a name in the text of the workspace, so that nobody has to search the text after
 * an answer: it is in the answer, it is something else, or it may be a use and the server cannot tell.
 */
import type { Place, ServerPlace } from '../places.ts';
import type { Occurrence } from './occurrences.ts';

export interface Accounting {
  /** Occurrences of the name in source files, without hidden ones. */
  readonly occurrences: number;
  /** Those that the server listed, declarations included. */
  readonly listed: number;
  /** Uses that the server left out of its list, though it knows them at their place. */
  readonly found: readonly ServerPlace[];
  readonly otherSymbols: number;
  /** In comments and strings. */
  readonly inText: readonly Occurrence[];
  readonly possible: readonly PossibleUse[];
  /** Why some were not looked at; undefined when all were. */
  readonly unseen: Unseen | undefined;
}

export interface PossibleUse {
  readonly place: Place;
  readonly why: string;
}

export interface Unseen {
  readonly count: number;
  readonly reason: 'many' | 'time' | 'no-definitions' | 'files';
}

/** How far to look: some, so that the answer comes at once, or all, as long as the call may take. */
export type AccountWish = 'some' | 'all';

export function accountedFor({ occurrences, unseen }: Accounting): number {
  return occurrences - (unseen?.count ?? 0);
}

/** Of several names together. */
export function sumOf(parts: readonly Accounting[]): Accounting | undefined {
  if (parts.length === 0) return undefined;
  const total = (of: (part: Accounting) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const reason = parts.find(({ unseen }) => unseen)?.unseen?.reason;
  return {
    occurrences: total(({ occurrences }) => occurrences),
    listed: total(({ listed }) => listed),
    found: parts.flatMap(({ found }) => found),
    otherSymbols: total(({ otherSymbols }) => otherSymbols),
    inText: parts.flatMap(({ inText }) => inText),
    possible: parts.flatMap(({ possible }) => possible),
    unseen: reason && { count: total(({ unseen }) => unseen?.count ?? 0), reason },
  };
}
