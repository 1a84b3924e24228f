/** The source files below a directory, without the directories of builds, package managers and editors. */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { listDirectory, type ReadDirectory } from '../../shared/base/list-directory.ts';
import { absolutePath } from '../../shared/base/paths.ts';
import { isSkippedDirectory } from '../../shared/languages/detect.ts';

export interface FilesBelow {
  readonly files: readonly AbsPath[];
  /** False when there was too much to look at, not enough time, or something that may not be read. */
  readonly isWhole: boolean;
  /** Directories that this user may not read. */
  readonly forbidden: readonly AbsPath[];
}

const MOST_ENTRIES = 100_000;

export async function sourcesBelow(
  root: AbsPath,
  isSource: (file: AbsPath) => boolean,
  signal: AbortSignal,
  read?: ReadDirectory,
): Promise<FilesBelow> {
  const files: AbsPath[] = [];
  const forbidden: AbsPath[] = [];
  const queue: AbsPath[] = [root];
  let seen = 0;
  for (const directory of queue) {
    if (seen > MOST_ENTRIES || signal.aborted) return { files, isWhole: false, forbidden };
    const { entries, isForbidden } = await listDirectory(directory, read);
    if (isForbidden) forbidden.push(directory);
    seen += entries.length;
    for (const entry of entries) {
      const file = absolutePath(path.join(directory, entry.name));
      if (entry.isDirectory() && !isSkippedDirectory(entry.name)) queue.push(file);
      else if (entry.isFile() && isSource(file)) files.push(file);
    }
  }
  return { files, isWhole: forbidden.length === 0, forbidden };
}
