/** Files of other kinds than a language's own sources whose code may use its symbols. */
import path from 'node:path';
import { languageById } from '../languages/lookup.ts';

/** Whether a file is one of them, by its name. */
export function otherKindsOf(language: string): (file: string) => boolean {
  const kinds = new Set(languageById(language)?.family.usedIn);
  return kinds.size === 0 ? () => false : (file) => kinds.has(path.extname(file).slice(1).toLowerCase());
}
