/** What projects are called, as their manifests say: other projects import them by that name. */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { textOrNothing } from '../base/read-text.ts';
import type { Manifest } from './family.ts';
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
export function importedNames(root: AbsPath): readonly string[] {
  const named = (how: Manifest['imported']) =>
    MANIFESTS.filter(({ imported }) => imported === how).flatMap((each) => nameIn(each, root) ?? []);
  const only = named('only-so');
  return only.length > 0 ? only : [...named('also-so'), path.basename(root)];
}

const MANIFESTS = languageTable.flatMap(({ manifest }) => manifest ?? []);

function nameIn({ file, name }: Manifest, root: string): string | undefined {
  return name.exec(textOrNothing(path.join(root, file)))?.[1];
}
