/**
 * All that edits do to the disk, as the few operations they are made of. Tests put their own disk in between, one that
 * is full, breaks or kills the process at a chosen operation.
 */
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import { FailureError, failureOf, systemCode } from '../../../../shared/base/failure.ts';

const READ_AT_ONCE_BYTES = 128 * 1024;

export interface DiskEntry {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Equal for two names of one file. */
  readonly identity: string;
  readonly device: string;
  readonly size: number;
  readonly mode: number;
  readonly names: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  /** When the entry was last changed, in milliseconds of the time of day. */
  readonly changedAt: number;
}

export interface NewFile {
  /** What the system gives to new files, if not said. */
  readonly mode?: number | undefined;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** An open file, whatever becomes of its name. */
export interface HeldFile {
  /** What is in it now. */
  read(): Buffer;
  hasName(): boolean;
  close(): void;
}

export interface DiskReader {
  /** Of the name itself, not of what a link leads to; undefined when there is none. */
  entry(file: string): Promise<DiskEntry | undefined>;
  read(file: string): Promise<Buffer>;
  /** Goes on reading a file that has lost its name; undefined when there is none. */
  hold(file: string): Promise<HeldFile | undefined>;
  list(directory: string): Promise<readonly string[]>;
  /** Whether this process may write to what is there. */
  isWritable(file: string): Promise<boolean>;
}

export interface EditDisk extends DiskReader {
  /** Makes a file that is not there yet, and waits until its content is safe. */
  write(file: string, content: Uint8Array, options: NewFile): Promise<void>;
  /** Another name for a file; fails with EEXIST if the name is taken. */
  link(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Replaces what has the other name. */
  rename(from: string, to: string): Promise<void>;
  remove(file: string): Promise<void>;
  makeDirectory(directory: string, mode?: number): Promise<void>;
  removeDirectory(directory: string): Promise<void>;
  /** Waits until the names in a directory are safe. */
  sync(directory: string): Promise<void>;
}

const flushed = promisify(fsync);

/** As everywhere, small things are done without the thread pool, which takes longer than they do; waiting for the disk is not small. */
export const systemDisk: EditDisk = {
  async entry(file) {
    try {
      return entryOf(lstatSync(file, { bigint: true }));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  read: async (file) => (statSync(file).size <= READ_AT_ONCE_BYTES ? readFileSync(file) : fs.readFile(file)),
  async hold(file) {
    try {
      return heldFile(openSync(file, 'r'));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  list: (directory) => fs.readdir(directory),
  async isWritable(file) {
    try {
      accessSync(file, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },

  async write(file, content, { mode, owner }) {
    const handle = openSync(file, 'wx', mode === undefined ? 0o666 : 0o600);
    try {
      writeFileSync(handle, content);
      if (owner) keepOwner(handle, owner);
      if (mode !== undefined) fchmodSync(handle, mode);
      await flushed(handle);
    } finally {
      closeSync(handle);
    }
  },
  link: async (from, to) => linkSync(from, to),
  copy: (from, to) => fs.copyFile(from, to, constants.COPYFILE_EXCL),
  rename: async (from, to) => renameSync(from, to),
  async remove(file) {
    try {
      unlinkSync(file);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  },
  makeDirectory: (directory, mode = 0o777) => fs.mkdir(directory, { mode }),
  removeDirectory: (directory) => fs.rmdir(directory),
  async sync(directory) {
    try {
      const handle = await fs.open(directory, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      // Some systems cannot sync directories, and some directories may be written but not read.
      if (!UNSYNCABLE.has(systemCode(error) ?? '')) throw error;
    }
  },
};

const UNSYNCABLE = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF', 'ENOENT']);

export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Errors of the system get the name of the file they are about. */
export async function naming<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (failureOf(error)) throw error;
    const reason = reasonOf(error);
    throw new FailureError(
      { kind: 'edit-not-applied', path: file, reason, left: { state: 'untouched' } },
      { cause: error },
    );
  }
}

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied; check who may write to its directory',
    EPERM: 'the system does not permit it',
    EROFS: 'the file system is read-only',
    EIO: 'the disk reports an input/output error',
    EMFILE: 'too many open files',
    ENAMETOOLONG: 'the name is too long',
  };
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${words[code] ?? message} (${code})`;
}

/** A file of another user stays theirs where we may arrange it; where we may not, an editor could not either. */
function keepOwner(handle: number, { uid, gid }: { uid: number; gid: number }): void {
  const own = fstatSync(handle);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fchownSync(handle, uid, gid);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ENOTSUP', 'EINVAL'].includes(systemCode(error) ?? '')) throw error;
  }
}

function heldFile(handle: number): HeldFile {
  return {
    read() {
      const content = Buffer.alloc(fstatSync(handle).size);
      return content.subarray(0, readSync(handle, content, 0, content.length, 0));
    },
    hasName: () => fstatSync(handle).nlink > 0,
    close: () => closeSync(handle),
  };
}

function entryOf(stat: BigIntStats): DiskEntry {
  const kind = stat.isFile()
    ? 'file'
    : stat.isDirectory()
      ? 'directory'
      : stat.isSymbolicLink()
        ? 'link'
        : 'other';
  return {
    kind,
    identity: `${stat.dev}:${stat.ino}`,
    device: String(stat.dev),
    size: Number(stat.size),
    mode: Number(stat.mode) & 0o7777,
    names: Number(stat.nlink),
    owner: { uid: Number(stat.uid), gid: Number(stat.gid) },
    changedAt: Number(stat.ctimeNs) / 1e6,
  };
}
