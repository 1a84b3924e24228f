/**
 * Packages of a workspace whose manifests point at files that a build would make. As long as they are not built, imports
 * of them lead nowhere, for compilers and servers alike, and uses behind such an import are not found.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { escapePattern } from '../base/escape-pattern.ts';
import { isInside } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { isObject } from '../base/unknown-value.ts';
import { readTsProject } from '../tsconfig/tsconfig.ts';

export interface UnbuiltPackage {
  readonly name: string;
  readonly directory: string;
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
  readonly conditions: readonly string[];
  readonly target: string;
}

/** Of the package.json files of a workspace. */
export function unbuiltPackages(manifests: readonly string[]): readonly UnbuiltPackage[] {
  const all = manifests.flatMap((file) => readManifest(file) ?? []);
  const byName = new Map(all.map((manifest) => [manifest.name, manifest]));
  const isThere = ({ directory }: Manifest, { target }: Entry) => existsSync(path.join(directory, target));
  const isUnbuilt = (manifest: Manifest) => {
    const usual = manifest.entries.filter(({ conditions }) => conditions.every(isUsual));
    return usual.length > 0 && usual.some((entry) => !isThere(manifest, entry));
  };
  return all.filter(isUnbuilt).map((manifest) => {
    const { name, directory } = manifest;
    const found = new Map<string, boolean>();
    const reached = closure(name, (each) => byName.get(each)?.needs.filter((need) => byName.has(need)) ?? []);
    const homes = [...reached].flatMap((each) => byName.get(each)?.directory ?? []);
    // Examples in comments import it as well.
    const pattern = new RegExp(`^(?!\\s*(?:\\*|//)).*['"]${escapePattern(name)}(?:/[^'"\\n]*)?['"]`, 'm');
    return {
      name,
      directory,
      isImportedIn: (text) => text.includes(name) && pattern.test(text),
      leadsTo: (file) => homes.some((home) => isInside(file, home)),
      isFoundBy: (config) => {
        if (config === undefined) return false;
        const known = found.get(config) ?? isFound(manifest, config, (entry) => isThere(manifest, entry));
        found.set(config, known);
        return known;
      },
    };
  });
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
  const plain = [types, typings, main].flatMap((target): Entry[] =>
    typeof target === 'string' ? [{ conditions: [], target }] : [],
  );
  const entries = exported === undefined ? plain : entriesOf(exported, []);
  const needs = ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((key) =>
    Object.keys(Object(manifest[key])),
  );
  return { name, directory: path.dirname(file), needs, entries: entries.filter(isSourceLike) };
}

function entriesOf(exported: unknown, conditions: readonly string[]): Entry[] {
  if (typeof exported === 'string') return [{ conditions, target: exported }];
  if (!isObject(exported)) return [];
  return Object.entries(exported).flatMap(([key, value]) =>
    entriesOf(value, key.startsWith('.') ? conditions : [...conditions, key]),
  );
}

/** Patterns and data say nothing of whether a package is built. */
function isSourceLike({ target }: Entry): boolean {
  return !target.includes('*') && /\.(?:[cm]?[jt]sx?)$/.test(target);
}

function closure(first: string, next: (each: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set([first]);
  for (const each of found) for (const other of next(each)) found.add(other);
  return found;
}
