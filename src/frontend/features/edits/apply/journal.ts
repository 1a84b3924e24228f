/**
 * The record of an edit that is being applied. Its name tells how far the edit came, and is changed by renames, so that
 * it is never in between: `staging`, nothing that counts has been touched; `applying`, steps may have been taken and
 * must be taken back if its process is gone; `done`, only temporary files are left to be removed.
 * Decision: docs/decisions/edits.md#the-journal-names-its-phase
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { ownIdentity, type ProcessIdentity } from '../../../../shared/process/process-identity.ts';
import { parseIdentity } from '../../../../shared/rendezvous/daemon-record.ts';
import { ensurePrivateDirectory } from '../../../../shared/rendezvous/private-directory.ts';
import type { Step } from '../plan/edit-steps.ts';
import { type EditDisk, isMissing } from './edit-disk.ts';

export type Phase = 'staging' | 'applying' | 'done';

export interface JournalRecord {
  readonly id: string;
  /** What the edit is, for a user who finds something of it later. */
  readonly about: string;
  /** Undefined when its process has given up on it. */
  readonly owner: ProcessIdentity | undefined;
  readonly steps: readonly Step[];
}

export interface JournalName {
  readonly id: string;
  readonly phase: Phase;
}

export function editsDirectory(stateDir: string): string {
  return path.join(stateDir, 'edits');
}

export function newEditId(): string {
  return randomBytes(6).toString('hex');
}

export class Journal {
  readonly #disk: EditDisk;
  readonly #directory: string;
  readonly id: string;
  #phase: Phase;

  constructor(directory: string, { id, phase }: JournalName, disk: EditDisk) {
    this.#disk = disk;
    this.#directory = directory;
    this.id = id;
    this.#phase = phase;
  }

  /** Written down, and safe on disk. */
  static async begin(
    stateDir: string,
    { id, about }: Pick<JournalRecord, 'id' | 'about'>,
    steps: readonly Step[],
    disk: EditDisk,
  ): Promise<Journal> {
    const directory = editsDirectory(stateDir);
    ensurePrivateDirectory(directory);
    const journal = new Journal(directory, { id, phase: 'staging' }, disk);
    await journal.#write({ id, about, owner: ownIdentity(), steps });
    return journal;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get file(): string {
    return path.join(this.#directory, `${this.id}.${this.#phase}.json`);
  }

  async advance(phase: Phase): Promise<void> {
    const from = this.file;
    await this.#disk.rename(from, path.join(this.#directory, `${this.id}.${phase}.json`));
    this.#phase = phase;
    // Once it is called done it is done, whatever the disk says about safety.
    await this.#disk.sync(this.#directory).catch((error: unknown) => {
      if (phase !== 'done') throw error;
    });
  }

  /** Undefined when it is no longer there. */
  async read(): Promise<JournalRecord | 'unreadable' | undefined> {
    try {
      return parseRecord(await this.#disk.read(this.file));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** This process cannot go on with it, but another one or a later call may. */
  async disown(about: string, steps: readonly Step[]): Promise<void> {
    await this.#write({ id: this.id, about, owner: undefined, steps });
  }

  async remove(): Promise<void> {
    await this.#disk.remove(this.file);
  }

  async #write(record: JournalRecord): Promise<void> {
    const fresh = `${this.file}.new-${process.pid}`;
    await this.#disk.remove(fresh);
    await this.#disk.write(fresh, Buffer.from(JSON.stringify(record)), { mode: 0o600 });
    await this.#disk.rename(fresh, this.file);
    await this.#disk.sync(this.#directory);
  }
}

/** What is in the directory of journals, other files left out. */
export async function journalsIn(stateDir: string, disk: EditDisk): Promise<readonly JournalName[]> {
  return (await namesIn(editsDirectory(stateDir), disk)).flatMap((name) => {
    const [, id, phase] = /^([0-9a-f]{12})\.(staging|applying|done)\.json$/.exec(name) ?? [];
    return id !== undefined && isPhase(phase) ? [{ id, phase }] : [];
  });
}

export async function namesIn(directory: string, disk: EditDisk): Promise<readonly string[]> {
  try {
    return await disk.list(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isPhase(phase: string | undefined): phase is Phase {
  return phase === 'staging' || phase === 'applying' || phase === 'done';
}

function parseRecord(content: Buffer): JournalRecord | 'unreadable' {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    return 'unreadable';
  }
  if (!isObject(value) || typeof value.id !== 'string' || !Array.isArray(value.steps)) return 'unreadable';
  const steps: unknown[] = value.steps;
  if (!steps.every(isStep)) return 'unreadable';
  return {
    id: value.id,
    about: typeof value.about === 'string' ? value.about : '',
    owner: isObject(value.owner) ? parseIdentity(value.owner) : undefined,
    steps,
  };
}

function isStep(value: unknown): value is Step {
  if (!isObject(value) || typeof value.path !== 'string') return false;
  const isHash = (each: unknown) => each === null || typeof each === 'string';
  switch (value.kind) {
    case 'put':
      return typeof value.staged === 'string' && typeof value.after === 'string' && isHash(value.backup);
    case 'move':
      return typeof value.to === 'string';
    case 'remove':
      return typeof value.backup === 'string' && isHash(value.before);
    case 'make-directory':
      return true;
    case 'drop-directory':
      return typeof value.mode === 'number';
    default:
      return false;
  }
}
