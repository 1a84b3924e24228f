/**
 * Files outside its root that a server wants to be told of: linked packages, path mappings, references, and
 * configurations that projects inherit from. The server names them when it registers watches, and an answer is fresh
 * only if the host has compared these files as well.
 */
import path from 'node:path';
import type { FileSystemWatcher, Registration } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { absolutePath, isInside, uriToPath } from '../../base/paths.ts';
import { linkedDirectories } from '../../projects/linked-directories.ts';

export interface OutsideWatch {
  readonly directory: AbsPath;
  /** Only the files in it, not what is below. */
  readonly isFlat: boolean;
}

export interface OutsideWatches {
  readonly watches: readonly OutsideWatch[];
  /** There are more than can be watched. */
  readonly isShort: boolean;
}

const MOST_WATCHES = 200;

/** Beyond the roots, each directory once; one that is watched as a whole covers what is below it. */
export function outsideWatches(
  registrations: readonly Registration[],
  roots: readonly AbsPath[],
): OutsideWatches {
  const wanted = registrations
    .flatMap(watchersOf)
    .flatMap((watcher) => placeOf(watcher) ?? [])
    .flatMap((watch) => narrowed(watch, roots))
    .filter(({ directory }) => !roots.some((root) => isInside(directory, root)) && !isInstalled(directory));
  const deep = wanted.filter((watch) => !watch.isFlat);
  const isCovered = ({ directory, isFlat }: OutsideWatch) =>
    deep.some((other) => isInside(directory, other.directory) && (isFlat || directory !== other.directory));
  const byKey = new Map(
    wanted.filter((watch) => !isCovered(watch)).map((watch) => [`${watch.directory} ${watch.isFlat}`, watch]),
  );
  const watches = [...byKey.values()];
  return { watches: watches.slice(0, MOST_WATCHES), isShort: watches.length > MOST_WATCHES };
}

/** Servers ask for all of a directory around their root, to hear of packages that may come; what is used is looked for. */
function narrowed(watch: OutsideWatch, roots: readonly AbsPath[]): readonly OutsideWatch[] {
  const inside = roots.filter((root) => root !== watch.directory && isInside(root, watch.directory));
  if (watch.isFlat || inside.length === 0) return [watch];
  const linked = inside.flatMap((root) => linkedDirectories(root, watch.directory));
  return linked.map((directory) => ({ directory, isFlat: false }));
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

/** What package managers install is not watched inside the root either, and neither is what languages bring. */
function isInstalled(directory: string): boolean {
  return INSTALLED.test(`${directory.replaceAll(path.sep, '/')}/`);
}

const INSTALLED =
  /\/(?:node_modules|site-packages|dist-packages|python\d+(?:\.\d+)?|\.pyenv|\.venv|\.cargo|\.rustup|pkg\/mod)\//;
