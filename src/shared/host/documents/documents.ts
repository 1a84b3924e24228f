/**
 * Keeps the server's open documents equal to the disk, except while they are lent to a window; no other file sends
 * text. Before each request that names a file: stat, read if the stamp changed, and send the text if it changed.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
} from 'vscode-languageserver-protocol';
import type { AbsPath, DocUri } from '../../base/brand.ts';
import { type Clock, deferred } from '../../base/lifetime.ts';
import { isInside, pathToUri } from '../../base/paths.ts';
import { type FileStamp, readTextFile, textStamp } from '../../base/text-file.ts';
import type { OpenDocument } from '../../link/server-link.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import type { Quirks } from '../protocol/quirks.ts';
import type { PinBook } from './pin-book.ts';

/** What outlives a server process: versions rise per file for the life of the host, and pinned files stay pinned. */
export interface DocumentBooks {
  readonly versions: Map<AbsPath, number>;
  readonly pins: PinBook;
}

export interface DocumentPort {
  notify(method: string, params: unknown): void;
  /** See quirks.ts for these. */
  readonly withChange: Quirks['withChange'];
  readonly checkerReadsDisk: Quirks['checkerReadsDisk'];
  readonly keepsIncluded: Quirks['keepsIncluded'];
  /** Whether the server wants didSave, and with the text. */
  readonly save: false | { readonly includeText: boolean };
  /** Called right before a text is sent, or the same one again, so that older publications can be told from newer ones. */
  beforeChange(file: AbsPath, version: number, again: boolean): void;
}

/** The server's texts in the hands of a call that tries out others. The call changes back what it has changed. */
export interface LentDocuments {
  /** The text that the server has of an open file. */
  of(file: AbsPath): { readonly version: number; readonly hash: string } | undefined;
  /** Return the version that the text was sent with. */
  open(file: AbsPath, text: string): number;
  change(file: AbsPath, text: string): number;
  /** The disk's text, after another one. */
  changeBack(file: AbsPath, text: string): void;
  /** The text that the server has, once more. */
  repeat(file: AbsPath, text: string): number;
  close(file: AbsPath): void;
  /** The next call that needs the file opens it anew, from the disk. */
  forget(file: AbsPath): void;
  giveBack(): void;
}

interface Document {
  readonly file: AbsPath;
  readonly uri: DocUri;
  version: number;
  hash: string;
  stamp: FileStamp;
  lastUse: number;
  /** To be sent once more although it is what the server has. */
  again: boolean;
}

const MAX_OPEN = 128;
const IDLE_CLOSE_MS = 5 * 60_000;

export class Documents {
  readonly #plan: ServerPlan;
  readonly #port: DocumentPort;
  readonly #versions: DocumentBooks['versions'];
  readonly #pins: PinBook;
  readonly #clock: Clock;
  readonly #open = new Map<AbsPath, Document>();
  /** One sync per file at a time: two callers must not both send didOpen. */
  readonly #syncing = new Map<AbsPath, Promise<Document>>();
  #lent: { readonly over: Promise<void>; readonly closeLater: Set<AbsPath> } | undefined;

  constructor(plan: ServerPlan, port: DocumentPort, books: DocumentBooks, clock: Clock) {
    this.#plan = plan;
    this.#port = port;
    this.#versions = books.versions;
    this.#pins = books.pins;
    this.#clock = clock;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Those that are open. */
  files(): readonly AbsPath[] {
    return [...this.#open.keys()];
  }

  /** Makes the server's text of this file equal to the disk's and returns its version. */
  async sync(file: AbsPath): Promise<OpenDocument> {
    const running = this.#syncing.get(file);
    // A sync that began earlier may have read an older text, so this one goes after it, not along with it.
    const mine = (running ?? Promise.resolve()).then(
      () => this.#sync(file),
      () => this.#sync(file),
    );
    this.#syncing.set(file, mine);
    try {
      return describe(await mine);
    } finally {
      if (this.#syncing.get(file) === mine) this.#syncing.delete(file);
    }
  }

  /** The same for these files and for every other open one whose file has changed: any of them can change an answer. */
  async syncAll(files: readonly AbsPath[]): Promise<void> {
    const changed = [...this.#open.values()]
      .filter((document) => !isUnchanged(document) || this.#syncing.has(document.file))
      .map(({ file }) => file);
    // A new server process knows nothing of the files that were pinned in the one before.
    const unopened = this.#pins.files().filter((file) => !this.#open.has(file));
    // A file that is gone fails only the call that is about it; for all others closing it is all there is to do.
    const others = [...changed, ...unopened].filter((file) => !files.includes(file));
    if (others.length > 0) await Promise.all(others.map((file) => this.sync(file).catch(() => {})));
    for (const file of files) {
      const document = this.#open.get(file);
      if (document && !changed.includes(file)) this.#used(document);
      else await this.sync(file);
    }
  }

  /** The next `sync` of an open file sends its text in any case: some servers look at a file again only then. */
  sendAgain(file?: AbsPath): void {
    for (const document of this.#open.values())
      if (file === undefined || document.file === file) document.again = true;
  }

  /** Nobody keeps this file open any more. */
  close(file: AbsPath): void {
    if (this.#lent) return void this.#lent.closeLater.add(file);
    const document = this.#open.get(file);
    if (document) this.#close(document);
  }

  /** Nobody works in this folder any more; only what a session keeps open stays. */
  closeIn(folder: AbsPath): void {
    for (const file of [...this.#open.keys()])
      if (isInside(file, folder) && !this.#pins.has(file)) this.close(file);
  }

  /** Lends the documents to a window that tries out text: until it gives them back, calls that sync a file with the disk wait. */
  async lend(): Promise<LentDocuments> {
    while (this.#syncing.size > 0) await Promise.allSettled(this.#syncing.values());
    const { promise: over, resolve } = deferred<void>();
    const closeLater = new Set<AbsPath>();
    this.#lent = { over, closeLater };
    const change = (file: AbsPath, text: string, again: boolean) => {
      const document = this.#open.get(file);
      if (!document) throw new Error(`not open: ${file}`);
      return this.#sendChange(document, text, again, this.#port.keepsIncluded?.anew);
    };
    return {
      of: (file) => this.#open.get(file),
      open: (file, text) => this.#sendOpen(file, text),
      change: (file, text) => change(file, text, false),
      changeBack: (file, text) => {
        change(file, text, false);
        // A checker of its own speaks of a changed file only when that was saved, and must be waited for until then.
        if (this.#port.checkerReadsDisk === 'always') this.#sendSave(pathToUri(file), text);
      },
      repeat: (file, text) => change(file, text, true),
      close: (file) => this.#sendClose(file),
      forget: (file) => {
        const document = this.#open.get(file);
        if (document) this.#close(document);
      },
      giveBack: () => {
        this.#lent = undefined;
        for (const file of closeLater) if (!this.#pins.has(file)) this.close(file);
        resolve();
      },
    };
  }

  async #sync(file: AbsPath): Promise<Document> {
    while (this.#lent) await this.#lent.over;
    const document = this.#open.get(file);
    try {
      if (document && !document.again && isUnchanged(document)) return this.#used(document);
      const { text, stamp } = await readTextFile(file);
      const hash = createHash('sha1').update(text).digest('base64');
      if (!document) return this.#used(this.#didOpen(file, text, hash, stamp));
      document.stamp = stamp;
      if (document.hash !== hash || document.again) this.#didChange(document, text, hash);
      return this.#used(document);
    } catch (error) {
      // Gone or no longer text: the server must not go on with what the file used to be.
      if (document) this.#close(document);
      throw error;
    }
  }

  #didOpen(file: AbsPath, text: string, hash: string, stamp: FileStamp): Document {
    const version = this.#sendOpen(file, text);
    const document = {
      file,
      uri: pathToUri(file),
      version,
      hash,
      stamp,
      lastUse: 0,
      again: false,
    };
    this.#open.set(file, document);
    return document;
  }

  #sendOpen(file: AbsPath, text: string): number {
    const version = this.#nextVersion(file);
    this.#port.notify(DidOpenTextDocumentNotification.method, {
      textDocument: { uri: pathToUri(file), languageId: this.#languageId(file), version, text },
    });
    return version;
  }

  #didChange(document: Document, text: string, hash: string): void {
    const again = document.hash === hash;
    document.hash = hash;
    this.#sendChange(document, text, again);
    if (!again) this.#sendSave(document.uri, text);
  }

  #sendSave(uri: DocUri, text: string): void {
    if (!this.#port.save) return;
    this.#port.notify(DidSaveTextDocumentNotification.method, {
      textDocument: { uri },
      ...(this.#port.save.includeText ? { text } : {}),
    });
  }

  #sendChange(document: Document, text: string, again = false, more: Quirks['withChange'] = {}): number {
    document.again = false;
    document.version = this.#nextVersion(document.file, again);
    this.#port.notify(DidChangeTextDocumentNotification.method, {
      textDocument: { uri: document.uri, version: document.version },
      contentChanges: [{ text }],
      ...this.#port.withChange,
      ...more,
    });
    return document.version;
  }

  #close(document: Document): void {
    if (this.#open.delete(document.file)) this.#sendClose(document.file);
  }

  #sendClose(file: AbsPath): void {
    this.#port.notify(DidCloseTextDocumentNotification.method, { textDocument: { uri: pathToUri(file) } });
  }

  #used(document: Document): Document {
    document.lastUse = this.#clock.now();
    const closable = [...this.#open.values()]
      .filter((other) => other !== document && !this.#pins.has(other.file) && !this.#syncing.has(other.file))
      .sort((a, b) => a.lastUse - b.lastUse);
    let excess = this.#open.size - MAX_OPEN;
    for (const other of closable) {
      if (excess-- <= 0 && document.lastUse - other.lastUse < IDLE_CLOSE_MS) break;
      this.#close(other);
    }
    return document;
  }

  #nextVersion(file: AbsPath, again = false): number {
    const version = (this.#versions.get(file) ?? 0) + 1;
    this.#versions.set(file, version);
    this.#port.beforeChange(file, version, again);
    return version;
  }

  #languageId(file: AbsPath): string {
    const { languageIds, language } = this.#plan;
    return (
      languageIds[path.basename(file)] ?? languageIds[path.extname(file).slice(1).toLowerCase()] ?? language
    );
  }
}

function isUnchanged({ file, stamp }: Document): boolean {
  try {
    return stamp.settled && textStamp(file).key === stamp.key;
  } catch {
    return false;
  }
}

function describe(document: Document): OpenDocument {
  return { file: document.file, version: document.version };
}
