/** What complete answers about a layout are, read off its sources: every name in them means one thing only. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Truth {
  readonly find_references: readonly string[];
  readonly find_callers: readonly string[];
  readonly go_to_implementation: readonly string[];
  readonly find_symbol: readonly string[];
}

export type AcrossTool = keyof Truth;

export const ACROSS_TOOLS: readonly AcrossTool[] = [
  'find_references',
  'find_callers',
  'go_to_implementation',
  'find_symbol',
];

/** Places are `file:line:column`, of symbols `file:line`, and sorted; `core` is the file that declares the names. */
export function truthOf(root: string, core: string): Truth {
  const sources = filesIn(root, (entry) => entry.isFile());
  // To a server a link is a file of its own, with declarations of its own.
  const links = filesIn(root, (entry) => entry.isSymbolicLink());
  const found = (pattern: RegExp, among = sources) => among.flatMap((name) => matches(root, name, pattern));
  const isOutside = (place: string) => !place.startsWith(`${core}:`);
  return {
    find_references: inOrder(found(/\bnetPrice\b/g).filter((place) => isOutside(place))),
    find_callers: inOrder(found(/\bnetPrice(?=\()/g).filter((place) => isOutside(place))),
    // A class is an implementation of itself.
    go_to_implementation: inOrder(found(/(?<=\bclass )(?:Shape\b|\w+(?= (?:implements|extends) Shape\b))/g)),
    find_symbol: inOrder(
      found(/(?<=\b(?:class|interface) )\w*Shape\w*/g, [...sources, ...links]).map(lineOf),
    ),
  };
}

/** As `places` of a session sorts them. */
export function inOrder(places: readonly string[]): readonly string[] {
  return [...new Set(places)].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** Servers do not agree on where in its line a symbol begins. */
export function lineOf(place: string): string {
  return place.replace(/:\d+$/, '');
}

function filesIn(root: string, isWanted: (entry: Dirent) => boolean): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => isWanted(entry) && /\.[jt]s$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(path.sep).includes('node_modules'));
}

function matches(root: string, name: string, pattern: RegExp): readonly string[] {
  return readFileSync(path.join(root, name), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map((match) => `${name}:${index + 1}:${match.index + 1}`),
    );
}
