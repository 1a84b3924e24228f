/**
 * Packages of a workspace whose manifests point at files that a build makes. As long as they are not built, imports of
 * them lead nowhere, for compilers and servers alike, and uses behind such an import are not found. Once they are built
 * without maps, imports end at the declarations that were made, and nothing leads from there to the sources.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { escapePattern } from '../base/escape-pattern.ts';
import { groupBy } from '../base/group-by.ts';
import { isInside } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { isObject } from '../base/unknown-value.ts';
import { onlyDeclares } from '../languages/file-kinds.ts';
import { moduleFileAt } from '../languages/module-file.ts';
import type { Lack } from '../link/reach-question.ts';
import { readTsProject } from '../tsconfig/tsconfig.ts';

export interface UnbuiltPackage {
  readonly name: string;
  readonly directory: string;
  readonly lacks: Lack;
  /** Whether it is a text that imports the package. */
  isImportedIn(text: string): boolean;
  /** Whether it is, or needs, the package that a file belongs to. */
  leadsTo(file: string): boolean;
  /** Whether a project finds its sources all the same: by a path mapping, a condition or a reference. */
  isFoundBy(config: string | undefined): boolean;
}

interface Manifest {
  readonly name: string;
  readonly directory: string;
  readonly needs: readonly string[];
  /** The targets of its entries, with the conditions that lead to them. */
  readonly entries: readonly Entry[];
}

interface Entry {
  /** What is imported by it: the package, or a path below it. */
  readonly subpath: string;
  readonly conditions: readonly string[];
  readonly target: string;
}

/** Of the package.json files of a workspace. Declarations in other directories than `sources` were written as they are. */
export function unbuiltPackages(
  manifests: readonly string[],
  sources: ReadonlySet<string>,
): readonly UnbuiltPackage[] {
  const all = manifests.flatMap((file) => readManifest(file) ?? []);
  const byName = new Map(all.map((manifest) => [manifest.name, manifest]));
  const isThere = ({ directory }: Manifest, { target }: Entry) =>
    moduleFileAt(path.join(directory, target)) !== undefined;
  const lackOf = (manifest: Manifest): Lack | undefined => {
    const usual = manifest.entries.filter(({ conditions }) => conditions.every(isUsual));
    const decisive = [...groupBy(usual, ({ subpath }) => subpath).values()].flatMap(decisiveOf);
    if (decisive.some((entry) => !isThere(manifest, entry))) return 'build';
    const isUnmapped = ({ target }: Entry) => endsAtDeclarations(path.join(manifest.directory, target));
    return decisive.some(isUnmapped) && sources.has(manifest.directory) ? 'maps' : undefined;
  };
  return all.flatMap((manifest) => {
    const { name, directory } = manifest;
    const lacks = lackOf(manifest);
    if (lacks === undefined) return [];
    const found = new Map<string, boolean>();
    const reached = closure(name, (each) => byName.get(each)?.needs.filter((need) => byName.has(need)) ?? []);
    const homes = [...reached].flatMap((each) => byName.get(each)?.directory ?? []);
    // Examples in comments import it as well.
    const pattern = new RegExp(`^(?!\\s*(?:\\*|//)).*['"]${escapePattern(name)}(?:/[^'"\\n]*)?['"]`, 'm');
    const isBehind = (file: string) => homes.some((home) => isInside(file, home));
    return {
      name,
      directory,
      lacks,
      isImportedIn: (text) => text.includes(name) && pattern.test(text),
      // Imports of what was built do lead to its declarations.
      leadsTo: (file) => isBehind(file) && (lacks === 'build' || !onlyDeclares(file)),
      isFoundBy: (config) => {
        if (config === undefined) return false;
        const known = found.get(config) ?? isFound(manifest, config, (entry) => isThere(manifest, entry));
        found.set(config, known);
        return known;
      },
    };
  });
}

/** Of the entries of one import those that compilers take for what it means: the types, where they are said. */
function decisiveOf(entries: readonly Entry[]): readonly Entry[] {
  const types = entries.filter(({ conditions }) => conditions.some((each) => /^types(?:@|$)/.test(each)));
  return types.length > 0 ? types : entries;
}

/** Whether the types of an entry that is there are declarations without a map to what they were made from. */
function endsAtDeclarations(entry: string): boolean {
  const target = moduleFileAt(entry) ?? entry;
  const declared = onlyDeclares(target) ? target : target.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  return onlyDeclares(declared) && existsSync(declared) && !existsSync(`${declared}.map`);
}

/** Conditions that compilers and Node know by themselves. */
function isUsual(condition: string): boolean {
  return /^(?:types|import|require|default|node|module|browser|development|production|types@.*)$/.test(
    condition,
  );
}

function isFound(
  { name, directory, entries }: Manifest,
  config: string,
  isThere: (entry: Entry) => boolean,
): boolean {
  const { compilerOptions } = readTsProject(config);
  const mapped = Object.keys(Object(compilerOptions.paths)).some((key) => {
    const [before = '', after] = key.split('*');
    return after === undefined ? key === name : before !== '' && `${name}/`.startsWith(before);
  });
  const custom: unknown = compilerOptions.customConditions;
  const conditions = Array.isArray(custom) ? custom : [];
  const isConditioned = entries.some(
    (entry) => entry.conditions.some((each) => conditions.includes(each)) && isThere(entry),
  );
  const isReferred = () =>
    [...closure(config, (each) => readTsProject(each).references)].some(
      (each) => each !== config && isInside(each, directory),
    );
  return mapped || isConditioned || isReferred();
}

function readManifest(file: string): Manifest | undefined {
  const manifest = Object(parseJsonc(textOrNothing(file)));
  const { name, types, typings, main, exports: exported } = manifest;
  if (typeof name !== 'string' || name === '') return undefined;
  const plain = Object.entries({ types, typings, main }).flatMap(([key, target]): Entry[] =>
    typeof target === 'string' ? [{ subpath: '.', conditions: key === 'main' ? [] : ['types'], target }] : [],
  );
  const entries = exported === undefined ? plain : entriesOf(exported, { subpath: '.', conditions: [] });
  const needs = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) =>
    Object.keys(Object(manifest[key])),
  );
  return { name, directory: path.dirname(file), needs, entries: entries.filter(isSourceLike) };
}

function entriesOf(exported: unknown, at: Omit<Entry, 'target'>): Entry[] {
  if (typeof exported === 'string') return [{ ...at, target: exported }];
  if (!isObject(exported)) return [];
  return Object.entries(exported).flatMap(([key, value]) =>
    entriesOf(
      value,
      key.startsWith('.')
        ? { ...at, subpath: key }
        : { subpath: at.subpath, conditions: [...at.conditions, key] },
    ),
  );
}

/** Patterns and data say nothing of whether a package is built. */
function isSourceLike({ target }: Entry): boolean {
  return !target.includes('*') && /(?:^|\/)[^/.]+$|\.(?:[cm]?[jt]sx?)$/.test(target);
}

function closure(first: string, next: (each: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([first]);
  for (const each of found) for (const other of next(each)) found.add(other);
  return found;
}
