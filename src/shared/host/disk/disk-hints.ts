/**
 * Hints at files that may have changed on disk; workspace-sweep.ts then compares them. Linux queues an event before
 * the writing call returns, so there a silent watch on each directory proves that nothing was written. Elsewhere, and
 * for large trees, a recursive watcher reports some time later.
 */
import { type FSWatcher, statfsSync, watch } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import type { ChangeType } from './disk-change.ts';
import { SKIPPED_DIRECTORIES } from './watch-patterns.ts';

/**
 * The type is what the watcher believes; it is needed only where there is nothing to compare with. `comesOrGoes` where
 * each coming and going of a name is told apart from changes of its text.
 */
export type DiskHint = (file: string, type?: ChangeType, comesOrGoes?: boolean) => void;

/** File systems of this machine only: on all others another machine can write without our kernel knowing. */
const LOCAL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
]);

/** One watch for each directory that is added; `reliable` while each of them could be set. */
export class DirectoryBells {
  readonly #hint: DiskHint;
  readonly #log: Log;
  readonly #watchers = new Map<string, FSWatcher>();
  #reliable: boolean;

  constructor(root: AbsPath, hint: DiskHint, log: Log) {
    this.#hint = hint;
    this.#log = log;
    this.#reliable = canBeHeard(root);
  }

  /** Silence after `drained` means that nothing was written. */
  get reliable(): boolean {
    return this.#reliable;
  }

  has(directory: string): boolean {
    return this.#watchers.has(directory);
  }

  add(directory: string): void {
    this.remove(directory);
    if (!this.#reliable) return;
    try {
      const watcher = watch(directory, { persistent: false }, (event, name) =>
        this.#hint(name === null ? directory : path.join(directory, name), undefined, event === 'rename'),
      );
      // A directory that is gone is noticed by its parent.
      watcher.on('error', () => this.remove(directory));
      this.#watchers.set(directory, watcher);
    } catch (error) {
      this.giveUp(messageOf(error));
    }
  }

  remove(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }

  giveUp(reason: string): void {
    if (!this.#reliable) return;
    this.#log.warn('directories are not watched one by one', { reason });
    this.#reliable = false;
    this.dispose();
  }

  dispose(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Resolves when every event that was queued before this call has been heard: events are read once per turn of the loop. */
  drained(): Promise<void> {
    return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }
}

/** Hints from one recursive watcher; undefined when there can be none. Silence means nothing. */
export async function watchTree(
  root: AbsPath,
  hint: DiskHint,
  log: Log,
): Promise<AsyncDisposable | undefined> {
  try {
    // Loaded on use: the native module must not be able to keep anything from starting.
    const { default: watcher } = await import('@parcel/watcher');
    const ignore = [...SKIPPED_DIRECTORIES].map((name) => `**/${name}/**`);
    const subscription = await watcher.subscribe(
      root,
      (error, events) => {
        if (error) log.warn('watching files failed', { root, error: error.message });
        else for (const { path: file, type } of events) hint(file, type === 'update' ? 'change' : type);
      },
      { ignore },
    );
    return { [Symbol.asyncDispose]: () => subscription.unsubscribe() };
  } catch (error) {
    log.warn('files are not watched', { root, error: messageOf(error) });
    return undefined;
  }
}

function canBeHeard(root: AbsPath): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return LOCAL_FILE_SYSTEMS.has(statfsSync(root).type);
  } catch {
    return false;
  }
}
