/** What can happen to a file on disk, as everybody here speaks of it. */
import type { AbsPath } from '../base/brand.ts';

/** A rename is a delete and a create. */
export type ChangeType = 'create' | 'change' | 'delete';

export interface DiskChange {
  readonly path: AbsPath;
  readonly type: ChangeType;
}
