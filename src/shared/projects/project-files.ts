/** Files that say what belongs to a project: a change of one changes the answers about all of its sources. */
import path from 'node:path';
import { languageTable } from '../languages/table.ts';

export function isProjectFile(file: string): boolean {
  const name = path.basename(file);
  return languageTable.some(({ projectFiles }) => projectFiles?.test(name) === true);
}
