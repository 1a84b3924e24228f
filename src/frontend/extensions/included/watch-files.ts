/**
 * Tells of changes of files with certain names below a root, while a client wants to hear of them. Directories that come
 * later are not watched.
 */
import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { absolutePath } from '../../../shared/base/paths.ts';
import { sourcesBelow } from '../../workspace/sources-below.ts';

const MOST_DIRECTORIES = 200;

/** The root itself is watched for new ones in any case. Returns what ends it. */
export function watchFiles(
  root: string,
  isMeant: (name: string) => boolean,
  changed: () => void,
): () => void {
  const end = new AbortController();
  const watchers: FSWatcher[] = [];
  const begin = (directory: string) => {
    if (end.signal.aborted) return;
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name === null || isMeant(name)) changed();
    });
    // A directory that goes has nothing more to say.
    watcher.on('error', () => watcher.close());
    watchers.push(watcher);
  };
  begin(root);
  const isWanted = (file: string) => isMeant(path.basename(file));
  sourcesBelow(absolutePath(root), isWanted, end.signal).then(
    ({ files }) => {
      const directories = new Set(files.map((file) => path.dirname(file)));
      directories.delete(root);
      for (const directory of [...directories].slice(0, MOST_DIRECTORIES)) begin(directory);
    },
    () => {},
  );
  return () => {
    end.abort();
    for (const watcher of watchers) watcher.close();
  };
}
