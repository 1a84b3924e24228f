/**
 * What a server wants to be told of outside its root: linked packages, path mappings, references and configurations that
 * projects inherit from. It says so when it registers, and an answer is fresh only if these were looked at as well.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import type { FileSystemWatcher, Registration } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath, isInside, uriToPath } from '../base/paths.ts';

export interface OutsideWatch {
  readonly directory: AbsPath;
  /** Only the files in it, not what is below. */
  readonly isFlat: boolean;
}

export interface OutsideWatches {
  readonly watches: readonly OutsideWatch[];
  /** Some are too wide to be watched: a home, or a whole disk. */
  readonly isShort: boolean;
}

/** Beyond the roots, each directory once; one that is watched as a whole covers what is below it. */
export function outsideWatches(
  registrations: readonly Registration[],
  roots: readonly AbsPath[],
): OutsideWatches {
  const wanted = registrations
    .flatMap(watchersOf)
    .flatMap((watcher) => placeOf(watcher) ?? [])
    .filter(({ directory }) => !roots.some((root) => isInside(directory, root)) && !isInstalled(directory));
  const wide = wanted.filter((watch) => !watch.isFlat && isWide(watch.directory));
  const deep = wanted.filter((watch) => !watch.isFlat && !wide.includes(watch));
  const isCovered = ({ directory, isFlat }: OutsideWatch) =>
    deep.some((other) => isInside(directory, other.directory) && (isFlat || directory !== other.directory));
  const byKey = new Map(
    wanted
      .filter((watch) => !wide.includes(watch) && !isCovered(watch))
      .map((watch) => [`${watch.directory} ${watch.isFlat}`, watch]),
  );
  return { watches: [...byKey.values()], isShort: wide.length > 0 };
}

function watchersOf(registration: Registration): readonly FileSystemWatcher[] {
  const options = registration.registerOptions as { watchers?: FileSystemWatcher[] } | undefined;
  return options?.watchers ?? [];
}

/** The part of a pattern before its first wildcard. Undefined for one that is relative to the root. */
function placeOf({ globPattern }: FileSystemWatcher): OutsideWatch | undefined {
  const glob = typeof globPattern === 'string' ? globPattern : absoluteOf(globPattern);
  if (glob === undefined || !path.isAbsolute(glob)) return undefined;
  const parts = glob.split('/');
  const wild = parts.findIndex((part) => /[*?[{]/.test(part));
  const fixed = absolutePath(parts.slice(0, wild < 0 ? -1 : wild).join('/') || '/');
  return { directory: fixed, isFlat: !glob.includes('**') };
}

function absoluteOf({
  baseUri,
  pattern,
}: Exclude<FileSystemWatcher['globPattern'], string>): string | undefined {
  const base = uriToPath(typeof baseUri === 'string' ? baseUri : baseUri.uri);
  return base === undefined ? undefined : path.posix.join(base.replaceAll(path.sep, '/'), pattern);
}

/** What package managers install is not watched inside the root either. */
function isInstalled(directory: string): boolean {
  return directory.split(path.sep).includes('node_modules');
}

function isWide(directory: AbsPath): boolean {
  return directory === path.parse(directory).root || isInside(absolutePath(homedir()), directory);
}
