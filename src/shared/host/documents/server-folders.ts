/**
 * The workspace folders that one server process has been told of. folder-book.ts says which folders its users want. A
 * server that accepts changes gets them at once; each new process starts with the folders wanted then.
 */
import {
  DidChangeWorkspaceFoldersNotification,
  type DidChangeWorkspaceFoldersParams,
  type WorkspaceFolder,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { pathToUri } from '../../base/paths.ts';
import { type ServerFacts, takesFolders } from '../../link/server-link.ts';
import type { FolderBook } from './folder-book.ts';

export interface FoldersPort {
  readonly root: AbsPath;
  readonly book: Pick<FolderBook, 'all'>;
  /** Known after the handshake. */
  facts(): Pick<ServerFacts, 'capabilities'>;
  notify(method: string, params: DidChangeWorkspaceFoldersParams): void;
  /** Called right before the server is told of them, because it reads a new folder from then on. */
  beforeChange(folders: readonly AbsPath[], added: readonly AbsPath[]): void;
  /** Called right after it was told. */
  added(folder: AbsPath): void;
  removed(folder: AbsPath): void;
}

export class ServerFolders {
  readonly #port: FoldersPort;
  #told: readonly AbsPath[] = [];

  constructor(port: FoldersPort) {
    this.#port = port;
  }

  /** Beside the root. */
  get others(): readonly AbsPath[] {
    return this.#told;
  }

  /** The root first. */
  get list(): WorkspaceFolder[] {
    return [this.#port.root, ...this.#told].map(folderOf);
  }

  /** For `initialize`. */
  begin(): WorkspaceFolder[] {
    this.#told = this.#port.book.all;
    if (this.#told.length > 0) this.#port.beforeChange(this.#told, this.#told);
    return this.list;
  }

  /** Tells the server what has changed since; false when it does not listen to that. */
  follow(): boolean {
    const wanted = this.#port.book.all;
    const added = wanted.filter((folder) => !this.#told.includes(folder));
    const removed = this.#told.filter((folder) => !wanted.includes(folder));
    if (added.length + removed.length === 0) return true;
    if (!takesFolders(this.#port.facts().capabilities)) return false;
    this.#told = wanted;
    this.#port.beforeChange(wanted, added);
    this.#port.notify(DidChangeWorkspaceFoldersNotification.method, {
      event: { added: added.map(folderOf), removed: removed.map(folderOf) },
    });
    for (const folder of removed) this.#port.removed(folder);
    for (const folder of added) this.#port.added(folder);
    return true;
  }
}

function folderOf(folder: AbsPath): WorkspaceFolder {
  return { uri: pathToUri(folder), name: folder };
}
