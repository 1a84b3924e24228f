/**
 * A walk through a tree of directories, breadth first, so that a bound leaves out what is deep rather than what is late
 * in the alphabet. Symbolic links are not followed: they may lead out of the tree, or round in circles.
 */
import type { Dirent } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from './brand.ts';
import { listDirectory, type ReadDirectory } from './list-directory.ts';
import { absolutePath } from './paths.ts';

export interface WalkRules {
  /** Whether the walk goes into a directory. */
  enters(name: string, directory: string): boolean;
  readonly mostEntries?: number;
  /** Asked before each directory. */
  isOver?(): boolean;
  readonly read?: ReadDirectory | undefined;
}

export interface WalkedDirectory {
  readonly directory: string;
  /** With the separator, so that names can be put behind it: there may be thousands. */
  readonly inside: string;
  readonly entries: readonly Dirent[];
}

export class DirectoryWalk implements AsyncIterable<WalkedDirectory> {
  readonly #top: string;
  readonly #rules: WalkRules;
  /** Directories that this user may not read: there may be anything in them. */
  readonly forbidden: AbsPath[] = [];
  #isCut = false;

  constructor(top: string, rules: WalkRules) {
    this.#top = top;
    this.#rules = rules;
  }

  /** True when the walk has ended before its end. */
  get isCut(): boolean {
    return this.#isCut;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WalkedDirectory> {
    const { enters, mostEntries = Number.POSITIVE_INFINITY, isOver, read } = this.#rules;
    const queue = [this.#top];
    let seen = 0;
    for (const directory of queue) {
      if (seen > mostEntries || isOver?.()) {
        this.#isCut = true;
        return;
      }
      const { entries, isForbidden } = await listDirectory(directory, read);
      if (isForbidden) this.forbidden.push(absolutePath(directory));
      seen += entries.length;
      const inside = directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`;
      for (const entry of entries)
        if (entry.isDirectory() && enters(entry.name, `${inside}${entry.name}`))
          queue.push(`${inside}${entry.name}`);
      yield { directory, inside, entries };
    }
  }
}
