/** Making directories with their parents. Node's own `recursive` never returns below /proc, where mkdir says ENOENT. */
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from './failure.ts';

export function makeDirectories(directory: string, mode: number): void {
  const missingParent = make(directory, mode);
  if (!missingParent) return;
  if (path.dirname(directory) === directory) throw missingParent;
  makeDirectories(path.dirname(directory), mode);
  // Once more only: if it still cannot be made, the parent is not one in which directories can be made.
  const stillMissing = make(directory, mode);
  if (stillMissing) throw stillMissing;
}

/** Undefined when the directory is there, the error when its parent is not; throws any other. */
function make(directory: string, mode: number): unknown {
  try {
    mkdirSync(directory, { mode });
    return undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return error;
    if (systemCode(error) === 'EEXIST' && statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      return undefined;
    throw error;
  }
}
