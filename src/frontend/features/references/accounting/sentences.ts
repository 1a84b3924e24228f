/**
 * The accounting in words: a few for the first line of an answer, and the reason why occurrences were not looked at.
 */
import { counted } from '../../../../shared/base/counted.ts';
import { type Incomplete, untilRetry } from '../../../render/incomplete.ts';
import type { Roots } from '../../../workspace/roots.ts';
import { type Accounting, accountedFor, type ElsewhereNamed } from './accounting.ts';

/** `27 of 27 occurrences accounted for (6 other symbols, 2 in comments or strings)`. */
export function accountedPart(accounting: Accounting, roots: Pick<Roots, 'display'>): string {
  const { occurrences, otherSymbols, inText, elsewhere } = accounting;
  const others = [
    ...(otherSymbols === 0 ? [] : [counted(otherSymbols, 'other symbol')]),
    ...(inText.length === 0 ? [] : [`${inText.length} in text`]),
  ];
  const aside = others.length === 0 ? '' : ` (${others.join(', ')})`;
  const beyond = elsewhere ? `; ${elsewherePart(elsewhere, roots)}` : '';
  return `${accountedFor(accounting)} of ${occurrences} occurrences accounted for${aside}${beyond}`;
}

/** Of several names together there may be more of them. */
const MOST_SHOWN = 3;

/** `also named in 2 files of other languages: App.vue:3, Login.vue:7 (not looked at)`. */
export function elsewherePart(
  { files, first, unread }: ElsewhereNamed,
  roots: Pick<Roots, 'display'>,
): string {
  const places = first.slice(0, MOST_SHOWN).map(({ file, at }) => `${roots.display(file)}:${at.line}`);
  const more = files.length - places.length;
  const named = `also named in ${foreignFiles(files.length)}: ${places.join(', ')}${more > 0 ? ` +${more}` : ''} (not looked at)`;
  const [closed] = unread;
  const unknown =
    closed && `${foreignFiles(unread.length)} could not be searched, such as ${roots.display(closed)}`;
  return [...(files.length === 0 ? [] : [named]), ...(unknown ? [unknown] : [])].join('; ');
}

function foreignFiles(files: number): string {
  return counted(files, 'file of another language', { many: 'files of other languages' });
}

/** Complete is what was looked at: the sources of the server's language. */
export function accountingExtent(
  incomplete: Incomplete | undefined,
  accounting: Accounting | undefined,
): string {
  if (incomplete !== undefined) return 'incomplete';
  return accounting?.elsewhere ? `complete for ${accounting.elsewhere.language}` : 'complete';
}

const LOOK_AT_ALL = 'find_references account:"all" looks at them';

export function unseenReason(
  { unseen, occurrences }: Accounting,
  name: string,
  server: string,
): Incomplete | undefined {
  if (!unseen) return undefined;
  const { count, reason } = unseen;
  const left = `${count} of ${occurrences} occurrences of ${name} were not looked at`;
  switch (reason) {
    case 'many':
      return {
        reason: `the name is common, and ${left}`,
        advice: LOOK_AT_ALL,
      };
    case 'time':
      // A server that has just started is quicker the next time.
      return {
        ...untilRetry(2_000, (retry) => `there was no time for all, and ${left}; ${retry}`),
        advice: LOOK_AT_ALL,
      };
    case 'still-working':
      return untilRetry(
        2_000,
        (retry) => `${server} is still searching for ${name}; ${left}, only listed as possible; ${retry}`,
      );
    case 'no-definitions':
      return {
        reason: `${server} cannot go to definitions, so ${left}; search their text as well`,
      };
    case 'files':
      return untilRetry(
        5_000,
        (retry) => `the workspace is too large to look for ${name} in all of its files in time; ${retry}`,
      );
  }
}

/** The server has not answered yet: nothing is known of what the text has. */
export function stillSearching(accounting: Accounting | undefined, name: string, server: string): Incomplete {
  return (
    (accounting && unseenReason(accounting, name, server)) ??
    untilRetry(2_000, (retry) => `${server} is still searching for ${name}; ${retry}`)
  );
}

/** The same for programs. */
export function accountingData(accounting: Accounting): Record<string, unknown> {
  const { occurrences, listed, found, otherSymbols, inText, possible, unseen, elsewhere } = accounting;
  return {
    accounted: {
      occurrences,
      references: listed + found.length,
      other_symbols: otherSymbols,
      in_text: inText.length,
      possible: possible.length,
      not_looked_at: unseen?.count ?? 0,
    },
    ...(elsewhere ? { other_languages: elsewhereData(elsewhere) } : {}),
    possible: possible.map(({ place, why }) => ({
      file: place.file ?? place.uri,
      line: place.start.line,
      column: place.start.column,
      why,
    })),
  };
}

function elsewhereData({ language, files, first, unread }: ElsewhereNamed): Record<string, unknown> {
  return {
    complete_for: language,
    files: files.length,
    first: first.map(({ file, at }) => ({ file, line: at.line })),
    not_searched: unread.length,
  };
}
