/** A server process with the texts that it was sent and what it said about them. */
import type { DiagnosticsStore } from './diagnostics-store.ts';
import type { Documents } from './documents.ts';
import type { PublishingServer } from './publishing-server.ts';
import type { SpokenServer } from './spoken-server.ts';
import type { WatchedFiles } from './watched-files.ts';

export interface DiagnosedServer extends SpokenServer {
  readonly documents: Documents;
  readonly diagnostics: DiagnosticsStore;
  readonly publishing: PublishingServer;
  readonly watchedFiles: WatchedFiles;
}
