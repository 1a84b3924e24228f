/**
 * What the disk looked like at the last comparison: the directories and files of a workspace that matter to a server,
 * with a stamp each. Comparing again yields what was created, changed and deleted since, each difference once,
 * whichever way it was noticed. All calls are synchronous: a stat takes less time than asking the thread pool for
 * one.
 */
import type { Stats } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { HiddenDirectories } from '../../projects/hidden-directories.ts';
import type { DiskChange } from './disk-change.ts';
import { hashOf, isSameStamp, listingOf, type Stamp, stampOf, statOf, TICK_MS } from './disk-stamps.ts';
import { type Interest, isUnwatchedDirectory } from './watch-patterns.ts';

export interface TableDeps {
  readonly clock: Clock;
  /** More files and directories than this are not compared. */
  readonly most: number;
  interest(file: string): Interest;
  /** Which hidden directories are left out; all if not said. */
  readonly hidden?: HiddenDirectories | undefined;
  /** Whether a directory is looked into; all if not said. */
  enters?(directory: string): boolean;
  /** Called before a directory is read for the first time, so that nothing can happen in between. */
  directoryAdded?(directory: string): void;
  directoryRemoved?(directory: string): void;
}

interface Directory {
  readonly path: string;
  stamp: Stamp | undefined;
  /** Its next listing may hold files that are not new but were not looked for before. */
  adopting: boolean;
  readonly files: Map<string, KnownFile>;
  readonly directories: Set<string>;
}

interface KnownFile {
  readonly path: AbsPath;
  /** Undefined when only its presence counts. */
  stamp: Stamp | undefined;
  /** Of the text, while the stamp is young. */
  hash: string | undefined;
}

/** Names cost memory but no time. */
const NAMES_PER_STAMP = 10;

export class WorkspaceFiles {
  readonly #root: string;
  readonly #deps: TableDeps;
  readonly #directories = new Map<string, Directory>();
  #unread: Directory[];
  #stamps = 0;
  #names = 0;
  /** What was stamped earlier than this is what the server reads, too. */
  #serverReadsSince = Number.POSITIVE_INFINITY;

  constructor(root: AbsPath, deps: TableDeps) {
    this.#root = root;
    this.#deps = deps;
    this.#unread = [this.#add(root)];
  }

  /** Files and directories whose stamps are compared. */
  get size(): number {
    return this.#stamps;
  }

  get tooLarge(): boolean {
    return this.#stamps > this.#deps.most || this.#names > this.#deps.most * NAMES_PER_STAMP;
  }

  get filled(): boolean {
    return this.#unread.length === 0;
  }

  knowsDirectory(directory: string): boolean {
    return this.#directories.has(directory);
  }

  /** Since this time of day the server reads files, so one that is first seen later counts as changed if it was written later. */
  serverReadsSince(time: number): void {
    this.#serverReadsSince = time - TICK_MS;
  }

  /** Other files matter from now on; they are looked for by the next `fill`. */
  interestChanged(): void {
    this.#unread = [...this.#directories.values()];
    for (const directory of this.#unread) directory.adopting = true;
  }

  /** Reads directories that were not read yet, for about so long; returns what changed behind the server's back. */
  fill(ms: number): DiskChange[] {
    const { clock } = this.#deps;
    const end = clock.now() + ms;
    const changes: DiskChange[] = [];
    while (!this.tooLarge && clock.now() < end) {
      const directory = this.#unread.pop();
      if (!directory) break;
      if (this.#directories.has(directory.path)) this.#read(directory, statOf(directory.path), changes);
    }
    return changes;
  }

  /** Compares everything. */
  sweep(): DiskChange[] {
    const changes = this.fill(Number.POSITIVE_INFINITY);
    for (const directory of [...this.#directories.values()]) this.#compareDirectory(directory, changes);
    const seen = pathsOf(changes);
    for (const { files } of this.#directories.values())
      for (const file of files.values()) if (!seen.has(file.path)) this.#compareFile(file, changes);
    return changes;
  }

  /** Compares these paths, of files or directories, and what must be compared to judge them. */
  look(paths: Iterable<string>): DiskChange[] {
    const changes: DiskChange[] = [];
    const named = [...paths];
    const directories = named.flatMap((each) => [
      this.#nearest(path.dirname(each)),
      this.#directories.get(each),
    ]);
    for (const directory of new Set(directories)) if (directory) this.#compareDirectory(directory, changes);
    const seen = pathsOf(changes);
    for (const each of named) {
      const file = this.#directories.get(path.dirname(each))?.files.get(path.basename(each));
      if (!file || seen.has(each)) continue;
      if (file.stamp) this.#compareFile(file, changes);
      else changes.push({ path: file.path, type: 'change' });
    }
    return changes;
  }

  #nearest(directory: string): Directory | undefined {
    for (let at = directory; ; at = path.dirname(at)) {
      const known = this.#directories.get(at);
      if (known || at === path.dirname(at)) return known;
    }
  }

  #compareDirectory(directory: Directory, changes: DiskChange[]): void {
    if (!this.#directories.has(directory.path)) return;
    const stat = statOf(directory.path);
    const { stamp } = directory;
    if (stat && stamp && !stamp.young && isSameStamp(stamp, stat)) return;
    this.#read(directory, stat, changes);
  }

  /** Brings the table in line with a directory's listing. */
  #read(directory: Directory, stat: Stats | undefined, changes: DiskChange[]): void {
    const stamp = stat && stampOf(stat);
    const listing = stat?.isDirectory() ? listingOf(directory.path) : [];
    // A listing that failed for want of memory or handles says nothing.
    if (!listing) return;
    // Another directory of the same name: a watch of the old one must begin anew with this one.
    if (directory.stamp && stamp && directory.stamp.ino !== stamp.ino)
      this.#deps.directoryAdded?.(directory.path);
    const { adopting } = directory;
    directory.stamp = stamp;
    directory.adopting = false;
    const gone = new Set([...directory.files.keys(), ...directory.directories]);
    for (const entry of listing) {
      if (entry.isDirectory() ? directory.directories.has(entry.name) : directory.files.has(entry.name))
        gone.delete(entry.name);
    }
    for (const name of gone) this.#forget(directory, name, changes);
    for (const entry of listing) {
      if (entry.isDirectory()) this.#foundDirectory(directory, entry.name, adopting, changes);
      else if (entry.isFile() || entry.isSymbolicLink())
        this.#foundFile(directory, entry.name, adopting, changes);
    }
    if (!stat && directory.path !== this.#root) this.#remove(directory);
  }

  #foundDirectory(parent: Directory, name: string, adopting: boolean, changes: DiskChange[]): void {
    if (parent.directories.has(name)) return;
    const child = path.join(parent.path, name);
    if (isUnwatchedDirectory(child, this.#deps.hidden)) return;
    if (this.#deps.enters?.(child) === false) return;
    parent.directories.add(name);
    const directory = this.#add(child);
    if (adopting) {
      this.#unread.push(directory);
      return;
    }
    directory.adopting = false;
    this.#read(directory, statOf(directory.path), changes);
  }

  #foundFile(directory: Directory, name: string, adopting: boolean, changes: DiskChange[]): void {
    const known = directory.files.get(name);
    if (known && (known.stamp || !adopting)) return;
    const file = path.join(directory.path, name) as AbsPath;
    const interest = this.#deps.interest(file);
    if (!interest) return;
    const stat = interest === 'text' ? statOf(file) : undefined;
    // Gone again, or a link to a directory.
    if (interest === 'text' && !stat?.isFile()) return;
    if (stat) this.#stamps++;
    if (!known) this.#names++;
    directory.files.set(name, { path: file, ...(stat ? stamped(file, stat) : UNSTAMPED) });
    if (!adopting) changes.push({ path: file, type: 'create' });
    else if (stat && stat.ctimeMs >= this.#serverReadsSince)
      changes.push({ path: file, type: stat.birthtimeMs >= this.#serverReadsSince ? 'create' : 'change' });
  }

  #compareFile(file: KnownFile, changes: DiskChange[]): void {
    const { stamp, hash } = file;
    if (!stamp) return;
    const stat = statOf(file.path);
    if (!stat) {
      const parent = this.#directories.get(path.dirname(file.path));
      if (parent) this.#forget(parent, path.basename(file.path), changes);
      return;
    }
    const isSame = isSameStamp(stamp, stat);
    if (isSame && !stamp.young) return;
    Object.assign(file, stamped(file.path, stat));
    if (isSame && hash !== undefined && hash === (file.hash ?? hashOf(file.path, stat))) return;
    changes.push({ path: file.path, type: 'change' });
  }

  #forget(directory: Directory, name: string, changes: DiskChange[]): void {
    const file = directory.files.get(name);
    if (file) {
      directory.files.delete(name);
      this.#names--;
      if (file.stamp) this.#stamps--;
      changes.push({ path: file.path, type: 'delete' });
    }
    const child = directory.directories.delete(name)
      ? this.#directories.get(path.join(directory.path, name))
      : undefined;
    if (!child) return;
    for (const each of [...child.files.keys(), ...child.directories]) this.#forget(child, each, changes);
    this.#remove(child);
  }

  #add(directory: string): Directory {
    this.#deps.directoryAdded?.(directory);
    const added: Directory = {
      path: directory,
      stamp: undefined,
      adopting: true,
      files: new Map(),
      directories: new Set(),
    };
    this.#directories.set(directory, added);
    this.#stamps++;
    return added;
  }

  #remove(directory: Directory): void {
    if (!this.#directories.delete(directory.path)) return;
    this.#stamps--;
    this.#deps.directoryRemoved?.(directory.path);
    this.#directories.get(path.dirname(directory.path))?.directories.delete(path.basename(directory.path));
  }
}

const UNSTAMPED = { stamp: undefined, hash: undefined } as const;

function stamped(file: string, stat: Stats): Pick<KnownFile, 'stamp' | 'hash'> {
  const stamp = stampOf(stat);
  return { stamp, hash: stamp.young ? hashOf(file, stat) : undefined };
}

function pathsOf(changes: readonly DiskChange[]): ReadonlySet<string> {
  return new Set(changes.map((change) => change.path));
}
