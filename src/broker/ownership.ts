/**
 * Staying the owner of a key. Directories get deleted and sockets swept away under a running broker, so it looks every
 * few seconds, and on file events, whether the descriptor is still there and still its own: missing is published
 * again, that of another process means that this broker has been displaced and leaves.
 */
import { type FSWatcher, renameSync, watch } from 'node:fs';
import { messageOf } from '../shared/base/failure.ts';
import { removePidFile, writePidFile } from '../shared/rendezvous/daemon-notes.ts';
import {
  type DaemonRecord,
  type RecordFile,
  readRecord,
  recordPath,
  removeFile,
} from '../shared/rendezvous/daemon-record.ts';
import { socketExists } from '../shared/rendezvous/endpoint.ts';
import { claimPath, sweep } from '../shared/rendezvous/ownership-graves.ts';
import { ensurePrivateDirectory } from '../shared/rendezvous/private-directory.ts';
import { type ClaimOptions, claim } from './claim.ts';

export interface OwnershipOptions extends ClaimOptions {
  /** Opens one more private socket and returns its path, because the old one has lost its name. */
  listenAgain(): Promise<string>;
  /** Another process owns the key now; called once. */
  displaced(generation: string): void;
  /** The descriptor had vanished, perhaps with its directory, and is there again. */
  republished?(): void;
  readonly checkEveryMs?: number;
}

export type OwnershipOutcome =
  | { kind: 'owner'; ownership: Ownership }
  | { kind: 'lost'; generation: string }
  | { kind: 'busy'; reason: string };

/** `record.socketPath` must be listening already. */
export async function takeOwnership(
  record: DaemonRecord,
  options: OwnershipOptions,
): Promise<OwnershipOutcome> {
  const outcome = await claim(record, options);
  if (outcome.kind !== 'owner') return outcome;
  return { kind: 'owner', ownership: new Ownership(record, outcome.file, options) };
}

const EVENT_DEBOUNCE_MS = 50;

export class Ownership {
  readonly #options: OwnershipOptions;
  #record: DaemonRecord;
  #file: RecordFile | undefined;
  #watcher: FSWatcher | undefined;
  #timer: Disposable | undefined;
  #checking: Promise<void> | undefined;
  #tidying: Promise<void> | undefined;
  #released = false;

  constructor(record: DaemonRecord, file: RecordFile, options: OwnershipOptions) {
    this.#record = record;
    this.#file = file;
    this.#options = options;
    this.#settleIn();
    this.#schedule(options.checkEveryMs ?? 5000);
  }

  get record(): DaemonRecord {
    return this.#record;
  }

  /** Changes what the descriptor says of us; a successor's descriptor is another inode and stays untouched. */
  update(change: Partial<Pick<DaemonRecord, 'ready' | 'lastActivityAt' | 'socketPath'>>): void {
    this.#record = { ...this.#record, ...change };
    try {
      this.#file?.update(this.#record);
    } catch (error) {
      this.#options.log.warn('could not update the descriptor', { error: messageOf(error) });
    }
  }

  /** Looks now instead of at the next turn. */
  check(): Promise<void> {
    this.#checking ??= this.#look()
      .catch((error: unknown) => this.#options.log.warn('self-check failed', { error: messageOf(error) }))
      .finally(() => {
        this.#checking = undefined;
        this.#schedule(this.#options.checkEveryMs ?? 5000);
      });
    return this.#checking;
  }

  /**
   * Gives the key up: from now on another process may own it. The descriptor becomes a claim again, so that the socket's
   * name is not forgotten if this process dies before `forget`.
   */
  async release(): Promise<void> {
    this.#released = true;
    this.#timer?.[Symbol.dispose]();
    this.#watcher?.close();
    await this.#checking;
    await this.#tidying;
    if (this.#isMine()) renameSync(recordPath(this.#options.directory), this.#claim);
    removePidFile(this.#options.directory, this.#record.process.pid);
    this.#file?.close();
    this.#file = undefined;
  }

  /** The last trace, once the socket is gone. */
  forget(): void {
    removeFile(this.#claim);
  }

  get #claim(): string {
    return claimPath(this.#options.directory, this.#record.generation);
  }

  #isMine(): boolean {
    const reading = readRecord(recordPath(this.#options.directory));
    return reading.kind === 'found' && reading.record.generation === this.#record.generation;
  }

  async #look(): Promise<void> {
    if (this.#released) return;
    const { directory, log } = this.#options;
    const reading = readRecord(recordPath(directory));
    const mine = reading.kind === 'found' && reading.record.generation === this.#record.generation;
    if (!socketExists(this.#record.socketPath)) {
      ensurePrivateDirectory(directory);
      const socketPath = await this.#options.listenAgain();
      log.warn('the socket had lost its name; listening on another', { socketPath });
      this.update({ socketPath });
    }
    if (mine || reading.kind === 'forbidden') return;
    const outcome = await claim(this.#record, this.#options);
    switch (outcome.kind) {
      case 'owner':
        log.warn('the descriptor had vanished; published again', { generation: this.#record.generation });
        this.#file?.close();
        this.#file = outcome.file;
        // What was learned while claiming is not in the new file yet.
        this.#file.update(this.#record);
        this.#settleIn();
        this.#options.republished?.();
        return;
      case 'lost':
        if (!this.#released) this.#options.displaced(outcome.generation);
        return;
      case 'busy':
        log.warn('another process may own the key', { reason: outcome.reason });
    }
  }

  #settleIn(): void {
    this.#tidying = this.#tidy().catch((error: unknown) =>
      this.#options.log.warn('could not tidy the directory', { error: messageOf(error) }),
    );
    this.#watch();
  }

  async #tidy(): Promise<void> {
    const { directory, log } = this.#options;
    writePidFile(directory, this.#record.process.pid);
    const removed = await sweep(directory, this.#record.generation);
    if (removed.length > 0) log.info('cleared what others left behind', { removed });
  }

  #watch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    if (this.#released) return;
    try {
      const watcher = watch(this.#options.directory, { persistent: false });
      // Writing to a file is a 'change'; only names that come and go matter here.
      watcher.on('change', (kind) => {
        if (kind === 'rename') this.#schedule(EVENT_DEBOUNCE_MS);
      });
      watcher.on('error', () => watcher.close());
      this.#watcher = watcher;
    } catch (error) {
      this.#options.log.info('no file events here; looking on a timer only', { error: messageOf(error) });
    }
  }

  #schedule(ms: number): void {
    this.#timer?.[Symbol.dispose]();
    if (!this.#released) this.#timer = this.#options.clock.after(ms, () => void this.check());
  }
}
