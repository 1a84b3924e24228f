/** What can happen to a file on disk, as everybody here speaks of it. */
import type { FileChange } from '../../link/server-link.ts';

export type DiskChange = FileChange;
/** A rename is a delete and a create. */
export type ChangeType = FileChange['type'];
