/** The disk as the search for roots sees it, so that tests can bring one of their own. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface RootProbe {
  exists(file: string): boolean;
  /** Names in a directory; empty when it cannot be read. */
  names(directory: string): readonly string[];
  /** The text of a file; undefined when it cannot be read. */
  read(file: string): string | undefined;
}

export const diskProbe: RootProbe = {
  exists: existsSync,
  names(directory) {
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  },
  read(file) {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  },
};
