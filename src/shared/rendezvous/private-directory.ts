/**
 * Directories that only this user may enter. The directory, not the socket in it, is what keeps others out:
 * removing a file needs write permission on the directory, and `mkdir` does not repair one that is already there.
 */
import { chmodSync, lstatSync, type Stats } from 'node:fs';
import { makeDirectories } from '../base/directories.ts';
import { FailureError, messageOf } from '../base/failure.ts';

export interface DirectoryOwner {
  readonly platform: NodeJS.Platform;
  /** Ignored on Windows, where the profile directory's own access list protects what is in it. */
  readonly uid: number;
}

export function currentOwner(): DirectoryOwner {
  return { platform: process.platform, uid: process.getuid?.() ?? -1 };
}

/** Makes the directory (and its parents) private; throws `broker-unavailable` when it cannot be trusted. */
export function ensurePrivateDirectory(directory: string, owner: DirectoryOwner = currentOwner()): void {
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw new FailureError(
      { kind: 'broker-unavailable', reason: `cannot create ${directory}: ${messageOf(error)}` },
      { cause: error },
    );
  }
  const problem = trustProblem(directory, owner);
  if (problem) throw new FailureError({ kind: 'broker-unavailable', reason: problem });
  if (owner.platform !== 'win32' && (lstatSync(directory).mode & 0o777) !== 0o700)
    chmodSync(directory, 0o700);
}

/** True if the directory exists, is mine and nobody else can enter it; changes nothing. */
export function isPrivateDirectory(directory: string, owner: DirectoryOwner = currentOwner()): boolean {
  try {
    const stat = lstatSync(directory);
    if (owner.platform === 'win32') return stat.isDirectory();
    return stat.isDirectory() && stat.uid === owner.uid && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** Why nothing in this directory may be believed; undefined also when it does not exist. Changes nothing. */
export function trustProblem(directory: string, owner: DirectoryOwner = currentOwner()): string | undefined {
  const stat = tryLstat(directory);
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return `${directory} is a symbolic link`;
  if (!stat.isDirectory()) return `${directory} is not a directory`;
  if (owner.platform !== 'win32' && stat.uid !== owner.uid)
    return `${directory} belongs to user ${stat.uid}, not to ${owner.uid}`;
  return undefined;
}

function tryLstat(directory: string): Stats | undefined {
  try {
    return lstatSync(directory);
  } catch {
    // The next use of it fails and says why it is not there.
    return undefined;
  }
}
