/**
 * Which files on disk matter to a server: those it registered for, and the sources of its language in any case.
 * A server that registers for everything (most do) gets everything, but only what can change an answer is worth a stat.
 */
import path from 'node:path';
import picomatch from 'picomatch';
import { type FileSystemWatcher, type Registration, WatchKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { isInside, uriToPath } from '../../base/paths.ts';
import { isTemporaryFile } from '../../base/temporary-names.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { HiddenDirectories } from '../../projects/hidden-directories.ts';
import { otherKindsOf } from '../../projects/other-kinds.ts';
import { isProjectFile } from '../../projects/project-files.ts';
import type { ChangeType } from './disk-change.ts';

/** `text`: a change of the content counts. `name`: it only counts whether the file is there. */
export type Interest = 'text' | 'name' | undefined;

export interface WatchPatterns {
  /** Nothing at all matters, so nothing need be looked at. */
  readonly empty: boolean;
  interest(file: string): Interest;
  /** Whether the server is told of this change. */
  wants(file: string, type: ChangeType): boolean;
  isSource(file: string): boolean;
}

const OUTPUT = ['.git', 'node_modules', 'target', 'build', 'dist', 'vendor', '__pycache__', '.venv', 'venv'];
export const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set(OUTPUT);
/** Settings of projects: beside the sources, what servers read of a workspace they registered for as a whole. */
const SETTINGS = new Set(['.json', '.jsonc', '.toml', '.cfg', '.ini', '.yaml', '.yml', '.xml', '.typed']);
const KIND_OF = { create: WatchKind.Create, change: WatchKind.Change, delete: WatchKind.Delete } as const;
const EVERYTHING = WatchKind.Create | WatchKind.Change | WatchKind.Delete;

/** Build output is skipped, as users expect of a watcher; `hidden` says which hidden directories are, without it all. */
export function isUnwatchedDirectory(directory: string, hidden?: HiddenDirectories): boolean {
  const name = path.basename(directory);
  return SKIPPED_DIRECTORIES.has(name) || (hidden ? hidden.isLeftOut(directory) : name.startsWith('.'));
}

export function isBelowSkipped(file: string, root: AbsPath, hidden?: HiddenDirectories): boolean {
  const [first = '', ...names] = path.relative(root, path.dirname(file)).split(path.sep);
  if (first === '' || first === '..') return false;
  let directory = path.join(root, first);
  if (isUnwatchedDirectory(directory, hidden)) return true;
  return names.some((name) => {
    directory = path.join(directory, name);
    return isUnwatchedDirectory(directory, hidden);
  });
}

/** A server that registers nothing is told of its language's files: it can ignore what it does not want. */
export function watchPatterns(
  { root, language, languageIds }: Pick<ServerPlan, 'root' | 'language' | 'languageIds'>,
  registrations: readonly Registration[],
  folders: readonly AbsPath[] = [],
): WatchPatterns {
  const watchers = registrations
    .flatMap(watchersOf)
    .flatMap((watcher) => [root, ...folders].map((each) => patternOf(watcher, each)));
  const isSource = (file: string) =>
    path.extname(file).slice(1).toLowerCase() in languageIds || path.basename(file) in languageIds;
  const isOfOtherKind = otherKindsOf(language);
  return {
    empty: watchers.length === 0 && Object.keys(languageIds).length === 0,
    isSource,
    interest(file) {
      if (isTemporaryFile(file)) return undefined;
      if (isSource(file) || isProjectFile(file)) return 'text';
      const matching = watchers.filter(({ matches }) => matches(file));
      if (matching.length === 0) return isOfOtherKind(file) ? 'name' : undefined;
      return matching.some(({ all }) => !all) || SETTINGS.has(path.extname(file)) ? 'text' : 'name';
    },
    wants(file, type) {
      if (isTemporaryFile(file)) return false;
      if (watchers.length === 0) return isSource(file);
      return watchers.some(({ kind, matches }) => (kind & KIND_OF[type]) !== 0 && matches(file));
    },
  };
}

interface Pattern {
  readonly kind: number;
  /** Matches whatever a file is called. */
  readonly all: boolean;
  matches(file: string): boolean;
}

function watchersOf(registration: Registration): readonly FileSystemWatcher[] {
  const options = registration.registerOptions as { watchers?: FileSystemWatcher[] } | undefined;
  return options?.watchers ?? [];
}

function patternOf({ globPattern, kind = EVERYTHING }: FileSystemWatcher, root: AbsPath): Pattern {
  if (typeof globPattern !== 'string') {
    const { baseUri, pattern } = globPattern;
    return below(uriToPath(typeof baseUri === 'string' ? baseUri : baseUri.uri) ?? root, pattern, kind);
  }
  // The root's own name may hold characters that mean something in a pattern.
  const inRoot = globPattern.startsWith(`${root}/`);
  if (inRoot || !path.isAbsolute(globPattern))
    return below(root, inRoot ? globPattern.slice(root.length + 1) : globPattern, kind);
  return { kind, all: false, matches: picomatch(globPattern, { dot: true }) };
}

function below(base: AbsPath, pattern: string, kind: number): Pattern {
  if (pattern === '**' || pattern === '**/*')
    return { kind, all: true, matches: (file) => isInside(file, base) };
  const matches = picomatch(pattern, { dot: true });
  return {
    kind,
    all: false,
    matches: (file) => isInside(file, base) && matches(path.relative(base, file).split(path.sep).join('/')),
  };
}
