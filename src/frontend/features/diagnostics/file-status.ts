/** What a check of a file has come to, in one word. */
import type { FileCheck } from './check-files.ts';
import { isFresh } from './diagnostics.ts';

/** `stale` findings are of an older text; of the others that are not fresh, nothing is known that holds now. */
export type FileStatus = 'fresh' | 'stale' | 'timeout' | 'failed' | 'missing';

export function statusOf(check: FileCheck): FileStatus {
  if (check.kind === 'unchecked') {
    const { kind } = check.failure;
    return kind === 'no-such-file' ? 'missing' : kind === 'timeout' ? 'timeout' : 'failed';
  }
  const { freshness } = check.found.report;
  if (isFresh(freshness)) return 'fresh';
  return freshness.kind === 'timeout' ? 'timeout' : 'stale';
}
