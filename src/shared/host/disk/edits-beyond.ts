/**
 * Some servers take what lies beyond their folders for a library, and look at a change there only after a pause of
 * seconds: until then they answer from the old text. Of an edit in an open file they know at once, whoever has it open,
 * so that is what such a change is made to be.
 */
import path from 'node:path';
import {
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  FileChangeType,
  type FileEvent,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { isInside, uriToPath } from '../../base/paths.ts';
import { textOrNothing } from '../../base/read-text.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { Connection } from '../../wire/connection.ts';
import type { Quirks } from '../protocol/quirks.ts';

/** What is needed of a server process. */
export interface EditedInstance {
  readonly plan: Pick<ServerPlan, 'languageIds'>;
  readonly quirks: Pick<Quirks, 'readsBeyondLater'>;
  readonly connection: Pick<Connection, 'notify'>;
  readonly documents: { files(): readonly AbsPath[] };
}

/** To be called with what the server was told of; `folders` are those that it works in. */
export function editBeyond(
  { plan, quirks, connection, documents }: EditedInstance,
  changes: readonly FileEvent[],
  folders: readonly AbsPath[],
): void {
  if (!quirks.readsBeyondLater) return;
  const open = new Set(documents.files());
  const isMeant = (file: AbsPath) => !open.has(file) && !folders.some((folder) => isInside(file, folder));
  for (const { uri, type } of changes) {
    const file = uriToPath(uri);
    if (file === undefined || type !== FileChangeType.Changed || !isMeant(file)) continue;
    const languageId = plan.languageIds[path.extname(file).slice(1)];
    if (languageId === undefined) continue;
    const text = textOrNothing(file);
    connection.notify(DidOpenTextDocumentNotification.method, {
      textDocument: { uri, version: 1, languageId, text },
    });
    // Opening alone counts as news of the file itself, not of what depends on it.
    connection.notify(DidChangeTextDocumentNotification.method, {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    });
    connection.notify(DidCloseTextDocumentNotification.method, { textDocument: { uri } });
  }
}
