/**
 * What a session holds at its server: files that it keeps open and folders that it works in. Servers and brokers come
 * and go, and each next one is given the same.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { messageOf } from '../../shared/base/failure.ts';
import type { Log } from '../../shared/base/log.ts';
import { BROKER } from '../../shared/rendezvous/broker-methods.ts';
import type { BrokerSession } from './broker-session.ts';

/** Where things can be held: a broker's session, or a link in this process. */
export interface HoldingPlace {
  setFolders(folders: readonly AbsPath[]): Promise<unknown>;
  openDocument(file: AbsPath): Promise<unknown>;
}

export function placeAt(session: Pick<BrokerSession, 'call'>): HoldingPlace {
  return {
    setFolders: (folders) => session.call(BROKER.setFolders, { folders }, {}),
    openDocument: (file) => session.call(BROKER.openDocument, { file }, {}),
  };
}

export class Holdings {
  readonly pinned = new Set<AbsPath>();
  folders: readonly AbsPath[] = [];
  readonly #log: Log;
  #pinning: Promise<unknown> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Settles when the folders are there, because answers depend on them; files are opened meanwhile. */
  async moveTo(place: HoldingPlace): Promise<void> {
    if (this.folders.length > 0)
      await place
        .setFolders(this.folders)
        .catch((error: unknown) =>
          this.#log.warn('could not keep folders', { folders: this.folders, error: messageOf(error) }),
        );
    this.#pinning = Promise.all([...this.pinned].map((file) => this.#pin(place, file)));
  }

  /** Settles when everything that was moved is open. */
  async whenPinned(): Promise<void> {
    await this.#pinning;
  }

  async #pin(place: HoldingPlace, file: AbsPath): Promise<void> {
    await place
      .openDocument(file)
      .catch((error: unknown) =>
        this.#log.warn('could not keep a file open', { file, error: messageOf(error) }),
      );
  }
}
