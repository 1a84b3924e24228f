/** What an answer lacks because this user may not read it, in one line wherever files are searched. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Roots } from '../workspace/roots.ts';
import type { Incomplete } from './incomplete.ts';

export function forbiddenReason(directories: readonly AbsPath[], roots: Pick<Roots, 'display'>): Incomplete {
  const [first] = directories;
  const shown = first === undefined ? '' : roots.display(first);
  const which = directories.length === 1 ? shown : `${directories.length} directories, such as ${shown},`;
  return {
    reason: `${which} may not be read (permission denied), so that what is in there was not looked at; give this user permission to read it`,
  };
}
