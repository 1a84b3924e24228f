/** What projects are called, as their manifests say: other projects import them by that name. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import { isInside } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import type { Manifest } from './family.ts';
import { languageOfFile } from './lookup.ts';
import { languageTable } from './table.ts';

/** The project at this root, named by its first manifest; two directories that say the same are two copies of it. */
export function projectName(root: string): string | undefined {
  for (const manifest of MANIFESTS) {
    const name = nameIn(manifest, root);
    if (name !== undefined) return `${manifest.file} ${name}`;
  }
  return undefined;
}

/** What other projects write when they mean the one at this root. */
export function importedNames(root: string): readonly string[] {
  const named = (how: Manifest['imported']) =>
    MANIFESTS.filter(({ imported }) => imported === how).flatMap((each) => nameIn(each, root) ?? []);
  const only = named('only-so');
  return only.length > 0 ? only : [...named('also-so'), path.basename(root)];
}

/** The nearest directory above a file with a manifest of its language; nothing above the boundary is looked at. */
export function projectAround(file: string, boundary: string): string | undefined {
  const manifest = languageOfFile(file)?.family.manifest?.file;
  if (manifest === undefined || !isInside(file, boundary)) return undefined;
  const directories = directoriesUpTo(path.dirname(file), boundary);
  return directories.find((directory) => existsSync(path.join(directory, manifest)));
}

const MANIFESTS = languageTable.flatMap(({ manifest }) => manifest ?? []);

function nameIn({ file, name }: Manifest, root: string): string | undefined {
  return name.exec(textOrNothing(path.join(root, file)))?.[1];
}
