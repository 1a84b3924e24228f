/**
 * One source file of each project below a root. Several servers know a project only after a file of it was opened,
 * so a question about the workspace as a whole has to bring some.
 */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { DirectoryWalk } from '../base/directory-walk.ts';
import { readSorted } from '../base/list-directory.ts';
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
  const projectOf = new Map<string, string>();
  const walk = new DirectoryWalk(root, {
    enters: (name) => !isSkippedDirectory(name),
    mostEntries: MOST_ENTRIES,
    isOver: () => samples.size >= MOST_PROJECTS,
    read: readSorted,
  });
  for await (const { directory, inside, entries } of walk) {
    const isProject = entries.some(({ name }) =>
      family.rootMarkers.some((marker) => matchesMarker(name, marker)),
    );
    const own = isProject ? directory : (projectOf.get(path.dirname(directory)) ?? root);
    projectOf.set(directory, own);
    const sample = entries.find((entry) => entry.isFile() && languageOfFile(entry.name, [family]));
    if (sample && !samples.has(own)) samples.set(own, absolutePath(`${inside}${sample.name}`));
  }
  return [...samples.values()].slice(0, MOST_PROJECTS);
}
