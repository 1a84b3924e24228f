/**
 * Tells the server in batches about files that were created, changed or deleted on disk without being open.
 * watch-patterns.ts says which files matter to the server, and workspace-sweep.ts finds the changes.
 */
import { randomUUID } from 'node:crypto';
import {
  FileChangeType,
  type FileEvent,
  LogMessageNotification,
  type LogMessageParams,
  type Registration,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Clock, Listeners } from '../../base/lifetime.ts';
import type { Log } from '../../base/log.ts';
import { pathToUri } from '../../base/paths.ts';
import type { ServerPlan } from '../../link/server-plan.ts';
import { BARRIER_METHOD } from '../protocol/barrier.ts';
import type { Quirks } from '../protocol/quirks.ts';
import type { ChangeType, DiskChange } from './disk-change.ts';
import { statOf } from './disk-stamps.ts';
import { FileListNews } from './file-list-news.ts';
import { FileTextNews } from './file-text-news.ts';
import { LoadDoubts } from './load-doubts.ts';
import { type OutsideWatch, outsideWatches } from './outside-watches.ts';
import { type WatchPatterns, watchPatterns } from './watch-patterns.ts';
import { type SweepOptions, WorkspaceSweep } from './workspace-sweep.ts';

export interface WatcherDeps {
  readonly clock: Clock;
  readonly log: Log;
  send(changes: FileEvent[], folders: readonly AbsPath[]): void;
  /** Files on disk are not what they were when the server was last asked. */
  worldChanges(files: readonly AbsPath[], onlyTexts?: boolean): void;
  /** See quirks.ts for these. */
  readonly fileListTaken: RegExp | undefined;
  readonly fileText: string | undefined;
  readonly loadsAlone: Quirks['loadsAlone'];
  request(method: string, params: unknown): Promise<unknown>;
  /** Where the server registers for no changes, and so notices them by itself some time later. */
  readAgain?(changes: readonly DiskChange[]): void;
}

export interface CatchUpOptions {
  /** The answer depends on more than the files that it names. */
  readonly spansFiles: boolean;
  /** The answer goes through the server's own list of files. */
  readonly fileList?: boolean;
}

const CHANGE_TYPE = {
  create: FileChangeType.Created,
  change: FileChangeType.Changed,
  delete: FileChangeType.Deleted,
} as const;
/** A rename is a delete and a create, and reads best in this order. */
const ORDER: Readonly<Record<ChangeType, number>> = { delete: 0, create: 1, change: 2 };

export class WatchedFiles {
  /** What the server may have loaded at a bad moment. */
  readonly doubts: LoadDoubts;
  readonly #plan: Pick<ServerPlan, 'root' | 'language' | 'languageIds'>;
  readonly #deps: WatcherDeps;
  readonly #options: SweepOptions;
  readonly #sweep: WorkspaceSweep;
  /** Of the folders beside the root. */
  readonly #others = new Map<AbsPath, WorkspaceSweep>();
  /** Of what the server depends on elsewhere. */
  readonly #outside = new Map<string, WorkspaceSweep>();
  #outsideIsShort = false;
  readonly #fileList: FileListNews;
  readonly #fileText: FileTextNews;
  readonly #filesChanged = new Listeners<readonly AbsPath[]>();
  readonly #diskChanged = new Listeners<readonly DiskChange[]>();
  #patterns: WatchPatterns;
  #registeredKey = '[]';
  #registrations: readonly Registration[] = [];
  /** Of this life of the server. */
  readonly #life = randomUUID();
  #changes = 0;
  #serverReadsSince: number | undefined;

  constructor(
    plan: Pick<ServerPlan, 'root' | 'language' | 'languageIds'>,
    deps: WatcherDeps,
    options: SweepOptions = {},
  ) {
    this.#plan = plan;
    this.#deps = deps;
    this.#options = options;
    this.#patterns = watchPatterns(plan, []);
    const { clock, log } = deps;
    const request = (method: string, params: unknown) => deps.request(method, params);
    this.#fileText = new FileTextNews(deps.fileText, { clock, log, request });
    // Its answer, which is that there is no such method, comes after everything that was sent before was read.
    const barrier = () => request(BARRIER_METHOD, {});
    this.#fileList = new FileListNews(deps.fileListTaken, { clock, log, barrier });
    const send = (changes: FileEvent[]) => {
      this.#worldChanges([]);
      deps.send(changes, this.#folders());
    };
    this.doubts = new LoadDoubts(deps.loadsAlone, { root: plan.root, send });
    this.#sweep = this.#sweepOf(plan.root);
  }

  /** To be called right before the server may begin to read files. */
  begin(): void {
    if (!this.#patterns.empty) this.#begin(this.#sweep);
    this.#serverReadsSince = Date.now();
  }

  /** Looks at these folders, too; to be called right before the server may begin to read one that is new. */
  follow(folders: readonly AbsPath[]): void {
    for (const [folder, sweep] of this.#others)
      if (!folders.includes(folder) && this.#others.delete(folder)) void sweep.dispose();
    const added = folders.filter((folder) => !this.#others.has(folder));
    for (const folder of added) this.#others.set(folder, this.#sweepOf(folder));
    this.#patterns = watchPatterns(this.#plan, this.#registrations, folders);
    if (!this.#patterns.empty) for (const folder of added) this.#begin(this.#others.get(folder));
    // What was published before knows nothing of files that can be found now, or no longer.
    this.#worldChanges(folders);
  }

  /** Follows what the server has registered now. */
  registered(registrations: readonly Registration[]): void {
    const key = JSON.stringify(registrations.map((registration) => registration.registerOptions));
    // Servers register the same again and again, and each time all directories would be read.
    if (key === this.#registeredKey) return;
    this.#registeredKey = key;
    this.#registrations = registrations;
    this.#patterns = watchPatterns(this.#plan, registrations, [...this.#others.keys()]);
    for (const sweep of this.#sweeps()) {
      if (sweep.begun) sweep.interestChanged();
      else if (!this.#patterns.empty) this.#begin(sweep, this.#serverReadsSince);
    }
    this.#lookOutside();
  }

  /** Passes on what an agent or a client has noticed, whether or not it is known here. */
  tell(changes: readonly DiskChange[]): void {
    this.#send(changes, changes);
  }

  /** Before an answer: whatever was written before this call is known to the server when it gets what is sent next. */
  async catchUp({ spansFiles, fileList }: CatchUpOptions): Promise<void> {
    for (const sweep of this.#sweeps()) await sweep.catchUp({ spansFiles });
    await this.#fileText.taken();
    if (fileList) await this.#fileList.taken();
  }

  /** Notifications of the server. */
  hear(method: string, params: unknown): void {
    if (method !== LogMessageNotification.method) return;
    const { message } = params as Partial<LogMessageParams>;
    if (typeof message === 'string') this.#fileList.logLine(message);
  }

  /** Whether at the last `catchUp` that spanned files it was known of every file that it is as the server was told. */
  get certain(): boolean {
    if (this.#patterns.empty) return true;
    return !this.#outsideIsShort && this.#sweeps().every((sweep) => sweep.certain);
  }

  /** Whether it would be known by now if any file had changed: not where the server does not want to be told. */
  get seesAll(): boolean {
    return !this.#patterns.empty && this.certain;
  }

  /** Another one after each change, and in each life of the server; undefined where changes could go unnoticed. */
  get world(): string | undefined {
    return this.seesAll ? `${this.#life} ${this.#changes}` : undefined;
  }

  /** Sources that were created, changed or deleted, as soon as it is noticed. */
  onFilesChanged(listener: (files: readonly AbsPath[]) => void): Disposable {
    return this.#filesChanged.add(listener);
  }

  /** Everything that was found to be created, changed or deleted, before the server is told. */
  onDiskChanged(listener: (changes: readonly DiskChange[]) => void): Disposable {
    return this.#diskChanged.add(listener);
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#sweeps().map((sweep) => sweep.dispose()));
  }

  #worldChanges(files: readonly AbsPath[], onlyTexts?: boolean): void {
    this.#changes += 1;
    this.#deps.worldChanges(files, onlyTexts);
  }

  #folders(): readonly AbsPath[] {
    return [this.#plan.root, ...this.#others.keys()];
  }

  #sweeps(): readonly WorkspaceSweep[] {
    return [this.#sweep, ...this.#others.values(), ...this.#outside.values()];
  }

  #sweepOf(root: AbsPath, options: SweepOptions = {}): WorkspaceSweep {
    const { clock, log } = this.#deps;
    return new WorkspaceSweep(
      root,
      { clock, log, found: (...news) => this.#found(...news) },
      { ...this.#options, ...options },
    );
  }

  /** Follows what the server wants to know of beyond its folders. */
  #lookOutside(): void {
    const folders = this.#folders();
    const { watches, isShort } = outsideWatches(this.#registrations, folders);
    this.#outsideIsShort = isShort;
    const keyOf = ({ directory, isFlat }: OutsideWatch) => `${directory} ${isFlat}`;
    const wanted = new Set(watches.map(keyOf));
    for (const [key, sweep] of this.#outside)
      if (!wanted.has(key) && this.#outside.delete(key)) void sweep.dispose();
    for (const watch of watches) {
      if (this.#outside.has(keyOf(watch))) continue;
      const enters = (directory: string) => !watch.isFlat && !folders.some((folder) => folder === directory);
      const sweep = this.#sweepOf(watch.directory, { enters, isOutside: true });
      this.#outside.set(keyOf(watch), sweep);
      this.#begin(sweep, this.#serverReadsSince);
      // The answer on its way may have been read from there: what has changed meanwhile must be known before it is judged.
      void sweep.catchUp({ spansFiles: true });
    }
  }

  #begin(sweep: WorkspaceSweep | undefined, since?: number): void {
    sweep?.begin((file) => this.#patterns.interest(file), since);
  }

  #found(changes: readonly DiskChange[], flickered: readonly string[]): void {
    const wanted = changes.filter((change) => this.#patterns.wants(change.path, change.type));
    if (changes.length > 0) this.#send(changes, wanted);
    const counts = (file: string) => this.#patterns.interest(file) || statOf(file)?.isDirectory();
    if (flickered.some(counts)) this.doubts.flickered();
  }

  #send(changes: readonly DiskChange[], told: readonly DiskChange[]): void {
    this.#diskChanged.emit(changes);
    const sources = changes.map((change) => change.path).filter((file) => this.#patterns.isSource(file));
    const wanted = told.toSorted((a, b) => ORDER[a.type] - ORDER[b.type]);
    // First: whatever is published after this is about the files as they are now.
    const onlyTexts =
      this.#registrations.length > 0 &&
      changes.every(({ type }) => type === 'change') &&
      sources.every((file) => wanted.some(({ path }) => path === file));
    if (wanted.length > 0 || sources.length > 0)
      this.#worldChanges(
        changes.map(({ path }) => path),
        onlyTexts,
      );
    if (wanted.length > 0)
      this.#deps.send(
        wanted.map(({ path, type }) => ({ uri: pathToUri(path), type: CHANGE_TYPE[type] })),
        this.#folders(),
      );
    this.doubts.told(wanted);
    if (wanted.length > 0 && this.#registrations.length === 0) this.#deps.readAgain?.(wanted);
    this.#fileText.told(wanted.map(({ path }) => path).filter((file) => this.#patterns.isSource(file)));
    if (wanted.some(({ path, type }) => type !== 'change' && this.#patterns.isSource(path)))
      this.#fileList.told();
    if (sources.length > 0) this.#filesChanged.emit(sources);
  }
}
