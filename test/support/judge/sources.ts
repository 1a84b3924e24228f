/** The files of a repository that count: what git tracks, without what a build has made and what nobody writes by hand. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Language } from './truth.ts';

export interface Sources {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** All `tsconfig*.json` and `jsconfig.json`. */
  readonly configs: readonly string[];
  /** Names of the repository's own packages. */
  readonly packages: ReadonlySet<string>;
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const CONFIG = /^(tsconfig[^/]*|jsconfig)\.json$/;
/** A larger file is data or a bundle. */
const LARGEST = 1024 * 1024;
const MADE = new Set(['dist', 'build']);

export function sourcesOf(root: string): Sources {
  const all = tracked(root) ?? walked(root);
  const isPackage = remembered((directory) => existsSync(path.join(root, directory, 'package.json')));
  const counted = all.filter((file) => !isMade(file, isPackage));
  const absolute = (names: readonly string[]) => names.map((name) => path.join(root, name)).sort();
  return {
    files: absolute(counted.filter((file) => SOURCE.test(file) && isText(path.join(root, file)))),
    configs: absolute(counted.filter((file) => CONFIG.test(path.posix.basename(file)))),
    packages: new Set(
      counted
        .filter((file) => path.posix.basename(file) === 'package.json')
        .flatMap((file) => nameIn(path.join(root, file))),
    ),
  };
}

const EXTENSIONS: Readonly<Record<Language, RegExp>> = { typescript: SOURCE, python: /\.pyi?$/, go: /\.go$/ };

/** Relative to the root. */
export function filesIn(root: string, language: Language): readonly string[] {
  return (tracked(root) ?? walked(root))
    .filter((file) => EXTENSIONS[language].test(file) && isText(path.join(root, file)))
    .sort();
}

/** The language that most files are written in. */
export function languageMostlyIn(root: string): Language {
  const all = tracked(root) ?? walked(root);
  const counts = (['typescript', 'python', 'go'] as const).map((language) => ({
    language,
    count: all.filter((file) => EXTENSIONS[language].test(file)).length,
  }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).language;
}

/** `dist` and `build` are output right below a package; elsewhere, as in `src/build`, they are names like others. */
export function isMade(file: string, isPackage: (directory: string) => boolean): boolean {
  const parts = file.split('/');
  return parts.some(
    (part, depth) =>
      depth < parts.length - 1 &&
      (part === 'node_modules' || (MADE.has(part) && isPackage(parts.slice(0, depth).join('/')))),
  );
}

/** Fixtures hold all kinds of files by this name. */
function nameIn(manifest: string): string[] {
  try {
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? [name] : [];
  } catch {
    return [];
  }
}

function tracked(root: string): readonly string[] | undefined {
  try {
    const output = execFileSync('git', ['ls-files', '-z'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const names = output.split('\0').filter((name) => name !== '');
    return names.length === 0 ? undefined : names;
  } catch {
    return undefined;
  }
}

function walked(root: string, directory = ''): string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(directory, entry.name);
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : walked(root, name);
    return entry.isFile() ? [name] : [];
  });
}

/** Tracked files may have been deleted, and links lead to files that count under their own name. */
function isText(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= LARGEST;
}

function remembered(look: (directory: string) => boolean): (directory: string) => boolean {
  const known = new Map<string, boolean>();
  return (directory) => {
    const answer = known.get(directory) ?? look(directory);
    known.set(directory, answer);
    return answer;
  };
}
