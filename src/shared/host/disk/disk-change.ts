/** What can happen to a file on disk, in the words of the host. */
import type { FileChange } from '../../link/server-link.ts';

export type DiskChange = FileChange;
/** A rename is a delete and a create. */
export type ChangeType = FileChange['type'];
