/** The source files below a directory, without what builds, package managers and editors put there. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../shared/base/brand.ts';
import { absolutePath } from '../shared/base/paths.ts';
import { isSkippedDirectory } from '../shared/languages/detect.ts';

export interface FilesBelow {
  readonly files: readonly AbsPath[];
  /** False when there was too much to look at, or not enough time. */
  readonly isWhole: boolean;
}

const MOST_ENTRIES = 100_000;

export async function sourcesBelow(
  root: AbsPath,
  isSource: (file: AbsPath) => boolean,
  signal: AbortSignal,
): Promise<FilesBelow> {
  const files: AbsPath[] = [];
  const queue: string[] = [root];
  let seen = 0;
  for (const directory of queue) {
    if (seen > MOST_ENTRIES || signal.aborted) return { files, isWhole: false };
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    for (const entry of entries) {
      const file = absolutePath(path.join(directory, entry.name));
      if (entry.isDirectory() && !isSkippedDirectory(entry.name)) queue.push(file);
      else if (entry.isFile() && isSource(file)) files.push(file);
    }
  }
  return { files, isWhole: true };
}
