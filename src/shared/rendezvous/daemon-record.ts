/**
 * The descriptor of a broker, `daemon.json`: the one file that says who owns a key. It appears complete or not at all
 * (a hard link of a finished file) and is later changed only through the descriptor of its own inode, always at the
 * same length, so that no update can touch a successor's file.
 * Decision: docs/decisions/broker.md#the-descriptor-is-changed-in-place
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { messageOf, systemCode } from '../base/failure.ts';
import { type Clock, delay } from '../base/lifetime.ts';
import { isObject } from '../base/unknown-value.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/** `generation`, `socketPath`, `token` and `process` are read by every version for ever. */
export interface DaemonRecord {
  readonly generation: string;
  readonly socketPath: string;
  readonly token: string;
  readonly process: ProcessIdentity;
  readonly key: string;
  readonly root: string;
  readonly language: string;
  readonly command: string;
  readonly version: string;
  readonly protocol: number;
  readonly ready: boolean;
  /** Wall-clock milliseconds, for people. */
  readonly startedAt: number;
  readonly lastActivityAt: number;
}

export type RecordReading =
  | { kind: 'found'; record: DaemonRecord }
  | { kind: 'absent' }
  /** `mark` names this very file, so that only it is quarantined and not whatever replaced it. */
  | { kind: 'corrupt'; mark: string; reason: string }
  | { kind: 'forbidden'; reason: string };

export function daemonsDirectory(stateDirectory: string): string {
  return path.join(stateDirectory, 'daemons');
}

export function daemonDirectory(stateDirectory: string, key: string): string {
  return path.join(daemonsDirectory(stateDirectory), key);
}

export function recordPath(directory: string): string {
  return path.join(directory, 'daemon.json');
}

export function logPath(directory: string): string {
  return path.join(directory, 'broker.log');
}

const MAX_RECORD_BYTES = 256 * 1024;
const BLOCK_BYTES = 4096;
/** Room for a longer socket path, state or time in a later update. */
const SPARE_BYTES = 512;

export function readRecord(file: string): RecordReading {
  let fd: number;
  try {
    const stat = lstatSync(file);
    if (!stat.isFile()) return { kind: 'corrupt', mark: markOf(stat), reason: 'not a regular file' };
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    return unreadable(error);
  }
  try {
    const stat = fstatSync(fd);
    const record = parseRecord(readAll(fd, Math.min(stat.size, MAX_RECORD_BYTES)));
    return typeof record === 'string'
      ? { kind: 'corrupt', mark: markOf(stat), reason: record }
      : { kind: 'found', record };
  } finally {
    closeSync(fd);
  }
}

/** Reads again while the file makes no sense: an owner may be in the middle of an update in place. */
export async function readRecordPatiently(file: string, clock?: Clock): Promise<RecordReading> {
  for (let attempt = 1; ; attempt++) {
    const reading = readRecord(file);
    if (reading.kind !== 'corrupt' || reading.reason === 'not a regular file' || attempt === 5)
      return reading;
    await delay(20 * attempt, clock ? { clock } : {});
  }
}

/** A record file of ours under a temporary name; becomes the descriptor by `linkAs`. */
export class RecordFile {
  readonly path: string;
  readonly #fd: number;
  readonly #bytes: number;

  /** Writes a complete record; a file that is already there is replaced, not shared. */
  constructor(file: string, record: DaemonRecord) {
    removeFile(file);
    this.path = file;
    const length = Buffer.byteLength(JSON.stringify(record)) + SPARE_BYTES;
    this.#bytes = Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
    this.#fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      this.update(record);
      fsyncSync(this.#fd);
    } catch (error) {
      this.close();
      removeFile(file);
      throw error;
    }
  }

  update(record: DaemonRecord): void {
    const text = Buffer.from(JSON.stringify(record));
    if (text.length >= this.#bytes) throw new Error(`the daemon's record outgrew its ${this.#bytes} bytes`);
    const padded = Buffer.alloc(this.#bytes, ' ');
    text.copy(padded);
    padded[this.#bytes - 1] = 0x0a;
    writeSync(this.#fd, padded, 0, padded.length, 0);
  }

  /** False when the name is taken. Never replaces anything. */
  linkAs(target: string): boolean {
    try {
      linkSync(this.path, target);
      return true;
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  removeName(): void {
    removeFile(this.path);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

export function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
}

function parseRecord(text: string): DaemonRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return messageOf(error);
  }
  if (!isObject(value)) return 'not an object';
  const { generation, socketPath, token, process } = value;
  if (typeof generation !== 'string' || !/^[0-9a-f]{8,64}$/.test(generation)) return 'no generation';
  if (typeof socketPath !== 'string' || typeof token !== 'string') return 'no socket path or token';
  if (!isObject(process) || !Number.isSafeInteger(process.pid) || Number(process.pid) <= 0) return 'no pid';
  const string = (name: string) => (typeof value[name] === 'string' ? value[name] : '');
  const number = (name: string) => (typeof value[name] === 'number' ? value[name] : 0);
  return {
    generation,
    socketPath,
    token,
    process: parseIdentity(process),
    key: string('key'),
    root: string('root'),
    language: string('language'),
    command: string('command'),
    version: string('version'),
    protocol: number('protocol'),
    ready: value.ready === true,
    startedAt: number('startedAt'),
    lastActivityAt: number('lastActivityAt'),
  };
}

export function parseIdentity(value: Record<string, unknown>): ProcessIdentity {
  const string = (name: string) => (typeof value[name] === 'string' ? value[name] : '');
  return {
    pid: Number(value.pid),
    startTime: string('startTime'),
    bootId: string('bootId'),
    pidNamespace: string('pidNamespace'),
  };
}

function readAll(fd: number, size: number): string {
  const buffer = Buffer.alloc(size);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, size, 0));
}

function unreadable(error: unknown): RecordReading {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'forbidden', reason: messageOf(error) };
  // Replaced by a symbolic link between the two calls.
  if (code === 'ELOOP') return { kind: 'corrupt', mark: 'link', reason: 'not a regular file' };
  throw error;
}

function markOf(stat: { dev: number; ino: number }): string {
  return `${stat.dev.toString(16)}${stat.ino.toString(16).padStart(8, '0')}`;
}
