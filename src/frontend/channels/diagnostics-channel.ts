/**
 * Tells subscribers that diagnostics have changed, gathered over two seconds. What a server publishes is compared with
 * what was last told. After a change on disk the subscribed files are checked again, because many servers say nothing
 * unless they are asked; a server that is not running is not started for that.
 */
import { createHash } from 'node:crypto';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { pathToUri } from '../../shared/base/paths.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { Debounce } from './debounce.ts';
import type { Outlet, Subscription } from './outlet.ts';

export interface DiagnosticsChannelOptions {
  readonly clock: Clock;
  readonly outlet: Outlet;
  subscriptions(): readonly Subscription[];
  /** Whether this server is the one for the file. */
  serves(link: ServerLink, file: AbsPath): boolean;
}

const QUIET_MS = 2_000;
const LONGEST_MS = 10_000;
const CHECK_MS = 10_000;
const MOST_CHECKED = 16;
const MOST_LISTED = 50;
/** What was told about the others is forgotten, so that they may be told once more than needed. */
const MOST_REMEMBERED = 5_000;

interface Known {
  readonly print: string;
  readonly count: number;
  readonly errors: number;
  readonly warnings: number;
}

export class DiagnosticsChannel implements Disposable {
  readonly #options: DiagnosticsChannelOptions;
  readonly #debounce: Debounce;
  readonly #told = new Map<AbsPath, Known>();
  readonly #news = new Map<AbsPath, Known | undefined>();
  /** Servers below which files changed on disk, with those files. */
  readonly #touched = new Map<ServerLink, Set<AbsPath>>();
  /** One after the other, because looking again takes a while. */
  #flushing: Promise<void> = Promise.resolve();
  #missed = false;
  #isOver = false;

  constructor(options: DiagnosticsChannelOptions) {
    this.#options = options;
    const { clock } = options;
    const flush = () => {
      this.#flushing = this.#flushing.then(() => this.#flush());
    };
    this.#debounce = new Debounce({ clock, quietMs: QUIET_MS, longestMs: LONGEST_MS, flush });
  }

  published(file: AbsPath, diagnostics: readonly Diagnostic[]): void {
    const known = summaryOf(diagnostics);
    const pending = this.#news.has(file) ? this.#news.get(file) : this.#told.get(file);
    if (pending?.print === known.print) return;
    this.#news.set(file, known);
    this.#debounce.touch();
  }

  /** The client has this already. */
  wasRead(file: AbsPath, diagnostics: readonly Diagnostic[]): void {
    this.#remember(file, summaryOf(diagnostics));
  }

  changedOnDisk(link: ServerLink, files: readonly AbsPath[]): void {
    const touched = this.#touched.get(link) ?? new Set();
    for (const file of files) touched.add(file);
    this.#touched.set(link, touched);
    this.#debounce.touch();
  }

  /** What was told may be old. */
  missed(): void {
    this.#missed = true;
    this.#debounce.touch();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#debounce[Symbol.dispose]();
  }

  async #flush(): Promise<void> {
    const wasMissed = this.#missed;
    this.#missed = false;
    if (wasMissed) this.#told.clear();
    const touched = [...this.#touched];
    this.#touched.clear();
    const news = new Map(this.#news);
    this.#news.clear();
    for (const [link, files] of touched) await this.#lookAgain(link, files, news);
    if (this.#isOver) return;
    this.#announce(news, wasMissed);
    const counted = this.#changedCounts(news);
    for (const [file, known] of news) this.#remember(file, known);
    if (counted.length > 0) this.#tell(counted);
  }

  /** Asks about the subscribed files of a server below which something changed. */
  async #lookAgain(
    link: ServerLink,
    changed: ReadonlySet<AbsPath>,
    news: Map<AbsPath, Known | undefined>,
  ): Promise<void> {
    const { outlet, subscriptions, serves } = this.#options;
    for (const subscription of subscriptions()) {
      const { kind, uri } = subscription;
      if (kind === 'place' && changed.has(subscription.file)) outlet.updated(uri);
    }
    const wanted = (await this.#wantedOf(link)).filter((file) => serves(link, file));
    for (const [index, file] of wanted.entries()) {
      if (this.#isOver) return;
      const known = index < MOST_CHECKED ? await check(link, file) : undefined;
      const before = news.get(file) ?? this.#told.get(file);
      // What nobody has heard of yet, and is clean, is no news.
      const isNews = before ? known?.print !== before.print : changed.has(file) || known?.count !== 0;
      if (isNews) news.set(file, known);
      else if (!news.has(file)) this.#remember(file, known);
    }
  }

  async #wantedOf(link: ServerLink): Promise<readonly AbsPath[]> {
    const files = new Set<AbsPath>();
    for (const subscription of this.#options.subscriptions()) {
      if (subscription.kind !== 'diagnostics') continue;
      if (subscription.file !== undefined) files.add(subscription.file);
      // A server that is not there has nothing open, and is not to be started by asking for that.
      else if (link.state.kind === 'ready')
        for (const { file } of await link.openDocuments().catch(() => [])) files.add(file);
    }
    return [...files];
  }

  #announce(news: ReadonlyMap<AbsPath, unknown>, all: boolean): void {
    if (news.size === 0 && !all) return;
    for (const subscription of this.#options.subscriptions()) {
      if (subscription.kind !== 'diagnostics') continue;
      const { uri, file } = subscription;
      if (all || file === undefined || news.has(file)) this.#options.outlet.updated(uri);
    }
  }

  #changedCounts(news: ReadonlyMap<AbsPath, Known | undefined>): readonly (readonly [AbsPath, Known])[] {
    return [...news].flatMap(([file, known]) => {
      const before = this.#told.get(file);
      const isSame = known?.errors === (before?.errors ?? 0) && known.warnings === (before?.warnings ?? 0);
      return known === undefined || isSame ? [] : [[file, known] as const];
    });
  }

  #tell(counted: readonly (readonly [AbsPath, Known])[]): void {
    const updates = counted
      .slice(0, MOST_LISTED)
      .map(([file, { errors, warnings }]) => ({ uri: pathToUri(file), errors, warnings }));
    const more = counted.length - updates.length;
    this.#options.outlet.tell('info', 'diagnostics', {
      type: 'diagnostics_changed',
      updates,
      ...(more > 0 ? { more } : {}),
    });
  }

  #remember(file: AbsPath, known: Known | undefined): void {
    this.#told.delete(file);
    if (known === undefined) return;
    this.#told.set(file, known);
    const oldest = this.#told.keys().next().value;
    if (this.#told.size > MOST_REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
  }
}

/** Undefined when it is not known how the file stands now. */
async function check(link: ServerLink, file: AbsPath): Promise<Known | undefined> {
  if (link.state.kind !== 'ready') return undefined;
  try {
    const { freshness, diagnostics } = await link.diagnostics(file, { timeoutMs: CHECK_MS });
    return freshness.kind === 'exact' || freshness.kind === 'inferred' ? summaryOf(diagnostics) : undefined;
  } catch {
    // Reading the resource tells what is wrong.
    return undefined;
  }
}

function summaryOf(diagnostics: readonly Diagnostic[]): Known {
  const count = (severity: DiagnosticSeverity) =>
    diagnostics.filter((diagnostic) => (diagnostic.severity ?? DiagnosticSeverity.Error) === severity).length;
  const said = diagnostics.map(({ range, severity, code, message }) => [range, severity, code, message]);
  return {
    count: diagnostics.length,
    print: createHash('sha1').update(JSON.stringify(said)).digest('base64'),
    errors: count(DiagnosticSeverity.Error),
    warnings: count(DiagnosticSeverity.Warning),
  };
}
