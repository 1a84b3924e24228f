/**
 * Edits whose process was killed in the middle are taken back by the next session that edits. A journal belongs to its process
 * as long as that lives; of several that find it orphaned, a numbered claim lets one have it.
 */
import path from 'node:path';
import { type KeptText, messageOf, systemCode } from '../../../../shared/base/failure.ts';
import { isObject } from '../../../../shared/base/unknown-value.ts';
import {
  livenessOf,
  ownIdentity,
  type ProcessIdentity,
  type ProcessTable,
  systemProcessTable,
} from '../../../../shared/process/process-identity.ts';
import { parseIdentity } from '../../../../shared/rendezvous/daemon-record.ts';
import { trustProblem } from '../../../../shared/rendezvous/private-directory.ts';
import { contentHash } from '../plan/edit-plan.ts';
import { closeAll, type DisplacedFile, discardTemporaries } from './displaced-files.ts';
import { type EditDisk, systemDisk } from './edit-disk.ts';
import {
  editsDirectory,
  Journal,
  type JournalName,
  type JournalRecord,
  journalsIn,
  namesIn,
} from './journal.ts';
import { keepText } from './kept-files.ts';
import { type ForeignChange, type Keep, takeBack } from './take-steps.ts';

export type Recovery =
  | {
      readonly kind: 'taken-back';
      readonly id: string;
      readonly paths: readonly string[];
      readonly foreign: readonly ForeignChange[];
      readonly kept: readonly KeptText[];
    }
  /** It had been applied completely; only temporary files were removed. */
  | {
      readonly kind: 'completed';
      readonly id: string;
      readonly paths: readonly string[];
      readonly kept: readonly KeptText[];
    }
  /** Something is in the way; it is tried again the next time. */
  | { readonly kind: 'failed'; readonly id: string; readonly reason: string };

export interface RecoverOptions {
  readonly disk?: EditDisk;
  readonly table?: ProcessTable;
  /** The time of day in milliseconds. */
  readonly now?: () => number;
}

/** Nothing that is applied takes longer; beyond it a process that cannot be looked at is taken for gone. */
const LONGEST_APPLY_MS = 10 * 60_000;

/** What was found and dealt with; empty nearly always. */
export async function recoverEdits(
  stateDir: string,
  options: RecoverOptions = {},
): Promise<readonly Recovery[]> {
  const { disk = systemDisk, table = systemProcessTable(), now = Date.now } = options;
  const directory = editsDirectory(stateDir);
  // Journals say which files to move. Where other users can write to the directory, they could have planted one.
  if (trustProblem(directory) !== undefined) return [];
  const recoveries: Recovery[] = [];
  for (const name of await journalsIn(stateDir, disk)) {
    const recoverer = new Recoverer(stateDir, name, disk, table, now);
    const recovery = await recoverer.recover().catch((error: unknown): Recovery => {
      return { kind: 'failed', id: name.id, reason: messageOf(error) };
    });
    if (recovery) recoveries.push(recovery);
  }
  await sweep(stateDir, disk, table, now);
  return recoveries;
}

/** Journals that never got their name, and claims on journals that are gone. */
async function sweep(
  stateDir: string,
  disk: EditDisk,
  table: ProcessTable,
  now: () => number,
): Promise<void> {
  const directory = editsDirectory(stateDir);
  const names = await namesIn(directory, disk);
  const ids = new Set((await journalsIn(stateDir, disk)).map(({ id }) => id));
  for (const name of names) {
    const file = path.join(directory, name);
    const pid = /\.new-(\d+)$/.exec(name)?.[1];
    const claimed = /^([0-9a-f]{12})\.claim-\d+$/.exec(name)?.[1];
    if (pid !== undefined) {
      const age = now() - ((await disk.entry(file))?.changedAt ?? now());
      if (table.find(Number(pid)).kind === 'gone' || age > LONGEST_APPLY_MS) await disk.remove(file);
    } else if (claimed !== undefined && !ids.has(claimed)) await disk.remove(file);
  }
}

/** Whether the process that this belongs to will go on with it. */
export function isInUse(owner: ProcessIdentity, age: number, table: ProcessTable): boolean {
  const liveness = livenessOf(owner, table);
  return liveness === 'alive' || (liveness === 'unknown' && age < LONGEST_APPLY_MS);
}

export interface Settled {
  readonly foreign: readonly ForeignChange[];
  readonly kept: readonly KeptText[];
  /** Open files that may still be written to; to be closed by the caller. */
  readonly displaced: readonly DisplacedFile[];
}

/** Undoes or finishes what a journal says, and removes it. Contents that cannot go back are kept beside the journals. */
export async function settle(
  journal: Journal,
  { about, owner, steps }: Pick<JournalRecord, 'about' | 'owner' | 'steps'>,
  stateDir: string,
  disk: EditDisk,
): Promise<Settled> {
  const edit = { id: journal.id, about };
  const hashes = new Map<string, string>();
  const keep: Keep = async (file, of) => {
    const content = await disk.read(file);
    const kept = await keepText(content, of, { stateDir, edit, owner, disk });
    hashes.set(file, contentHash(content));
    return kept;
  };
  const foreign = journal.phase === 'applying' ? await takeBack(steps, disk, keep) : [];
  const { phase } = journal;
  const keptAs = (file: string) => hashes.get(file);
  const { kept, displaced } = await discardTemporaries(steps, { phase, edit, disk, keep, keptAs });
  try {
    await journal.remove();
  } catch (error) {
    closeAll(displaced);
    throw error;
  }
  return { foreign, kept: [...foreign.flatMap((each) => each.kept ?? []), ...kept], displaced };
}

class Recoverer {
  readonly #stateDir: string;
  readonly #directory: string;
  readonly #name: JournalName;
  readonly #disk: EditDisk;
  readonly #table: ProcessTable;
  readonly #now: () => number;

  constructor(stateDir: string, name: JournalName, disk: EditDisk, table: ProcessTable, now: () => number) {
    this.#stateDir = stateDir;
    this.#directory = editsDirectory(stateDir);
    this.#name = name;
    this.#disk = disk;
    this.#table = table;
    this.#now = now;
  }

  async recover(): Promise<Recovery | undefined> {
    if (await this.#isOwned()) return undefined;
    const claim = await this.#claim();
    if (claim === undefined) return undefined;
    try {
      return await this.#settle();
    } finally {
      // The journal went first, so that nobody finds it without its claims.
      const claims = (await namesIn(this.#directory, this.#disk)).filter((name) => this.#isClaim(name));
      const isOver = (await this.#journal().read()) === undefined;
      for (const name of isOver ? claims : [path.basename(claim)])
        await this.#disk.remove(path.join(this.#directory, name));
    }
  }

  async #settle(): Promise<Recovery | undefined> {
    const journal = this.#journal();
    const record = await journal.read();
    if (record === undefined) return undefined;
    const { id } = this.#name;
    if (record === 'unreadable') {
      await this.#disk.rename(journal.file, `${journal.file}.unreadable`);
      return { kind: 'failed', id, reason: `${journal.file}.unreadable is no journal` };
    }
    const paths = [...new Set(record.steps.map((step) => (step.kind === 'move' ? step.to : step.path)))];
    const { foreign, kept, displaced } = await settle(journal, record, this.#stateDir, this.#disk);
    closeAll(displaced);
    return journal.phase === 'done'
      ? { kind: 'completed', id, paths, kept }
      : { kind: 'taken-back', id, paths, foreign, kept };
  }

  async #isOwned(): Promise<boolean> {
    const journal = this.#journal();
    const record = await journal.read();
    if (record === undefined) return true;
    if (record === 'unreadable' || record.owner === undefined) return false;
    return isInUse(record.owner, await this.#ageOf(journal.file), this.#table);
  }

  /** The path of our claim; undefined while another living process has it. */
  async #claim(): Promise<string | undefined> {
    const own = Buffer.from(JSON.stringify(ownIdentity(this.#table)));
    for (let number = 1; ; number++) {
      const claim = path.join(this.#directory, `${this.#name.id}.claim-${number}`);
      try {
        await this.#disk.write(claim, own, { mode: 0o600 });
        return claim;
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw error;
      }
      if (await this.#isHeld(claim)) return undefined;
    }
  }

  async #isHeld(claim: string): Promise<boolean> {
    const age = await this.#ageOf(claim);
    try {
      const value: unknown = JSON.parse((await this.#disk.read(claim)).toString('utf8'));
      if (isObject(value)) return isInUse(parseIdentity(value), age, this.#table);
    } catch {
      // Gone by now, or in the middle of being written.
    }
    return age < LONGEST_APPLY_MS;
  }

  async #ageOf(file: string): Promise<number> {
    const entry = await this.#disk.entry(file);
    return entry ? this.#now() - entry.changedAt : 0;
  }

  #journal(): Journal {
    return new Journal(this.#directory, this.#name, this.#disk);
  }

  #isClaim(name: string): boolean {
    return name.startsWith(`${this.#name.id}.claim-`);
  }
}
