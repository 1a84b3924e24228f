/**
 * The roots that the client says it works in, as hints for the session. A client that began with `initialize` is asked
 * when it is ready and when it says that something changed, without the SDK, which may not be loaded yet. A call that
 * comes meanwhile waits for the list, so that boundary and servers change in one step.
 */
import { type Deferred, deferred, systemClock, withTimeout } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { LazySession } from '../session/lazy-session.ts';
import type { Session } from '../session/session.ts';

/** A client that does not answer by then is served without its roots. */
const PATIENCE_MS = 1_500;
/** How the ids of our questions begin; the SDK's are numbers. */
const OURS = 'agent-lsp/roots/';
const CHANGED = 'notifications/roots/list_changed';

export class ClientRoots {
  readonly #log: Log;
  #send: ((message: object) => void) | undefined;
  #hasRoots = false;
  #asked = 0;
  /** The id of the question whose answer counts. */
  #newest = '';
  /** Set from the moment that there is something to ask until it is answered. */
  #awaited: Deferred<void> | undefined;
  #uris: readonly string[] | undefined;
  #given: readonly string[] | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The client is ready to be asked. */
  ask(send: (message: object) => void): void {
    this.#send = send;
    // Clients made with the Go SDK cannot read a question without parameters, though the protocol lets them be left out.
    if (this.#hasRoots) send({ id: this.#newest, method: 'roots/list', params: {} });
  }

  /** Reads every message of the client before it is dealt with; true for an answer to a question of ours. */
  readonly saw = (message: object): boolean => {
    const { method, id } = message as { readonly method?: unknown; readonly id?: unknown };
    if (method === undefined) return this.#isAnswer(id, message);
    if (method === 'initialize' && capabilitiesIn(message).roots !== undefined) {
      this.#hasRoots = true;
      this.#expect();
    }
    if (method === CHANGED && this.#send && this.#hasRoots) {
      this.#expect();
      this.ask(this.#send);
    }
    return false;
  };

  get areKnown(): boolean {
    return this.#uris !== undefined;
  }

  /** What a client said; its shape has to be checked. */
  take(roots: unknown): void {
    const listed: readonly unknown[] = Array.isArray(roots) ? roots : [];
    this.#uris = listed.map((root) => Object(root).uri).filter((uri) => typeof uri === 'string');
  }

  /** The same session, which has the client's roots whenever it is opened. */
  over(session: LazySession): LazySession {
    const openWithRoots = async () => {
      await this.#listed();
      const opened = await session.open();
      if ('session' in opened) await this.#give(opened.session);
      return opened;
    };
    const isUpToDate = () => this.#awaited === undefined && this.#given === this.#uris;
    return {
      get opened() {
        return session.opened;
      },
      config: () => session.config(),
      open: () => (isUpToDate() ? session.open() : openWithRoots()),
      close: () => session.close(),
    };
  }

  /** A request that waits for an earlier answer waits for this one instead. */
  #expect(): void {
    this.#newest = `${OURS}${++this.#asked}`;
    this.#awaited ??= deferred<void>();
  }

  #isAnswer(id: unknown, message: object): boolean {
    if (typeof id !== 'string' || !id.startsWith(OURS)) return false;
    // Another question has been asked since.
    if (id !== this.#newest) return true;
    if ('result' in message) this.take(Object(message.result).roots);
    else this.#log.debug('the client does not tell its roots', { answer: JSON.stringify(message) });
    this.#awaited?.resolve();
    this.#awaited = undefined;
    return true;
  }

  async #listed(): Promise<void> {
    const awaited = this.#awaited;
    if (!awaited) return;
    await withTimeout(awaited.promise, PATIENCE_MS, () => undefined, systemClock);
    // What it says later still counts, but nobody waits for it any more.
    if (this.#awaited === awaited) this.#awaited = undefined;
  }

  async #give(session: Session): Promise<void> {
    const uris = this.#uris;
    if (uris === undefined || uris === this.#given) return;
    this.#given = uris;
    await session.folders.setClientRoots(uris);
    const refused = session.folders.refusedClientRoots;
    if (refused.length > 0) this.#log.info('roots of the client that are not taken', { roots: refused });
  }
}

function capabilitiesIn(message: object): { readonly roots?: unknown } {
  return Object(Object(Reflect.get(message, 'params')).capabilities);
}
