/** Reading a file for its content only, where one that cannot be read has nothing to show. */
import { readFileSync } from 'node:fs';

/** The text of a file; empty when it cannot be read. */
export function textOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
