/**
 * What a session tells its client without being called: diagnostics, servers that are ready, dead or back, and files
 * that changed on disk. It only listens: no server is started for it, and events are asked for only while a
 * client would hear of them.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { failureOf } from '../../shared/base/failure.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { isInside } from '../../shared/base/paths.ts';
import type { DiagnosticReport, LinkEvent, ServerLink } from '../../shared/link/server-link.ts';
import { parseAddress } from '../resources/addresses.ts';
import type { DiskChanges } from '../resources/read.ts';
import type { Roots } from '../workspace/roots.ts';
import { DiagnosticsChannel } from './diagnostics-channel.ts';
import type { Outlet, Subscription } from './outlet.ts';
import { ServersChannel } from './servers-channel.ts';
import { StaleChannel } from './stale-channel.ts';
import type { SubscriptionBook } from './subscription-book.ts';

/** What the channels need of a session. */
export interface ListenedSession {
  readonly clock: Clock;
  readonly roots: Roots;
  /** The links so far. */
  readonly links: readonly ServerLink[];
  onLink(listener: (link: ServerLink) => void): Disposable;
  /** Whether what a server says of errors counts, where two serve one root. */
  isJudge(link: ServerLink): boolean;
  /** The language family of a file, by its name. */
  familyOf(file: AbsPath): string | undefined;
}

export class Channels implements Disposable {
  readonly #session: ListenedSession;
  readonly #book: SubscriptionBook;
  readonly #outlet: Outlet;
  readonly #diagnostics: DiagnosticsChannel;
  readonly #servers: ServersChannel;
  readonly #stale: StaleChannel;
  readonly #held: Disposable[] = [];
  readonly #links = new Map<ServerLink, Disposable | undefined>();
  #subscriptions: readonly Subscription[] = [];

  constructor(session: ListenedSession, book: SubscriptionBook, outlet: Outlet) {
    this.#session = session;
    this.#book = book;
    this.#outlet = outlet;
    const common = { clock: session.clock, outlet, subscriptions: () => this.#subscriptions };
    this.#diagnostics = new DiagnosticsChannel({
      ...common,
      serves: (link, file) =>
        session.isJudge(link) &&
        session.familyOf(file) === link.language &&
        [link.root, ...link.folders].some((root) => isInside(file, root)),
    });
    this.#servers = new ServersChannel(common);
    this.#stale = new StaleChannel(common);
    this.#held.push(
      this.#diagnostics,
      this.#servers,
      this.#stale,
      book.onChange(() => this.#readBook()),
      session.onLink((link) => this.#follow(link)),
    );
    this.#readBook();
    for (const link of session.links) this.#follow(link);
  }

  get changes(): DiskChanges {
    return { isWatching: this.#wantsEvents, files: this.#stale.changes };
  }

  /** The client has read this, so that only what differs from it is news. */
  wasRead({ file, freshness, diagnostics }: DiagnosticReport): void {
    if (freshness.kind === 'exact' || freshness.kind === 'inferred')
      this.#diagnostics.wasRead(file, diagnostics);
  }

  [Symbol.dispose](): void {
    for (const each of [...this.#held, ...this.#links.values()]) each?.[Symbol.dispose]();
    this.#links.clear();
  }

  get #wantsEvents(): boolean {
    return this.#subscriptions.length > 0 || this.#outlet.takesMessages;
  }

  #readBook(): void {
    this.#subscriptions = this.#book.uris.flatMap((uri) => subscriptionTo(uri, this.#session.roots) ?? []);
    for (const link of this.#links.keys()) this.#listen(link);
  }

  #follow(link: ServerLink): void {
    if (this.#links.has(link)) return;
    this.#links.set(link, undefined);
    this.#held.push(
      link.onState((state) => {
        this.#servers.stateOf(link, state);
        this.#listen(link);
      }),
    );
    this.#servers.stateOf(link, link.state);
    this.#listen(link);
  }

  /** Begins or ends listening to a link's events, as they are wanted or not. */
  #listen(link: ServerLink): void {
    const listening = this.#links.get(link);
    if (this.#wantsEvents === (listening !== undefined)) return;
    listening?.[Symbol.dispose]();
    this.#links.set(link, listening ? undefined : link.onEvent((event) => this.#heard(link, event)));
  }

  #heard(link: ServerLink, event: LinkEvent): void {
    switch (event.kind) {
      case 'diagnostics':
        if (this.#session.isJudge(link)) this.#diagnostics.published(event.file, event.diagnostics);
        return;
      case 'files-changed':
        this.#stale.changedOnDisk(event.files);
        this.#diagnostics.changedOnDisk(link, event.files);
        return;
      case 'missed':
        this.#stale.missed();
        this.#diagnostics.missed();
        return;
    }
  }
}

/** Undefined for an address that cannot be read either. */
function subscriptionTo(uri: string, roots: Roots): Subscription | undefined {
  try {
    const address = parseAddress(uri, roots);
    switch (address.kind) {
      case 'hover':
      case 'completions':
        return { kind: 'place', uri, file: address.file };
      default:
        return { ...address, uri };
    }
  } catch (error) {
    if (failureOf(error)) return undefined;
    throw error;
  }
}
