/** Listing a directory for those who search it: one that may not be read is not the same as one that is empty. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { systemCode } from './failure.ts';

export interface Listing {
  readonly entries: readonly Dirent[];
  /** There may be anything in it. */
  readonly isForbidden: boolean;
}

export type ReadDirectory = (directory: string) => Promise<readonly Dirent[]>;

const readEntries: ReadDirectory = (directory) => readdir(directory, { withFileTypes: true });

/** For those who stop before the end: which entries they have seen must not depend on the file system. */
export const readSorted: ReadDirectory = async (directory) =>
  (await readEntries(directory)).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** What is gone meanwhile is empty. */
export async function listDirectory(directory: string, read = readEntries): Promise<Listing> {
  try {
    return { entries: await read(directory), isForbidden: false };
  } catch (error) {
    return { entries: [], isForbidden: isForbidden(error) };
  }
}

/** Whether the system has refused something to this user. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(systemCode(error) ?? '');
}
