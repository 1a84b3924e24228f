/**
 * Which files a tsconfig.json names. Servers know a project only after one of its files was opened, and files of no
 * project not at all, so a question about a whole workspace has to tell them apart without a server.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import picomatch from 'picomatch';
import { fieldOf } from '../base/unknown-value.ts';

export interface TsProject {
  /** The configuration file. */
  readonly config: string;
  /** Configurations that this one names; solutions consist of nothing else. */
  readonly references: readonly string[];
  /** Configurations that this one inherits from. */
  readonly bases: readonly string[];
  /** With what it inherits; paths in them are as they were written. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  /** The directory that names are looked for in, wherever it was written. */
  readonly baseUrl: string | undefined;
  /** The directory of the configuration that has the `paths`. */
  readonly pathsFrom: string | undefined;
  /** Why it, or one that it builds on, could not be read whole: servers go on with what is left of it. */
  readonly unread: string | undefined;
  includes(file: string): boolean;
}

/** A configuration that cannot be read or parsed names nothing. */
export function readTsProject(config: string): TsProject {
  const settings = inherited(config, path.dirname(config), 0);
  const allowsJs =
    path.basename(config).startsWith('jsconfig') || settings.allowJs === true || settings.checkJs === true;
  const files = new Set(settings.files ?? []);
  const included = matcher(settings.include ?? (settings.files ? [] : [path.dirname(config)]), false);
  const excluded = matcher(settings.exclude ?? defaultExclude(config, settings), true);
  return {
    config,
    references: settings.references,
    bases: settings.bases,
    compilerOptions: settings.compilerOptions,
    baseUrl: settings.baseUrl,
    pathsFrom: settings.pathsFrom,
    unread: settings.unread,
    includes: (file) =>
      files.has(file) ||
      ((allowsJs || /\.[cm]?tsx?$/.test(file)) &&
        included(file) &&
        !excluded(file) &&
        !/[\\/]node_modules[\\/]/.test(file)),
  };
}

interface Settings {
  readonly files?: readonly string[] | undefined;
  /** Absolute patterns, as are those of `exclude`. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly outDir?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly pathsFrom?: string | undefined;
  readonly allowJs?: boolean | undefined;
  readonly checkJs?: boolean | undefined;
  readonly references: readonly string[];
  readonly bases: readonly string[];
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly unread: string | undefined;
}

/** Longer chains are circles. */
const LONGEST_CHAIN = 10;

/** `top` is the directory of the configuration that inherits, which patterns may begin with. */
function inherited(config: string, top: string, depth: number): Settings {
  const { raw, isWhole } = readObject(config);
  const directory = path.dirname(config);
  const bases = stringsOf(raw.extends, raw.extends);
  const missing = bases.find((name) => isNowhere(name, directory));
  const unread = missing === undefined ? undefined : `${config} extends ${missing}, which is not there`;
  const own = {
    ...settingsOf(raw, directory, top),
    unread: isWhole ? unread : `${config} cannot be parsed`,
  };
  if (depth >= LONGEST_CHAIN) return own;
  return bases
    .flatMap((name) => extendedFile(name, directory) ?? [])
    .toReversed()
    .reduce((settings, base) => fillIn(settings, base, inherited(base, top, depth + 1)), own);
}

/** A package that is there may name its files in another way than by where they lie. */
function isNowhere(name: string, directory: string): boolean {
  if (extendedFile(name, directory) !== undefined) return false;
  if (path.isAbsolute(name) || name.startsWith('.')) return true;
  const inPackage = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
  return !packagesAbove(directory).some((modules) => existsSync(path.join(modules, inPackage)));
}

/** References are never inherited. */
function fillIn(own: Settings, file: string, base: Settings): Settings {
  return {
    files: own.files ?? base.files,
    include: own.include ?? base.include,
    exclude: own.exclude ?? base.exclude,
    outDir: own.outDir ?? base.outDir,
    baseUrl: own.baseUrl ?? base.baseUrl,
    pathsFrom: own.pathsFrom ?? base.pathsFrom,
    allowJs: own.allowJs ?? base.allowJs,
    checkJs: own.checkJs ?? base.checkJs,
    references: own.references,
    bases: [...own.bases, file, ...base.bases],
    compilerOptions: { ...base.compilerOptions, ...own.compilerOptions },
    unread: own.unread ?? base.unread,
  };
}

function settingsOf(raw: RawConfig, directory: string, top: string): Omit<Settings, 'unread'> {
  const absolute = (names: unknown) =>
    Array.isArray(names)
      ? stringsOf(names).map((name) => path.resolve(directory, name.replace(/^\$\{configDir\}/, top)))
      : undefined;
  const { compilerOptions = {} } = raw;
  const inDirectory = (name: unknown) =>
    typeof name === 'string' ? path.resolve(directory, name.replace(/^\$\{configDir\}/, top)) : undefined;
  const references = Array.isArray(raw.references) ? raw.references : [];
  return {
    files: absolute(raw.files),
    include: absolute(raw.include),
    exclude: absolute(raw.exclude),
    outDir: inDirectory(compilerOptions.outDir),
    baseUrl: inDirectory(compilerOptions.baseUrl),
    pathsFrom: compilerOptions.paths === undefined ? undefined : directory,
    allowJs: booleanOf(compilerOptions.allowJs),
    checkJs: booleanOf(compilerOptions.checkJs),
    compilerOptions,
    bases: [],
    references: references.flatMap((reference: unknown) => {
      const to = fieldOf(reference, 'path');
      if (typeof to !== 'string') return [];
      const file = path.resolve(directory, to);
      return [file.endsWith('.json') ? file : path.join(file, 'tsconfig.json')];
    }),
  };
}

interface RawConfig {
  readonly extends?: unknown;
  readonly files?: unknown;
  readonly include?: unknown;
  readonly exclude?: unknown;
  readonly references?: unknown;
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

function readObject(file: string): { readonly raw: RawConfig; readonly isWhole: boolean } {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    const errors: ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return { raw: typeof value === 'object' && value !== null ? value : {}, isWhole: errors.length === 0 };
  } catch {
    return { raw: {}, isWhole: false };
  }
}

/** Relative to the file, or a package in one of the node_modules above it. */
function extendedFile(name: string, directory: string): string | undefined {
  const withEnding = name.endsWith('.json') ? [name] : [`${name}.json`, name, `${name}/tsconfig.json`];
  const bases = path.isAbsolute(name) || name.startsWith('.') ? [directory] : packagesAbove(directory);
  for (const base of bases) {
    const found = withEnding.map((each) => path.resolve(base, each)).find(isReadable);
    if (found !== undefined) return found;
  }
  return undefined;
}

function packagesAbove(directory: string): string[] {
  const parent = path.dirname(directory);
  const here = path.join(directory, 'node_modules');
  return parent === directory ? [here] : [here, ...packagesAbove(parent)];
}

function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

function defaultExclude(config: string, { outDir }: Settings): string[] {
  const here = path.dirname(config);
  return [...['bower_components', 'jspm_packages'].map((name) => path.join(here, name)), outDir ?? []].flat();
}

/** A name without a wildcard is a directory or a file. What is included is never hidden, unless the pattern says the name. */
function matcher(patterns: readonly string[], dot: boolean): (file: string) => boolean {
  if (patterns.length === 0) return () => false;
  const tests = patterns.map(slashed).map((pattern) => {
    if (!/[*?]/.test(pattern)) {
      const below = `${pattern}/`;
      return (file: string) =>
        file === pattern || (file.startsWith(below) && (dot || !file.includes('/.', below.length - 1)));
    }
    const match = picomatch([pattern, `${pattern}/**`], { dot, nobrace: true, noextglob: true });
    return (file: string) => match(file);
  });
  return (file) => tests.some((test) => test(slashed(file)));
}

function slashed(file: string): string {
  return path.sep === '/' ? file : file.replaceAll(path.sep, '/');
}

function stringsOf(value: unknown, single?: unknown): string[] {
  if (typeof single === 'string') return [single];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
