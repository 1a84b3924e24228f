/**
 * Standard input and output of a hook by their numbers: making streams of them takes longer than what most hooks do.
 */
import { fstatSync, read, writeSync } from 'node:fs';
import { systemClock } from '../../shared/base/lifetime.ts';

/** A client closes what it writes to; who calls from a shell may not. */
const LIMIT_MS = 5_000;
/** Who shares its input with us may have made it one that does not wait. */
const AGAIN_MS = 5;
const CHUNK_BYTES = 64 * 1024;

/** All that comes until the end of the input; nothing from a terminal, or from what swallows everything. */
export function readIn(): Promise<string> {
  if (fstatSync(0).isCharacterDevice()) return Promise.resolve('');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = () => {
      limit[Symbol.dispose]();
      resolve(Buffer.concat(chunks).toString('utf8'));
    };
    const limit = systemClock.after(LIMIT_MS, end);
    const next = () => {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      read(0, buffer, 0, CHUNK_BYTES, null, (error, size) => {
        if (error?.code === 'EAGAIN') systemClock.after(AGAIN_MS, next);
        else if (error || size === 0) end();
        else {
          chunks.push(buffer.subarray(0, size));
          next();
        }
      });
    };
    next();
  });
}

/** Whole, also to a reader that is slow; nothing for one that has left. */
export function writeOut(text: string): void {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
