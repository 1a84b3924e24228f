/**
 * The file behind the audit. Several sessions append to one file: each opens it anew, so that one that was put aside
 * by another is not written on, and appends whole lines with a single write.
 */
import { open, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectories } from '../../shared/base/directories.ts';
import { systemCode } from '../../shared/base/failure.ts';

export interface AuditFileOptions {
  /** A file of this size is put aside before the next line. */
  readonly maxBytes: number;
  /** How many there are at most, the one that is written included. */
  readonly maxFiles: number;
}

export const AUDIT_FILE_DEFAULTS: AuditFileOptions = { maxBytes: 10 * 1024 * 1024, maxFiles: 5 };

/** Only the user may read what was changed and where. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** A lock of this age is one of a process that was killed while it put files aside. */
const STALE_LOCK_MS = 10_000;

export async function appendLines(file: string, lines: string, options: AuditFileOptions): Promise<void> {
  if (await isFull(file, options)) await putAside(file, options);
  const handle = await openToAppend(file);
  try {
    const bytes = Buffer.from(lines);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten < bytes.length) throw new Error('no space left for it');
  } finally {
    await handle.close();
  }
}

async function openToAppend(file: string) {
  try {
    return await open(file, 'a', FILE_MODE);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    makeDirectories(path.dirname(file), DIRECTORY_MODE);
    return await open(file, 'a', FILE_MODE);
  }
}

async function isFull(file: string, { maxBytes }: AuditFileOptions): Promise<boolean> {
  const found = await unlessMissing(stat(file));
  return found?.isFile() === true && found.size >= maxBytes;
}

/** One session at a time; the others go on with the file as it is. */
async function putAside(file: string, options: AuditFileOptions): Promise<void> {
  const lock = `${file}.lock`;
  if (!(await takeLock(lock))) return;
  try {
    // Another session may have done it since this session looked.
    if (!(await isFull(file, options))) return;
    for (let number = options.maxFiles - 1; number > 0; number--)
      await unlessMissing(rename(number === 1 ? file : `${file}.${number - 1}`, `${file}.${number}`));
  } finally {
    await unlessMissing(unlink(lock));
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', FILE_MODE)).close();
    return true;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const left = await unlessMissing(stat(lock));
    if (left && Date.now() - left.mtimeMs > STALE_LOCK_MS) await unlessMissing(unlink(lock));
    return false;
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
