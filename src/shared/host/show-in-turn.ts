/**
 * Opening files in portions. A server loads the project of a file before it reads on, so that all that is opened at once
 * stands before the next question of anybody. A portion is opened only when the server has read the one before.
 */
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';

/** A portion that is read sooner is followed by a larger one, one that takes longer than this by a single file. */
const QUICK_MS = 200;

export interface Showing {
  readonly clock: Clock;
  /** Resolves when the server has read what it was sent. */
  open(files: readonly AbsPath[]): Promise<void>;
  isOver(): boolean;
}

/** Returns those that were opened before the time was over. */
export async function showInTurn(
  files: readonly AbsPath[],
  { clock, open, isOver }: Showing,
): Promise<readonly AbsPath[]> {
  let [shown, size] = [0, 1];
  while (shown < files.length && !isOver()) {
    const began = clock.now();
    await open(files.slice(shown, shown + size));
    shown += size;
    size = clock.now() - began < QUICK_MS ? size * 2 : 1;
  }
  return files.slice(0, shown);
}
