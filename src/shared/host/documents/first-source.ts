/** Finds a file of the plan's language, for servers that do nothing before a file is open. */
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import { DirectoryWalk } from '../../base/directory-walk.ts';
import { readSorted } from '../../base/list-directory.ts';
import { absolutePath } from '../../base/paths.ts';
import type { ServerPlan } from '../../link/server-plan.ts';

const MOST_DIRECTORIES = 500;

/** Bounded; undefined when there is none near the root. */
export async function firstSource({ root, languageIds }: ServerPlan): Promise<AbsPath | undefined> {
  let seen = 0;
  const walk = new DirectoryWalk(root, {
    enters: (name) => !name.startsWith('.') && name !== 'node_modules',
    isOver: () => seen++ >= MOST_DIRECTORIES,
    read: readSorted,
  });
  for await (const { inside, entries } of walk) {
    const source = entries.find(
      (entry) => entry.isFile() && path.extname(entry.name).slice(1).toLowerCase() in languageIds,
    );
    if (source) return absolutePath(`${inside}${source.name}`);
  }
  return undefined;
}
