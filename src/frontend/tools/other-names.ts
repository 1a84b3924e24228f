/**
 * One thing has one name in all tools. Names that it had before, or has in tools that agents know, are accepted where only
 * that can be meant, and are not listed.
 */
import { didYouMean, nearNames } from '../../shared/base/near-names.ts';

const OTHER_NAMES: readonly (readonly [given: string, meant: string])[] = [
  ['symbol_path', 'symbol'],
  ['query', 'symbol'],
  ['name_path', 'symbol'],
  // A place has a line, a range begins at one.
  ['line', 'start_line'],
  ['start_line', 'line'],
  ['column', 'start_column'],
  ['start_column', 'column'],
];

/** The arguments with the names that the tool lists. */
export function withListedNames(args: object, isListed: (name: string) => boolean): object {
  const renamed: Record<string, unknown> = { ...args };
  for (const [given, meant] of OTHER_NAMES) {
    if (!(given in renamed) || isListed(given) || !isListed(meant) || meant in renamed) continue;
    renamed[meant] = renamed[given];
    delete renamed[given];
  }
  return renamed;
}

/** `, did you mean symbol?` for `quary`: a slip of one of the other names means the one that is listed. */
export function parameterMeant(given: string, listed: readonly string[]): string {
  const meant = didYouMean(given, listed);
  if (meant !== '') return meant;
  const others = OTHER_NAMES.filter(([, name]) => listed.includes(name));
  const [near] = nearNames(
    given,
    others.map(([other]) => other),
    1,
  );
  const name = others.find(([other]) => other === near)?.[1];
  return name === undefined ? '' : `, did you mean ${name}?`;
}
