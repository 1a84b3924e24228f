/** Finds a file of the plan's language, for servers that do nothing before a file is open. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import { absolutePath } from '../../base/paths.ts';
import type { ServerPlan } from '../../link/server-plan.ts';

const MOST_DIRECTORIES = 500;

/** Breadth first and bounded; undefined when there is none near the root. */
export async function firstSource({ root, languageIds }: ServerPlan): Promise<AbsPath | undefined> {
  const queue: string[] = [root];
  for (let seen = 0; seen < MOST_DIRECTORIES; seen++) {
    const directory = queue.shift();
    if (directory === undefined) return undefined;
    const entries = await entriesOf(directory);
    const source = entries.find(
      (entry) => entry.isFile() && path.extname(entry.name).slice(1).toLowerCase() in languageIds,
    );
    if (source) return absolutePath(path.join(directory, source.name));
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        queue.push(path.join(directory, entry.name));
  }
  return undefined;
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // What cannot be read has no sources.
    return [];
  }
}
