import { readFileSync } from 'node:fs';

/** The text of a file, or nothing when it cannot be read: for looking, where a missing file has nothing to show. */
export function textOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
