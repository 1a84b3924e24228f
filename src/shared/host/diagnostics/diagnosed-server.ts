/** A server process with the texts that the host sent to it and the diagnostics that it gave for them. */

import type { WatchedFiles } from '../disk/watched-files.ts';
import type { Documents } from '../documents/documents.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import type { Readiness } from '../readiness/readiness.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';
import type { PublishingServer } from './publishing-server.ts';

export interface DiagnosedServer extends SpokenServer {
  readonly documents: Documents;
  readonly diagnostics: DiagnosticsStore;
  readonly publishing: PublishingServer;
  readonly watchedFiles: WatchedFiles;
  readonly readiness: Readiness;
}
