/** Whether the program on disk is still the one that runs: after an upgrade a broker should make room for the new one. */
import { statSync } from 'node:fs';

/** The returned function is true once the script was replaced or removed. */
export function watchProgram(entryScript: string): () => boolean {
  const mark = () => {
    try {
      const { ino, mtimeMs, size } = statSync(entryScript);
      return `${ino}:${mtimeMs}:${size}`;
    } catch {
      return 'gone';
    }
  };
  const atStart = mark();
  return () => mark() !== atStart;
}
