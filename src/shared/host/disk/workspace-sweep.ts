/**
 * Decides when the host compares the disk with what it was: everything before an answer that needs it, or, while the
 * silence of a watcher can be trusted, only where the watcher hinted. All comparisons use one table, so that no
 * change is found twice or lost.
 * Decision: docs/decisions/host.md#what-changed-on-disk
 */
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { Log } from '../../base/log.ts';
import { HiddenDirectories } from '../../projects/hidden-directories.ts';
import type { ChangeType, DiskChange } from './disk-change.ts';
import { DirectoryBells, watchTree } from './disk-hints.ts';
import { statOf } from './disk-stamps.ts';
import { isBelowSkipped, type WatchPatterns } from './watch-patterns.ts';
import { WorkspaceFiles } from './workspace-files.ts';

export interface SweepDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** `flickered` came and went, or went and came, since the last comparison; what of it is seen is among the changes. */
  found(changes: readonly DiskChange[], flickered: readonly string[]): void;
}

export interface SweepOptions {
  /** More files and directories than this are left to the watcher alone. */
  readonly most?: number;
  /** False takes silence of the watches for nothing, as on file systems that others can write. */
  readonly trustWatches?: boolean;
  /** Whether a directory is looked into; all if not said. */
  readonly enters?: ((directory: string) => boolean) | undefined;
  /**
   * Beyond the folders of the server, where hidden directories are left out. Where there is too much to compare, nothing is
   * known; no watcher is set on all of it.
   */
  readonly isOutside?: boolean;
}

/** About 20,000 files with their directories. */
const MOST_STAMPS = 22_000;
/** Up to this many (about 5,000 files) a comparison is quick enough to be made before each answer that needs it. */
const ALWAYS_COMPARED = 6_000;
/** A comparison of everything takes at most this part of the time. */
const SHARE = 10;
/** How long silence is trusted: writes through a memory map or another hard link make no sound. */
const SILENCE_MS = { spansFiles: 2_000, oneFile: 30_000 } as const;
const ONE_FILE_MS = 250;
/** Before the handshake, while the server's process is starting anyway. */
const FIRST_SLICE_MS = 20;
const SLICE_MS = 8;
const QUIET_MS = 150;
const LONGEST_QUIET_MS = 2_000;
const MOST_SINGLE_LOOKS = 200;
const HEARING_MS = 1_000;

export class WorkspaceSweep {
  readonly #root: AbsPath;
  readonly #deps: SweepDeps;
  readonly #most: number;
  readonly #options: SweepOptions;
  readonly #bells: DirectoryBells;
  readonly #hidden: HiddenDirectories | undefined;
  readonly #hints = new Map<string, ChangeType | undefined>();
  /** How often a name came or went since the last comparison. */
  readonly #comings = new Map<string, number>();
  /** Changes that were found and should have been heard. */
  readonly #unheard = new Set<string>();
  readonly #timers = new Set<Disposable>();
  #table: WorkspaceFiles | undefined;
  #filling: Promise<void> | undefined;
  #tree: Promise<AsyncDisposable | undefined> | undefined;
  #hintsSince: number | undefined;
  #lastHintAt = 0;
  #lastSweep = { at: Number.NEGATIVE_INFINITY, ms: 0 };
  #certain = false;
  #disposed = false;

  constructor(root: AbsPath, deps: SweepDeps, options: SweepOptions = {}) {
    this.#root = root;
    this.#deps = deps;
    this.#most = options.most ?? MOST_STAMPS;
    this.#options = options;
    this.#hidden = options.isOutside ? undefined : new HiddenDirectories(root, deps.clock);
    this.#bells = new DirectoryBells(root, (...hint) => this.#hear(...hint), deps.log);
    if (options.trustWatches === false) this.#bells.giveUp('not to be trusted');
  }

  /** Whether at the last `catchUp` that spanned files all of the disk was known; if not, an answer may be older than it. */
  get certain(): boolean {
    return this.#certain;
  }

  /** Takes the first stamps. Before `since`, a time of day, the server read nothing. */
  begin(interest: WatchPatterns['interest'], since: number | undefined): void {
    const table = new WorkspaceFiles(this.#root, {
      clock: this.#deps.clock,
      most: this.#most,
      interest,
      hidden: this.#hidden,
      ...(this.#options.enters ? { enters: this.#options.enters } : {}),
      directoryAdded: (directory) => this.#bells.add(directory),
      directoryRemoved: (directory) => this.#bells.remove(directory),
    });
    this.#table = table;
    if (since === undefined) table.fill(FIRST_SLICE_MS);
    table.serverReadsSince(since ?? Date.now());
    this.#fill(table);
    if (!this.#bells.reliable) this.#watchTree();
  }

  get begun(): boolean {
    return this.#table !== undefined || this.#tree !== undefined;
  }

  /** Other files matter now. */
  interestChanged(): void {
    if (!this.#table) return;
    this.#table.interestChanged();
    this.#fill(this.#table);
  }

  /** After this, whatever was on disk when it was called has been found. */
  async catchUp({ spansFiles }: { readonly spansFiles: boolean }): Promise<void> {
    do {
      while (spansFiles && this.#filling) await this.#filling;
      if (this.#bells.reliable && this.#table) await this.#bells.drained();
      // More files may have begun to matter meanwhile.
    } while (spansFiles && this.#filling);
    const isCertain = this.#compareIfNeeded(spansFiles);
    if (spansFiles) this.#certain = isCertain;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    for (const timer of this.#timers) timer[Symbol.dispose]();
    this.#bells.dispose();
    this.#hints.clear();
    await (await this.#tree)?.[Symbol.asyncDispose]();
  }

  /** Whether all of the disk is known afterwards. */
  #compareIfNeeded(spansFiles: boolean): boolean {
    const table = this.#table;
    if (!table) this.#tellHints();
    if (!table?.filled || this.#disposed) return false;
    const due = this.#isDue(table, spansFiles);
    if (due || this.#hints.size > 0) this.#compare(table, due);
    return due || this.#bells.reliable;
  }

  #isDue(table: WorkspaceFiles, spansFiles: boolean): boolean {
    const age = this.#deps.clock.now() - this.#lastSweep.at;
    const share = this.#lastSweep.ms * SHARE;
    if (this.#bells.reliable)
      return age >= Math.max(share, spansFiles ? SILENCE_MS.spansFiles : SILENCE_MS.oneFile);
    if (spansFiles) return table.size <= ALWAYS_COMPARED || age >= share;
    return age >= Math.max(share, ONE_FILE_MS);
  }

  #compare(table: WorkspaceFiles, everything: boolean): void {
    const { clock } = this.#deps;
    const began = clock.now();
    const hints = [...this.#hints.keys()];
    const whole = everything || hints.length > MOST_SINGLE_LOOKS;
    const changes = whole ? table.sweep() : table.look(hints);
    if (whole) this.#lastSweep = { at: clock.now(), ms: clock.now() - began };
    if (everything) this.#checkHearing(changes);
    const flickered = [...this.#comings].flatMap(([file, times]) => (times > 1 ? [file] : []));
    this.#hints.clear();
    this.#comings.clear();
    this.#hintsSince = undefined;
    if (table.tooLarge) this.#leaveToTheWatcher();
    if (changes.length + flickered.length > 0) this.#deps.found(changes, flickered);
  }

  /** A watch that does not report what is found changed in its directory is deaf, and so are all. */
  #checkHearing(changes: readonly DiskChange[]): void {
    if (!this.#bells.reliable) return;
    for (const { path: file, type } of changes)
      if (type === 'change' && this.#bells.has(path.dirname(file)) && !this.#hints.has(file))
        this.#unheard.add(file);
    if (this.#unheard.size === 0) return;
    this.#after(HEARING_MS, () => {
      const [file] = this.#unheard;
      this.#unheard.clear();
      if (file === undefined) return;
      this.#bells.giveUp(`nothing was heard of a change of ${file}`);
      this.#watchTree();
    });
  }

  #fill(table: WorkspaceFiles): void {
    this.#filling ??= this.#fillRest(table).finally(() => {
      this.#filling = undefined;
      // More may have begun to matter right at the end.
      if (this.#table === table && !table.filled && !this.#disposed) this.#fill(table);
    });
  }

  async #fillRest(table: WorkspaceFiles): Promise<void> {
    const changes: DiskChange[] = [];
    while (!table.filled && !table.tooLarge && !this.#disposed) {
      await new Promise((resolve) => setImmediate(resolve));
      changes.push(...table.fill(SLICE_MS));
    }
    if (this.#disposed) return;
    if (table.tooLarge) this.#leaveToTheWatcher();
    if (changes.length > 0) this.#deps.found(changes, []);
  }

  #leaveToTheWatcher(): void {
    this.#deps.log.warn('too many files to compare before each answer', {
      root: this.#root,
      most: this.#most,
    });
    this.#table = undefined;
    this.#bells.giveUp('too many files');
    this.#watchTree();
  }

  #watchTree(): void {
    if (this.#disposed || this.#options.isOutside) return;
    this.#tree ??= watchTree(this.#root, (file, type) => this.#hear(file, type), this.#deps.log);
  }

  #hear(file: string, type?: ChangeType, comesOrGoes = false): void {
    if (this.#disposed || isBelowSkipped(file, this.#root, this.#hidden)) return;
    this.#unheard.delete(file);
    this.#hints.set(file, type);
    if (comesOrGoes) this.#comings.set(file, (this.#comings.get(file) ?? 0) + 1);
    this.#lastHintAt = this.#deps.clock.now();
    if (this.#hintsSince !== undefined) return;
    this.#hintsSince = this.#lastHintAt;
    this.#after(QUIET_MS, () => this.#whenQuiet());
  }

  /** Tells without being asked, so that the server can begin to work; but not in the middle of a branch switch. */
  #whenQuiet(): void {
    if (this.#hintsSince === undefined) return;
    const now = this.#deps.clock.now();
    const left = QUIET_MS - (now - this.#lastHintAt);
    if (left > 0 && now - this.#hintsSince < LONGEST_QUIET_MS) {
      this.#after(left, () => this.#whenQuiet());
      return;
    }
    if (this.#table?.filled) this.#compare(this.#table, false);
    else if (!this.#table) this.#tellHints();
    else this.#after(QUIET_MS, () => this.#whenQuiet());
  }

  /** Without a table the watcher has to be believed. */
  #tellHints(): void {
    const changes = [...this.#hints].map(([file, type]): DiskChange => {
      const isThere = statOf(file) !== undefined;
      return { path: file as AbsPath, type: !isThere ? 'delete' : type === 'create' ? 'create' : 'change' };
    });
    this.#hints.clear();
    this.#hintsSince = undefined;
    if (changes.length > 0) this.#deps.found(changes, []);
  }

  #after(ms: number, callback: () => void): void {
    const timer = this.#deps.clock.after(ms, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }
}
