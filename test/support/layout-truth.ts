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

/** How the names look in the sources of a language; all but `sources` with the flag `g`. */
export interface Looks {
  readonly sources: RegExp;
  /** What the function is called. */
  readonly name: string;
  /** `Shape` and the classes that derive from it. */
  readonly heirs: RegExp;
  /** Types with `Shape` in their names. */
  readonly types: RegExp;
}

export const LOOKS = {
  typescript: {
    sources: /\.[jt]sx?$/,
    name: 'netPrice',
    heirs: /(?<=\bclass )(?:Shape\b|\w+(?= (?:implements|extends) Shape\b))/g,
    types: /(?<=\b(?:class|interface) )\w*Shape\w*/g,
  },
  python: {
    sources: /\.py$/,
    name: 'net_price',
    heirs: /(?<=^class )(?:Shape\b|\w+(?=\(Shape\)))/g,
    types: /(?<=^class )\w*Shape\w*/g,
  },
} as const satisfies Readonly<Record<string, Looks>>;

/** Places are `file:line:column`, of symbols `file:line`, and sorted; `core` is the file that declares the names. */
export function truthOf(root: string, core: string, looks: Looks = LOOKS.typescript): Truth {
  const sources = filesIn(root, looks.sources, (entry) => entry.isFile());
  // To a server a link is a file of its own, with declarations of its own.
  const links = filesIn(root, looks.sources, (entry) => entry.isSymbolicLink());
  const found = (pattern: RegExp, among = sources) => among.flatMap((name) => matches(root, name, pattern));
  const isOutside = (place: string) => !place.startsWith(`${core}:`);
  return {
    find_references: inOrder(found(new RegExp(`\\b${looks.name}\\b`, 'g')).filter(isOutside)),
    find_callers: inOrder(found(new RegExp(`\\b${looks.name}(?=\\()`, 'g')).filter(isOutside)),
    // A class is an implementation of itself.
    go_to_implementation: inOrder(found(looks.heirs)),
    find_symbol: inOrder(found(looks.types, [...sources, ...links]).map(lineOf)),
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

/** What was installed. */
const MADE = new Set(['node_modules', '.venv']);

function filesIn(root: string, sources: RegExp, isWanted: (entry: Dirent) => boolean): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => isWanted(entry) && sources.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(path.sep).some((part) => MADE.has(part)));
}

function matches(root: string, name: string, pattern: RegExp): readonly string[] {
  return readFileSync(path.join(root, name), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map((match) => `${name}:${index + 1}:${match.index + 1}`),
    );
}
