/**
 * One source file of each project below a root. Several servers know a project only after a file of it was opened,
 * so a question about the workspace as a whole has to bring some.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import { isSkippedDirectory } from '../languages/detect.ts';
import type { LanguageFamily } from '../languages/family.ts';
import { languageOfFile } from '../languages/lookup.ts';
import { matchesMarker } from '../languages/roots.ts';

const MOST_PROJECTS = 8;
const MOST_ENTRIES = 10_000;

/** Breadth first and bounded: projects that are very deep or very many are left out. */
export async function sampleProjects(root: AbsPath, family: LanguageFamily): Promise<readonly AbsPath[]> {
  const samples = new Map<string, AbsPath>();
  const queue = [{ directory: `${root}`, project: `${root}` }];
  let seen = 0;
  for (const { directory, project } of queue) {
    const entries = await entriesOf(directory);
    seen += entries.length;
    const isProject = entries.some(({ name }) =>
      family.rootMarkers.some((marker) => matchesMarker(name, marker)),
    );
    const own = isProject ? directory : project;
    for (const entry of entries) {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory() && !isSkippedDirectory(entry.name))
        queue.push({ directory: file, project: own });
      else if (entry.isFile() && !samples.has(own) && languageOfFile(entry.name, [family]))
        samples.set(own, absolutePath(file));
    }
    if (samples.size >= MOST_PROJECTS || seen > MOST_ENTRIES) break;
  }
  return [...samples.values()].slice(0, MOST_PROJECTS);
}

async function entriesOf(directory: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A directory that cannot be read has no sample.
    return [];
  }
}
