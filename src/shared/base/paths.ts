/**
 * The one place where paths and URIs are made from each other.
 * Servers spell URIs in their own ways (drive letters, percent-encoding), so comparisons are made on paths.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AbsPath, DocUri } from './brand.ts';

/** Makes a path absolute against `base`, or else the working directory, which may be gone and is only asked for if it matters. */
export function absolutePath(file: string, base?: string): AbsPath {
  return (base === undefined ? path.resolve(file) : path.resolve(base, file)) as AbsPath;
}

export function pathToUri(file: AbsPath, windows: boolean = process.platform === 'win32'): DocUri {
  if (!windows && PLAIN_PATH.test(file) && !DOTS.test(file)) return `file://${file}` as DocUri;
  return pathToFileURL(file, { windows }).href as DocUri;
}

/** The path of a `file:` URI, or undefined for any other scheme (`jdt:`, `untitled:`, ...). */
export function uriToPath(uri: string, windows: boolean = process.platform === 'win32'): AbsPath | undefined {
  if (!uri.startsWith('file:')) return undefined;
  if (!windows && uri.startsWith('file:///')) {
    const file = uri.slice('file://'.length);
    if (PLAIN_PATH.test(file) && !DOTS.test(file)) return file as AbsPath;
  }
  try {
    return normalizeDrive(fileURLToPath(uri, { windows })) as AbsPath;
  } catch {
    return undefined;
  }
}

/**
 * Resolves symlinks of the longest part of the path that exists and keeps the rest as it is,
 * so that a file about to be created is judged by where it would really land.
 */
export function realPath(file: AbsPath): AbsPath {
  let existing: string = file;
  const missing: string[] = [];
  for (;;) {
    try {
      return normalizeDrive(path.join(realpathSync.native(existing), ...missing)) as AbsPath;
    } catch (error) {
      const parent = path.dirname(existing);
      if (parent === existing || !isMissing(error)) return file;
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
}

export function isInside(file: string, root: string): boolean {
  if (file.startsWith(root) && file[root.length] === path.sep && !DOTS.test(file)) return true;
  const relative = path.relative(root, file);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** In a path without these the spelling alone says where it leads. */
const DOTS = /[\\/]\.\.?([\\/]|$)/;
/** Characters that stand for themselves in a URI. */
const PLAIN_PATH = /^\/[\w\-.~/]*$/;

/** A path as shown to agents: relative to the printed root with forward slashes, absolute outside it. */
export function displayPath(file: AbsPath, root: AbsPath): string {
  // Both are normalized, so that the spelling decides; this is asked for every file of long answers.
  const isBelow = file.startsWith(root) && file[root.length] === path.sep;
  if (!isBelow && !isInside(file, root)) return file;
  const relative = isBelow ? file.slice(root.length + 1) : path.relative(root, file);
  return (path.sep === '/' ? relative : relative.replaceAll(path.sep, '/')) || '.';
}

function normalizeDrive(file: string): string {
  return /^[a-z]:[\\/]/.test(file) ? file.charAt(0).toUpperCase() + file.slice(1) : file;
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
