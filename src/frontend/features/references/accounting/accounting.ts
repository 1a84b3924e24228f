/**
 * What became of each occurrence of a name in the text of the workspace, so that an agent need not search the text
 * after an answer: the occurrence is in the answer, is something else, or may be a use that the server cannot judge.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { type Place, placeKey, type ServerPlace } from '../../../places/places.ts';
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
  /** Files of other kinds that have the name in their text; undefined where there are none. */
  readonly elsewhere: ElsewhereNamed | undefined;
}

/** What the server does not read, though its code may use the name: components, templates, notebooks. */
export interface ElsewhereNamed {
  /** Of the sources that everything else speaks of. */
  readonly language: string;
  readonly files: readonly AbsPath[];
  /** Where the name stands in the first of them. */
  readonly first: readonly Occurrence[];
  /** Of these it is not known whether they have the name: too large, or not to be read by this user. */
  readonly unread: readonly AbsPath[];
}

export interface PossibleUse {
  readonly place: Place;
  readonly why: string;
}

export interface Unseen {
  readonly count: number;
  readonly reason: 'many' | 'time' | 'no-definitions' | 'files' | 'still-working';
}

/** How far to look: some, so that the answer comes at once, or all, as long as the call may take. */
export type AccountWish = 'some' | 'all';

export function accountedFor({ occurrences, unseen }: Accounting): number {
  return occurrences - (unseen?.count ?? 0);
}

/** Of several names together. */
export function accountingSum(parts: readonly Accounting[]): Accounting | undefined {
  if (parts.length === 0) return undefined;
  const total = (of: (part: Accounting) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const reason = parts.find(({ unseen }) => unseen)?.unseen?.reason;
  return {
    occurrences: total(({ occurrences }) => occurrences),
    listed: total(({ listed }) => listed),
    found: parts.flatMap(({ found }) => found),
    otherSymbols: total(({ otherSymbols }) => otherSymbols),
    inText: parts.flatMap(({ inText }) => inText),
    possible: eachOnce(parts.flatMap(({ possible }) => possible)),
    unseen: reason && { count: total(({ unseen }) => unseen?.count ?? 0), reason },
    elsewhere: allElsewhere(parts.flatMap(({ elsewhere }) => elsewhere ?? [])),
  };
}

/** Of two methods of one name both may be meant at one place. */
function eachOnce(possible: readonly PossibleUse[]): readonly PossibleUse[] {
  return [...new Map(possible.map((use) => [placeKey(use.place), use])).values()];
}

function allElsewhere(parts: readonly ElsewhereNamed[]): ElsewhereNamed | undefined {
  const [one] = parts;
  if (!one) return undefined;
  const byFile = new Map(parts.flatMap(({ first }) => first.map((each) => [each.file, each])));
  return {
    language: [...new Set(parts.map(({ language }) => language))].join(', '),
    files: [...new Set(parts.flatMap(({ files }) => files))],
    first: [...byFile.values()],
    unread: [...new Set(parts.flatMap(({ unread }) => unread))],
  };
}
