/** Walking up from a directory, always with an end: nothing above the boundary is ever looked at. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from './brand.ts';
import { absolutePath, isInside } from './paths.ts';

/** `start` and its parents up to and including `boundary`; only the boundary when `start` is not inside it. */
export function directoriesUpTo(start: string, boundary: string): readonly string[] {
  if (!isInside(start, boundary)) return [boundary];
  const directories: string[] = [];
  for (let directory = start; ; directory = path.dirname(directory)) {
    directories.push(directory);
    if (path.relative(boundary, directory) === '' || path.dirname(directory) === directory)
      return directories;
  }
}

/** How far up tools of a root are searched when nobody said: its repository, or the root alone. */
export function defaultBoundary(root: AbsPath): AbsPath {
  for (let directory: string = root; ; directory = path.dirname(directory)) {
    if (existsSync(path.join(directory, '.git'))) return absolutePath(directory);
    if (path.dirname(directory) === directory) return root;
  }
}
