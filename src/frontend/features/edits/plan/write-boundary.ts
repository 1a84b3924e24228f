/**
 * Where edits may write: inside the roots, and there neither into git's own files nor into ours. Links are followed
 * before the check, so that what counts is where the bytes would land.
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { absolutePath, isInside, realPath } from '../../../../shared/base/paths.ts';
import type { Config } from '../../../../shared/config/config.ts';
import { userConfigDirectory } from '../../../../shared/config/state-dir.ts';

export interface BoundaryOptions {
  readonly roots: readonly AbsPath[];
  /** Files and directories of our own, which no tool writes. */
  readonly ours: readonly AbsPath[];
}

/** The boundary of a session. */
export function boundaryOf(
  roots: readonly AbsPath[],
  { stateDir, files, auditLog }: Pick<Config, 'stateDir' | 'files' | 'auditLog'>,
): WriteBoundary {
  const record = auditLog === undefined ? [] : [auditLog];
  return new WriteBoundary({ roots, ours: [stateDir, userConfigDirectory(), ...files, ...record] });
}

export class WriteBoundary {
  readonly #roots: readonly AbsPath[];
  readonly #ours: readonly AbsPath[];

  constructor({ roots, ours }: BoundaryOptions) {
    this.#roots = roots.map(realPath);
    this.#ours = [...ours, ...ours.map(realPath)];
  }

  /** Where a text would be written: a link to a file is followed, so that it stays a link. */
  textAt(file: AbsPath): AbsPath {
    const real = realPath(file);
    this.#check(file, real);
    if (isLink(real)) refuse(file, 'it is a symbolic link that leads nowhere');
    return real;
  }

  /** A name that is to be made, moved or removed: a link is meant itself, only its directory is resolved. */
  nameAt(file: AbsPath): AbsPath {
    const real = absolutePath(path.join(realPath(absolutePath(path.dirname(file))), path.basename(file)));
    this.#check(file, real);
    if (this.#roots.includes(real)) refuse(file, 'it is a root of the workspace');
    return real;
  }

  /** For a path that was resolved earlier: it must still lead to the same place. */
  verify(file: AbsPath): void {
    const directory = absolutePath(path.dirname(file));
    this.#check(file, file);
    if (realPath(directory) !== directory) refuse(file, 'a directory above it has become a symbolic link');
  }

  #check(given: AbsPath, real: AbsPath): void {
    const root = this.#roots.find((each) => isInside(real, each));
    if (root === undefined) {
      if (this.#roots.some((each) => isInside(given, each)))
        refuse(given, `it leads out of the workspace roots, to ${real}`);
      fail({ kind: 'outside-roots', path: given, roots: this.#roots });
    }
    // Also `.git` as a file, which a worktree has; and in any spelling, for disks that do not tell them apart.
    if (real.split(path.sep).some((name) => name.toLowerCase() === '.git'))
      refuse(given, 'it belongs to git');
    if (this.#ours.some((own) => isInside(real, own)))
      refuse(given, 'it belongs to agent-lsp’s own configuration or state');
    if (this.#ours.some((own) => own !== real && isInside(own, real) && !this.#roots.includes(real)))
      refuse(given, 'agent-lsp’s own configuration or state is in it');
  }
}

function refuse(file: AbsPath, reason: string): never {
  fail({ kind: 'write-refused', path: file, reason });
}

function isLink(file: AbsPath): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
