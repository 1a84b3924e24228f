/** Files of a directory that have a word in them: where a use can be, found without a server. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { absolutePath } from '../../shared/base/paths.ts';
import { isSkippedDirectory } from '../../shared/languages/detect.ts';

export interface Mentions {
  readonly files: readonly AbsPath[];
  /** False when there was too much to look at, or not enough time. */
  readonly isWhole: boolean;
}

const MOST_ENTRIES = 100_000;
const AT_ONCE = 16;
const LARGEST = 2 * 1024 * 1024;

export async function filesMentioning(
  root: AbsPath,
  name: string,
  isSource: (file: AbsPath) => boolean,
  signal: AbortSignal,
): Promise<Mentions> {
  const { files, isWhole } = await sourcesBelow(root, isSource, signal);
  const found: AbsPath[] = [];
  const queue = files[Symbol.iterator]();
  const work = async () => {
    for (const file of queue) {
      if (signal.aborted) return;
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text.length <= LARGEST && text.includes(name)) found.push(file);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { files: found.sort(), isWhole: isWhole && !signal.aborted };
}

export async function sourcesBelow(
  root: AbsPath,
  isSource: (file: AbsPath) => boolean,
  signal: AbortSignal,
): Promise<Mentions> {
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
