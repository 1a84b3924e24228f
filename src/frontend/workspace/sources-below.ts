/** The source files below a directory, without the directories of builds, package managers and editors. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { DirectoryWalk } from '../../shared/base/directory-walk.ts';
import type { ReadDirectory } from '../../shared/base/list-directory.ts';
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
  const walk = new DirectoryWalk(root, {
    enters: (name) => !isSkippedDirectory(name),
    mostEntries: MOST_ENTRIES,
    isOver: () => signal.aborted,
    read,
  });
  for await (const { inside, entries } of walk)
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = absolutePath(`${inside}${entry.name}`);
      if (isSource(file)) files.push(file);
    }
  const { isCut, forbidden } = walk;
  return { files, isWhole: !isCut && forbidden.length === 0, forbidden };
}
