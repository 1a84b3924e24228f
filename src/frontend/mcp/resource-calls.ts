/** The requests about resources, from their parameters to what is sent, and the channels that tell of changes. */
import { failureOf, messageOf } from '../../shared/base/failure.ts';
import type { Channels } from '../channels/channels.ts';
import type { Outlet } from '../channels/outlet.ts';
import { SubscriptionBook } from '../channels/subscription-book.ts';
import type { Rendered } from '../render/answer.ts';
import type { LazySession } from '../session/lazy-session.ts';
import type { Session } from '../session/session.ts';
import { ExtensionWatches, extensionOffers } from './extension-offers.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, protocolError } from './protocol-error.ts';
import type { SessionLog } from './session-log.ts';

/** Failures by which the address is wrong; in all others, reading it may succeed another time. */
const WRONG_ADDRESS = [
  'invalid_input',
  'outside_roots',
  'no_such_file',
  'not_a_text_file',
  'unknown_language',
];
const MOST_LISTED = 200;

/** What the client calls the request, and how to notice that the answer is not wanted any more. */
interface ReadRequest {
  readonly id: string | number;
  readonly signal: AbortSignal;
}

export class ResourceCalls {
  /** Sends the notification that a resource has changed; set by the server that has the connection. */
  announce: (uri: string) => void = () => {};
  readonly #session: LazySession;
  readonly #log: SessionLog;
  readonly #book = new SubscriptionBook();
  #channels: Channels | undefined;
  readonly #watches: ExtensionWatches;
  #isOver = false;

  constructor(session: LazySession, log: SessionLog) {
    this.#session = session;
    this.#log = log;
    this.#watches = new ExtensionWatches(session, this.#book, (uri) => this.announce(uri));
  }

  /** Reads along with the client's messages. */
  get saw(): (message: object) => void {
    return this.#book.saw;
  }

  async list() {
    const [{ RESOURCES }, { resources }] = await Promise.all([
      import('../resources/catalog.ts'),
      extensionOffers(this.#session),
    ]);
    const added = resources.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    }));
    // Open files are listed for convenience: no server is started for that, and without an answer they can be read.
    const links = (this.#session.opened?.links ?? []).filter(
      ({ state }) => state.kind !== 'idle' || state.asleep !== undefined,
    );
    const open = await Promise.all(links.map((link) => link.openDocuments().catch(() => [])));
    const files = open.flat().slice(0, MOST_LISTED);
    if (files.length === 0) return [...RESOURCES, ...added];
    const { diagnosticsUri } = await import('../resources/addresses.ts');
    const roots = this.#session.opened?.roots;
    const listed = files.map(({ file }) => ({
      uri: diagnosticsUri(file),
      name: `diagnostics of ${roots?.display(file) ?? file}`,
      mimeType: 'application/json',
    }));
    return [...RESOURCES, ...added, ...listed];
  }

  async templates() {
    const { TEMPLATES } = await import('../resources/catalog.ts');
    return [...TEMPLATES];
  }

  async read(uri: string, { id, signal }: ReadRequest) {
    const [{ readingBy, readingOf, mimeTypeOf }, { answerCall }, session, added] = await Promise.all([
      import('../resources/read.ts'),
      import('../invoke/call-tool.ts'),
      this.#open(),
      this.#added(uri),
    ]);
    const tool = added
      ? readingBy((context) => added.read(context))
      : readingOf(uri, {
          changes: () => this.#channels?.changes ?? { isWatching: false, files: [] },
          wasRead: (report) => this.#channels?.wasRead(report),
        });
    const access = { kind: 'allowed' } as const;
    const rendered = await answerCall(session, {
      tool,
      tools: [],
      access,
      args: {},
      id,
      signal,
      output: 'json',
    });
    if (rendered.isError) throw readError(rendered, uri);
    return rendered.texts.map((text, index) => ({
      uri,
      mimeType: index === 0 ? (added?.mimeType ?? mimeTypeOf(uri)) : 'text/plain',
      text,
    }));
  }

  /** Refuses what could not be read either. */
  async subscribe(uri: string): Promise<void> {
    if (await this.#added(uri)) return this.#book.subscribe(uri);
    const [{ parseAddress }, { renderFailure }, session] = await Promise.all([
      import('../resources/addresses.ts'),
      import('../render/failure.ts'),
      this.#open(),
    ]);
    try {
      parseAddress(uri, session.roots);
    } catch (error) {
      const failure = failureOf(error);
      throw failure ? readError(renderFailure(failure, 'json'), uri) : error;
    }
    this.#book.subscribe(uri);
  }

  unsubscribe(uri: string): void {
    this.#book.unsubscribe(uri);
  }

  /** Begins to listen to the servers of a session. Nothing waits for it. */
  async openChannels(session: Session): Promise<void> {
    try {
      const { Channels } = await import('../channels/channels.ts');
      if (!this.#isOver) this.#channels = new Channels(session, this.#book, this.#outlet(session));
    } catch (error) {
      this.#log.warn('cannot tell of changes', { error: messageOf(error) });
    }
  }

  close(): void {
    this.#isOver = true;
    this.#channels?.[Symbol.dispose]();
    this.#watches[Symbol.dispose]();
  }

  #outlet({ config }: Session): Outlet {
    const log = this.#log;
    const isWanted = (channel: string) => channel !== 'diagnostics' || config.pushesDiagnostics;
    return {
      get takesMessages() {
        return log.hasClient;
      },
      updated: (uri) => this.announce(uri),
      tell: (level, channel, data) => {
        if (isWanted(channel)) log.tell(level, channel, data);
      },
    };
  }

  /** A resource that an extension of the user brings. */
  async #added(uri: string) {
    const { resources } = await extensionOffers(this.#session);
    return resources.find((resource) => resource.uri === uri);
  }

  async #open(): Promise<Session> {
    const opened = await this.#session.open();
    if ('session' in opened) return opened.session;
    const { failureSentence } = await import('../render/failure.ts');
    throw protocolError(INTERNAL_ERROR, failureSentence(opened.failure));
  }
}

function readError({ texts, structured }: Rendered, uri: string): Error {
  const isWrong = WRONG_ADDRESS.includes(String(structured?.error_code));
  return protocolError(
    isWrong ? INVALID_PARAMS : INTERNAL_ERROR,
    texts.join(' '),
    isWrong ? { uri } : undefined,
  );
}
