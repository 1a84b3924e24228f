/** Has the files of a server process watched, and the process told of them in the ways that it needs. */
import { DidChangeWatchedFilesNotification } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { Connection } from '../../wire/connection.ts';
import { readProjectsAgain } from '../protocol/engine-projects.ts';
import type { Quirks } from '../protocol/quirks.ts';
import { editBeyond } from './edits-beyond.ts';
import { WatchedFiles, type WatcherDeps } from './watched-files.ts';

/** What is needed of a server process. */
export interface WatchedInstance {
  readonly plan: ServerPlan;
  readonly quirks: Quirks;
  readonly connection: Connection;
  readonly documents: { files(): readonly AbsPath[] };
  readonly diagnostics: { worldChanges(files: readonly AbsPath[], onlyTexts?: boolean): void };
  readonly questions: { forget(): void };
}

export function watchedFilesOf(
  instance: WatchedInstance,
  { clock, log }: Pick<WatcherDeps, 'clock' | 'log'>,
): WatchedFiles {
  const { plan, quirks, connection, documents, diagnostics, questions } = instance;
  return new WatchedFiles(plan, {
    clock,
    log,
    send(changes, folders) {
      connection.notify(DidChangeWatchedFilesNotification.method, { changes });
      editBeyond(instance, changes, folders);
    },
    worldChanges: (files, onlyTexts) => {
      questions.forget();
      diagnostics.worldChanges(files, onlyTexts);
    },
    request: (method, params) => connection.request(method, params),
    readAgain: (changes) => {
      const open = new Set(documents.files());
      // Of the text of an open file it is told otherwise.
      if (changes.some(({ path, type }) => type !== 'change' || !open.has(path)))
        readProjectsAgain({ connection, quirks });
    },
    fileListTaken: quirks.fileListTaken,
    fileText: quirks.fileText,
    loadsAlone: quirks.loadsAlone,
  });
}
