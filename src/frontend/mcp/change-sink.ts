/** Where a session tells its client that a list or a resource has changed, however the client is connected. */
import type { ListChange } from './tool-set.ts';

/** Tells a client of changes; it never fails. */
export interface ChangeSink {
  listChanged(method: ListChange): void;
  resourceUpdated(uri: string): void;
}
