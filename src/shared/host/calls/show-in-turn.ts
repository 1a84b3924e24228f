/**
 * Opens files in portions. A server loads the project of a file before it reads on, so all files opened at once delay
 * the next question of every session. The next portion is opened only when the server has read the one before.
 * Decision: docs/decisions/languages-and-projects.md#projects-are-opened-in-portions
 */
import path from 'node:path';
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';

/** A portion that is read sooner is followed by a larger one, one that takes longer than this by a single file. */
const QUICK_MS = 200;

export interface Showing {
  readonly clock: Clock;
  /** Resolves when the server has read what it was sent, with true, or when the time is over. */
  open(files: readonly AbsPath[]): Promise<boolean>;
  isOver(): boolean;
}

/** What lies beside a file has more to do with it than what lies elsewhere; `behind` are the files that one stands for. */
export function nearestFirst(
  files: readonly AbsPath[],
  from: AbsPath | undefined,
  behind: (file: AbsPath) => readonly AbsPath[],
): readonly AbsPath[] {
  if (from === undefined) return files;
  const own = from.split(path.sep);
  const shared = (file: AbsPath) => {
    const parts = file.split(path.sep);
    const apart = own.findIndex((part, at) => part !== parts[at]);
    return apart < 0 ? own.length : apart;
  };
  const near = new Map(files.map((file) => [file, Math.max(...behind(file).map(shared))]));
  return files.toSorted((a, b) => (near.get(b) ?? 0) - (near.get(a) ?? 0));
}

export interface Shown {
  /** Those that were opened before the time was over. */
  readonly opened: readonly AbsPath[];
  /** How many of them the server had read by then. */
  readonly read: number;
}

export async function showInTurn(
  files: readonly AbsPath[],
  { clock, open, isOver }: Showing,
): Promise<Shown> {
  let [shown, read, size] = [0, 0, 1];
  while (shown < files.length && !isOver()) {
    const began = clock.now();
    const isRead = await open(files.slice(shown, shown + size));
    shown = Math.min(files.length, shown + size);
    if (!isRead) break;
    read = shown;
    size = clock.now() - began < QUICK_MS ? size * 2 : 1;
  }
  return { opened: files.slice(0, shown), read };
}
