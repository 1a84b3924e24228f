/**
 * The newest diagnostics of each file, published and pulled, with what is needed to judge their age. Each text that
 * the host sends and each batch of changed files that it reports begins a new epoch: diagnostics of an older epoch
 * say nothing about the files as they are now.
 */
import {
  type Diagnostic,
  DidCloseTextDocumentNotification,
  type DidCloseTextDocumentParams,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Clock, Listeners } from '../../base/lifetime.ts';
import { uriToPath } from '../../base/paths.ts';
import { type Claim, VersionHonesty } from '../protocol/version-honesty.ts';
import { type ChangeKind, PublishingHabits, type StartingValues } from './publishing-habits.ts';
import { UnchangedReports } from './unchanged-reports.ts';

export interface StoredDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** The document version the server named, if it names any that means something. */
  readonly version: number | undefined;
  readonly claim: Claim;
  /** The epoch in which they arrived. */
  readonly epoch: number;
  readonly at: number;
}

/** A text or a batch of files that the server was told about. */
export interface Change {
  readonly kind: ChangeKind;
  readonly epoch: number;
  readonly at: number;
  readonly file: AbsPath | undefined;
}

/** The text that the server has of an open file. */
export interface SentText {
  readonly version: number;
  /** When it was sent last. */
  readonly epoch: number;
  /** When it was sent first. */
  readonly firstEpoch: number;
}

/** What was found out about a file and holds for an epoch, until something is published about it. */
export type Conclusion = { readonly diagnostics: readonly Diagnostic[] } & (
  | { readonly kind: 'exact' }
  | { readonly kind: 'inferred'; readonly proof: 'quiet' | 'idle' }
);

export class DiagnosticsStore {
  readonly habits: PublishingHabits;
  readonly honesty = new VersionHonesty();
  readonly unchanged: UnchangedReports;
  readonly #clock: Clock;
  #pushed = new Map<AbsPath, StoredDiagnostics>();
  #pulled = new Map<string, PulledDiagnostics>();
  /** Publications that name an older version, in case it turns out that the versions mean nothing. */
  readonly #refused = new Map<AbsPath, StoredDiagnostics>();
  readonly #found = new Map<AbsPath, { readonly epoch: number; readonly finding: Conclusion }>();
  readonly #texts = new Map<AbsPath, SentText>();
  readonly #publications = new Listeners<AbsPath>();
  #last: Change;
  #lastFiles: Change | undefined;
  #lastDiskNews: number | undefined;
  #lastPublication: number | undefined;
  #refreshes = 0;

  constructor(clock: Clock, start: StartingValues) {
    this.#clock = clock;
    this.habits = new PublishingHabits(start);
    this.unchanged = new UnchangedReports(clock);
    this.#last = { kind: 'text', epoch: 0, at: clock.now(), file: undefined };
  }

  get epoch(): number {
    return this.#last.epoch;
  }

  get lastChange(): Change {
    return this.#last;
  }

  get lastFilesChange(): Change | undefined {
    return this.#lastFiles;
  }

  /** When the server was last told of anything but other texts: files that come and go may change what imports mean. */
  get lastDiskNews(): number | undefined {
    return this.#lastDiskNews;
  }

  get lastPublication(): number | undefined {
    return this.#lastPublication;
  }

  /** How often the server has said that pulled results are old. */
  get refreshes(): number {
    return this.#refreshes;
  }

  /** To be called right before a text of this file is sent: what came before is about older text. */
  textChanges(file: AbsPath, version: number, again = false): void {
    const known = this.#texts.get(file);
    // The same text again tells the server nothing that it did not know, but makes it look at the file.
    const { epoch, at } = again ? { epoch: this.epoch, at: this.#clock.now() } : this.#change('text', file);
    const firstEpoch = again && known ? known.firstEpoch : epoch;
    this.#texts.set(file, { version, epoch, firstEpoch });
    this.honesty.sent(file, version);
    this.habits.textSent(file, at);
  }

  /** Everything that is sent about documents comes past here; only closing is not announced in another way. */
  sending(method: string, params: unknown): void {
    if (method !== DidCloseTextDocumentNotification.method) return;
    const file = uriToPath((params as DidCloseTextDocumentParams).textDocument.uri);
    const change = this.#change('text', undefined);
    this.#lastDiskNews = change.at;
    if (file === undefined) return;
    this.#texts.delete(file);
    this.habits.textClosed(file, change.at);
  }

  /**
   * To be called right before the server is told about files on disk: any answer may change. Open ones count as texts,
   * because their text follows at once. `onlyTexts`: none came or went, and the server has asked to be told of them.
   */
  worldChanges(files: readonly AbsPath[] = [], onlyTexts = false): void {
    const kind = files.length > 0 && files.every((file) => this.#texts.has(file)) ? 'text' : 'files';
    const change = this.#change(kind, undefined);
    this.unchanged.worldChanges();
    if (kind === 'files') {
      this.#lastFiles = change;
      if (!onlyTexts) this.#lastDiskNews = change.at;
    }
    this.habits.filesReported(kind, change.at);
  }

  /** The server says that what it was asked for earlier would be answered differently now. */
  refreshRequested(): void {
    this.#refreshes++;
    this.unchanged.worldChanges();
    for (const pulled of this.#pulled.values()) pulled.old = true;
  }

  /** The text that the server has of this file, as long as it is open. */
  textOf(file: AbsPath): SentText | undefined {
    return this.#texts.get(file);
  }

  /** True when the text of an open file was sent after this epoch and nothing was published about it since. */
  owesSince(epoch: number): boolean {
    return [...this.#texts].some(
      ([file, text]) => text.firstEpoch > epoch && (this.#pushed.get(file)?.epoch ?? -1) < text.firstEpoch,
    );
  }

  get(file: AbsPath): StoredDiagnostics | undefined {
    return this.#pushed.get(file);
  }

  refused(file: AbsPath): StoredDiagnostics | undefined {
    return this.#refused.get(file);
  }

  publish(params: PublishDiagnosticsParams): void {
    const file = uriToPath(params.uri);
    if (file === undefined) return;
    // Some servers send null.
    const version = params.version ?? undefined;
    const now = this.#clock.now();
    const claim = this.honesty.heard(file, version);
    const entry = { diagnostics: params.diagnostics, version, claim, epoch: this.epoch, at: now };
    this.#lastPublication = now;
    this.#found.delete(file);
    if (claim === 'older') {
      this.#refused.set(file, entry);
      this.habits.publishedLate(file, now);
    } else {
      this.#pushed.set(file, entry);
      this.habits.published(file, now);
    }
    this.#publications.emit(file);
  }

  onPublish(listener: (file: AbsPath) => void): Disposable {
    return this.#publications.add(listener);
  }

  /** The versions of this server mean nothing, so the last publication stands, whatever it names. */
  acceptRefused(file: AbsPath): void {
    const entry = this.#refused.get(file);
    if (!entry) return;
    this.#refused.delete(file);
    this.#pushed.set(file, { ...entry, version: undefined, claim: 'nothing' });
  }

  conclude(file: AbsPath, epoch: number, finding: Conclusion): void {
    this.#found.set(file, { epoch, finding });
  }

  /** What was found out in this epoch or a later one. */
  concluded(file: AbsPath, epoch: number): Conclusion | undefined {
    const known = this.#found.get(file);
    return known && known.epoch >= epoch ? known.finding : undefined;
  }

  /** True when the server may say something else about this file since it was last made to look at it. */
  needsLook(file: AbsPath): boolean {
    const seen = Math.max(this.#texts.get(file)?.epoch ?? 0, this.#found.get(file)?.epoch ?? 0);
    return seen < this.epoch;
  }

  pulled(file: AbsPath, provider: string): PulledDiagnostics | undefined {
    return this.#pulled.get(`${provider} ${file}`);
  }

  storePulled(file: AbsPath, provider: string, diagnostics: readonly Diagnostic[], resultId?: string): void {
    const entry = { file, diagnostics, resultId, at: this.#clock.now(), old: false };
    this.#pulled.set(`${provider} ${file}`, entry);
  }

  /** The newest that is known of a file, of whatever age; undefined when nothing is. */
  lastKnown(file: AbsPath): { diagnostics: readonly Diagnostic[]; ageMs: number } | undefined {
    const pulled = [...this.#pulled.values()].filter((entry) => entry.file === file);
    const pushed = this.#pushed.get(file);
    const at = Math.max(...[pushed, ...pulled].map((entry) => entry?.at ?? Number.NEGATIVE_INFINITY));
    if (at === Number.NEGATIVE_INFINITY) return undefined;
    const diagnostics =
      pulled.length > 0 ? pulled.flatMap((entry) => entry.diagnostics) : pushed?.diagnostics;
    return { diagnostics: diagnostics ?? [], ageMs: Math.round(this.#clock.now() - at) };
  }

  /** What is heard until this is disposed of is about borrowed text; afterwards the last known is what it was before. */
  setAside(): Disposable {
    const pushed = new Map(this.#pushed);
    const pulled = new Map(this.#pulled);
    return {
      [Symbol.dispose]: () => {
        this.#pushed = pushed;
        this.#pulled = pulled;
        this.#refused.clear();
        this.#found.clear();
      },
    };
  }

  #change(kind: ChangeKind, file: AbsPath | undefined): Change {
    this.#last = { kind, epoch: this.epoch + 1, at: this.#clock.now(), file };
    this.unchanged.textChanges();
    return this.#last;
  }
}

export interface PulledDiagnostics {
  readonly file: AbsPath;
  readonly diagnostics: readonly Diagnostic[];
  /** To ask "anything new since?". */
  readonly resultId: string | undefined;
  readonly at: number;
  /** The server has said so itself. */
  old: boolean;
}
