/**
 * How the host notices that a file or directory has changed: by its stamp, and by its text while it is so young that
 * a further write could leave the same stamp.
 */
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { systemCode } from '../../base/failure.ts';

export interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly young: boolean;
}

/** File systems stamp with the time of the last timer tick. */
export const TICK_MS = 10;
const YOUNG_MS = 50;
const MOST_HASHED_BYTES = 4 * 1024 * 1024;
const QUIET = { throwIfNoEntry: false } as const;
const OUT_OF_RESOURCES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'];

/** Without bigints, which take twice as long; the fractions of a millisecond are in the number. */
export function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, QUIET);
  } catch {
    // Not to be reached is as good as gone, for the server as for us.
    return undefined;
  }
}

export function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): Stamp {
  return { ino, size, mtimeMs, ctimeMs, young: Date.now() - ctimeMs <= YOUNG_MS };
}

export function isSameStamp(a: Stamp, b: Stats): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** Undefined when the text cannot be compared; then it counts as another one. */
export function hashOf(file: string, stat: Stats): string | undefined {
  if (!stat.isFile() || stat.size > MOST_HASHED_BYTES) return undefined;
  try {
    return createHash('sha1').update(readFileSync(file)).digest('base64');
  } catch {
    return undefined;
  }
}

/** Undefined when the listing says nothing about what is there. */
export function listingOf(directory: string): Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    return OUT_OF_RESOURCES.includes(systemCode(error) ?? '') ? undefined : [];
  }
}
