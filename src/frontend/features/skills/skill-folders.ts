/** The skills that are on disk: in this package, and below any folder, two levels deep. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listDirectory } from '../../../shared/base/list-directory.ts';
import { packageRootOf } from '../../../shared/languages/environment.ts';

export const MANIFEST = 'SKILL.md';
const LEVELS = 2;

/** Of this package, from any file in it. */
export function packagedSkills(fileOfPackage: string): string {
  return path.join(packageRootOf(fileOfPackage), 'skills');
}

/** Absolute paths of folders with a SKILL.md, sorted. A skill holds no other skills, and links are not followed. */
export async function skillFoldersBelow(directory: string, levels = LEVELS): Promise<readonly string[]> {
  const { entries } = await listDirectory(directory);
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(directory, name));
  const found = await Promise.all(
    folders.map(async (folder) => {
      const { entries: inside } = await listDirectory(folder);
      if (inside.some((entry) => entry.name === MANIFEST && entry.isFile())) return [folder];
      return levels > 1 ? skillFoldersBelow(folder, levels - 1) : [];
    }),
  );
  return found.flat().toSorted();
}

export async function manifestOf(skillsDirectory: string, skill: string): Promise<string> {
  return readFile(path.join(skillsDirectory, skill, MANIFEST), 'utf8');
}
