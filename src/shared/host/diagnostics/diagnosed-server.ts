/** A server process with the texts that it was sent and what it said about them. */

import type { WatchedFiles } from '../disk/watched-files.ts';
import type { Documents } from '../documents/documents.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';
import type { PublishingServer } from './publishing-server.ts';

export interface DiagnosedServer extends SpokenServer {
  readonly documents: Documents;
  readonly diagnostics: DiagnosticsStore;
  readonly publishing: PublishingServer;
  readonly watchedFiles: WatchedFiles;
}
