/** The accounting in words: a few in the first line, and why some were not looked at. */
import { type Accounting, accountedFor } from './accounting.ts';

/** `27 of 27 occurrences accounted for (6 other symbols, 2 in comments or strings)`. */
export function accountedPart(accounting: Accounting): string {
  const { occurrences, otherSymbols, inText } = accounting;
  const others = [
    ...(otherSymbols === 0 ? [] : [`${otherSymbols} other symbol${otherSymbols === 1 ? '' : 's'}`]),
    ...(inText.length === 0 ? [] : [`${inText.length} in text`]),
  ];
  const aside = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `${accountedFor(accounting)} of ${occurrences} occurrences accounted for${aside}`;
}

export function unseenSentence(
  { unseen, occurrences }: Accounting,
  name: string,
  server: string,
): string | undefined {
  if (!unseen) return undefined;
  const { count, reason } = unseen;
  const left = `${count} of ${occurrences} occurrences of ${name} were not looked at`;
  switch (reason) {
    case 'many':
      return `INCOMPLETE: the name is common, and ${left}; find_references account:"all" looks at them`;
    case 'time':
      return `INCOMPLETE: there was no time for all, and ${left}; find_references account:"all" looks at them`;
    case 'no-definitions':
      return `INCOMPLETE: ${server} cannot go to definitions, so ${left}; search their text as well`;
    case 'files':
      return `INCOMPLETE: the workspace is too large to look for ${name} in all of its files in time; retry in 5 s`;
  }
}

/** The same for programs. */
export function accountingData(accounting: Accounting): Record<string, unknown> {
  const { occurrences, listed, found, otherSymbols, inText, possible, unseen } = accounting;
  return {
    accounted: {
      occurrences,
      references: listed + found.length,
      other_symbols: otherSymbols,
      in_text: inText.length,
      possible: possible.length,
      not_looked_at: unseen?.count ?? 0,
    },
    possible: possible.map(({ place, why }) => ({
      file: place.file ?? place.uri,
      line: place.start.line,
      column: place.start.column,
      why,
    })),
  };
}
