/** What an answer lacks because this user may not read it, in one line wherever files are searched. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Roots } from '../workspace/roots.ts';

/** `INCOMPLETE: src/secret may not be read (permission denied), …`. */
export function forbiddenSentence(directories: readonly AbsPath[], roots: Pick<Roots, 'display'>): string {
  const [first] = directories;
  const shown = first === undefined ? '' : roots.display(first);
  const which = directories.length === 1 ? shown : `${directories.length} directories, such as ${shown},`;
  return `INCOMPLETE: ${which} may not be read (permission denied), so that what is in there was not looked at; give this user permission to read it`;
}
