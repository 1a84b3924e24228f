/**
 * Removing the descriptor of a dead owner, by exactly one process. Two that found the same body must not both unlink
 * the name: the slower one would delete its successor's descriptor. A grave, a hard link named after the dead
 * generation, gives the right to one of them; it passes on only when its holder has died too.
 */
import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../base/failure.ts';
import { livenessOf, type ProcessTable, systemProcessTable } from '../process/process-identity.ts';
import {
  type DaemonRecord,
  type RecordReading,
  readRecord,
  recordPath,
  removeFile,
} from './daemon-record.ts';
import { dial, removeSocket } from './endpoint.ts';

/** The body: a record whose process and socket are proved gone, or a file that is no record at all. */
export type DeadRecord = Extract<RecordReading, { kind: 'found' } | { kind: 'corrupt' }>;

export type Burial =
  /** The name is free; anyone may publish now. */
  | 'buried'
  /** Something else is there by now; look again. */
  | 'changed'
  /** Another living process is at it; wait. */
  | 'held';

export interface GraveDigger {
  readonly directory: string;
  /** A finished record file of ours; its links are the graves, so that they tell who holds them. */
  readonly claimFile: string;
  readonly generation: string;
  readonly table?: ProcessTable;
  /** Test hook; see CrashPoint in the broker. */
  at?(point: 'after-grave' | 'after-unlink'): void | Promise<void>;
}

export async function bury(body: DeadRecord, digger: GraveDigger): Promise<Burial> {
  const grave = takeGrave(nameOf(body), digger);
  if (grave === undefined) return 'held';
  if (grave === 'gone') return 'changed';
  try {
    await digger.at?.('after-grave');
    if (!removeBody(body, recordPath(digger.directory))) return 'changed';
    await digger.at?.('after-unlink');
    return 'buried';
  } finally {
    // Harmless to others even now: the next process that takes this grave finds the name changed and leaves it alone.
    removeFile(grave);
  }
}

export function claimPath(directory: string, generation: string): string {
  return path.join(directory, `claim-${generation}.json`);
}

/**
 * Clears what processes that died on their way to ownership, or out of it, have left: their claims with the sockets
 * named in them, sockets that nobody listens on, and graves whose holders are dead.
 */
export async function sweep(
  directory: string,
  ownGeneration: string,
  table: ProcessTable = systemProcessTable(),
): Promise<string[]> {
  const removed: string[] = [];
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name);
    if (file === claimPath(directory, ownGeneration)) continue;
    if (name.startsWith('grave-') && sweepGrave(file, table)) removeFile(file);
    else if (name.startsWith('claim-') && sweepClaim(file, table)) removeFile(file);
    else if (name.startsWith('s-') && (await isAbandonedSocket(file, directory, ownGeneration)))
      removeSocket(file);
    else continue;
    removed.push(name);
  }
  return removed;
}

const ABANDONED_AFTER_MS = 60_000;
const SOCKET_ANSWER_MS = 1000;

/** True if nobody is at it any more. A late reaper finds the name changed and leaves it alone. */
function sweepGrave(file: string, table: ProcessTable): boolean {
  const reading = readRecord(file);
  return reading.kind === 'corrupt' || (reading.kind === 'found' && isGone(reading.record, table));
}

/** True if the claim may go; the socket named in it goes right away. */
function sweepClaim(file: string, table: ProcessTable): boolean {
  const reading = readRecord(file);
  if (reading.kind === 'found') {
    if (!isGone(reading.record, table)) return false;
    removeSocket(reading.record.socketPath);
    return true;
  }
  // It may be in the middle of being written.
  return reading.kind === 'corrupt' && Date.now() - lstatSync(file).mtimeMs > ABANDONED_AFTER_MS;
}

/** A socket refuses also between bind and listen; but then there is a claim that names it. */
async function isAbandonedSocket(file: string, directory: string, ownGeneration: string): Promise<boolean> {
  if (path.basename(file).startsWith(`s-${ownGeneration.slice(0, 8)}`)) return false;
  const claimed = readdirSync(directory)
    .filter((name) => name.startsWith('claim-'))
    .map((name) => readRecord(path.join(directory, name)))
    .some((reading) => reading.kind !== 'found' || reading.record.socketPath === file);
  if (claimed) return false;
  const dialled = await dial(file, SOCKET_ANSWER_MS);
  if (dialled.kind === 'connected') dialled.socket.destroy();
  return dialled.kind === 'refused';
}

/** The grave's path, `gone` when our own claim has vanished, or undefined while another process holds it. */
function takeGrave(dead: string, digger: GraveDigger): string | 'gone' | undefined {
  const table = digger.table ?? systemProcessTable();
  for (let number = 1; ; ) {
    const grave = path.join(digger.directory, `grave-${dead}-${number}`);
    try {
      linkSync(digger.claimFile, grave);
      return grave;
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT') return 'gone';
      if (code !== 'EEXIST') throw error;
    }
    const holder = readRecord(grave);
    if (holder.kind === 'absent') continue;
    if (holder.kind === 'found' && holder.record.generation === digger.generation) return grave;
    if (holder.kind === 'found' && !isGone(holder.record, table)) return undefined;
    number++;
  }
}

/** Checks and unlinks without giving way in between. */
function removeBody(body: DeadRecord, file: string): boolean {
  const current = readRecord(file);
  if (body.kind === 'found') {
    if (current.kind !== 'found' || current.record.generation !== body.record.generation) return false;
    removeSocket(current.record.socketPath);
    removeFile(file);
    return true;
  }
  if (current.kind !== 'corrupt' || current.mark !== body.mark) return false;
  removeAnything(file);
  return true;
}

function removeAnything(file: string): void {
  if (!lstatSync(file).isDirectory()) {
    removeFile(file);
    return;
  }
  try {
    rmdirSync(file);
  } catch {
    renameSync(file, `${file}.corrupt-${Date.now()}`);
  }
}

function nameOf(body: DeadRecord): string {
  return body.kind === 'found' ? body.record.generation : `file${body.mark}`;
}

function isGone(record: DaemonRecord, table: ProcessTable): boolean {
  const liveness = livenessOf(record.process, table);
  return liveness === 'gone' || liveness === 'different';
}
