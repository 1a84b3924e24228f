/** Files of a directory that contain a word, found without a server: only these can use the symbol of that name. */
import { readFile } from 'node:fs/promises';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { isForbidden } from '../../../../shared/base/list-directory.ts';
import { eachBounded } from '../../../../shared/base/pool.ts';
import { type FilesBelow, sourcesBelow } from '../../../workspace/sources-below.ts';

const AT_ONCE = 16;
const LARGEST = 2 * 1024 * 1024;

export async function filesMentioning(
  root: AbsPath,
  name: string,
  isSource: (file: AbsPath) => boolean,
  signal: AbortSignal,
): Promise<FilesBelow> {
  const { files, isWhole, forbidden } = await sourcesBelow(root, isSource, signal);
  const found: AbsPath[] = [];
  let isRead = true;
  await eachBounded(files, AT_ONCE, async (file) => {
    if (signal.aborted) return;
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (isForbidden(error)) isRead = false;
      return '';
    });
    if (text.length <= LARGEST && text.includes(name)) found.push(file);
  });
  return { files: found.sort(), isWhole: isWhole && isRead && !signal.aborted, forbidden };
}
