/** Reading a source file the same way everywhere: one idea of what is text, and what a byte order mark means. */
import { createHash } from 'node:crypto';
import { type BigIntStats, readFile, readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AbsPath } from './brand.ts';
import { fail, systemCode } from './failure.ts';
import { isForbidden } from './list-directory.ts';

export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const BINARY_SAMPLE_BYTES = 8000;
const READ_AT_ONCE_BYTES = 128 * 1024;

export interface TextFile {
  /** Without a byte order mark: servers and positions do not count it. */
  readonly text: string;
  readonly stamp: FileStamp;
}

/** Changes whenever the file does, up to the file system's clock resolution; see `settled`. */
export interface FileStamp {
  readonly key: string;
  readonly size: number;
  /** False when the file was written so recently that a further write could leave the same stamp. */
  readonly settled: boolean;
}

const CLOCK_RESOLUTION_MS = 50;

/** Not asynchronous, because it stands in the way of every call: a round through the thread pool takes 20 times as long. */
export function textStamp(file: AbsPath): FileStamp {
  const stat = statOf(file);
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  const age = Date.now() - Number(ctimeNs / 1_000_000n);
  const key = `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  return { key, size: Number(size), settled: age > CLOCK_RESOLUTION_MS };
}

/** Equal for equal texts: how it is told that a file is still what something was computed from. */
export function textHash(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

/** The text of a file, or a failure that says what it is instead. The stamp is taken before the read. */
export async function readTextFile(file: AbsPath): Promise<TextFile> {
  const stamp = textStamp(file);
  const bytes = await readBytes(file, stamp.size).catch((error: unknown) => failForRead(file, error));
  if (bytes.subarray(0, BINARY_SAMPLE_BYTES).includes(0))
    fail({ kind: 'not-a-text-file', path: file, reason: 'binary' });
  const text = bytes.toString('utf8');
  return { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, stamp };
}

/** Most sources are read faster than the thread pool is asked to do it. */
async function readBytes(file: AbsPath, size: number): Promise<Buffer> {
  return size <= READ_AT_ONCE_BYTES ? readFileSync(file) : readFromPool(file);
}

const readFromPool = promisify(readFile);

function statOf(file: AbsPath): BigIntStats {
  const stat = tryStat(file);
  if (stat.isDirectory()) fail({ kind: 'not-a-text-file', path: file, reason: 'directory' });
  // Reading a FIFO or a device could block for ever.
  if (!stat.isFile()) fail({ kind: 'not-a-text-file', path: file, reason: 'unreadable' });
  if (stat.size > MAX_TEXT_BYTES) fail({ kind: 'not-a-text-file', path: file, reason: 'too-large' });
  return stat;
}

function tryStat(file: AbsPath): BigIntStats {
  try {
    return statSync(file, { bigint: true });
  } catch (error) {
    return failForRead(file, error);
  }
}

function failForRead(file: AbsPath, error: unknown): never {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') fail({ kind: 'no-such-file', path: file }, { cause: error });
  const reason = isForbidden(error) ? 'forbidden' : 'unreadable';
  fail({ kind: 'not-a-text-file', path: file, reason }, { cause: error });
}
