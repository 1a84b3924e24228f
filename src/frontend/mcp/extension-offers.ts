/** The resources and prompts of extensions in a session, and who wants to hear of changes. */
import type { SubscriptionBook } from '../channels/subscription-book.ts';
import type { OfferedPrompt, OfferedResource } from '../extensions/user-offers.ts';
import type { LazySession } from '../session/lazy-session.ts';

type SessionDoor = Pick<LazySession, 'config' | 'open'>;

interface Offers {
  readonly resources: readonly OfferedResource[];
  readonly prompts: readonly OfferedPrompt[];
}

const NONE: Offers = { resources: [], prompts: [] };

export async function extensionOffers(session: Pick<SessionDoor, 'config'>): Promise<Offers> {
  const read = await session.config();
  if ('failure' in read) return NONE;
  const { config } = read;
  const [{ loadedExtensions }, { offeredPrompts, offeredResources }] = await Promise.all([
    import('../features/all-tools.ts'),
    import('../extensions/user-offers.ts'),
  ]);
  const loaded = await loadedExtensions(config);
  return { resources: offeredResources(loaded, config), prompts: offeredPrompts(loaded) };
}

/** Lets extensions watch what a client wants to hear of, and only that. */
export class ExtensionWatches implements Disposable {
  readonly #session: SessionDoor;
  readonly #book: SubscriptionBook;
  readonly #changed: (uri: string) => void;
  readonly #ends = new Map<string, () => void>();
  readonly #listening: Disposable;
  #isOver = false;

  constructor(session: SessionDoor, book: SubscriptionBook, changed: (uri: string) => void) {
    this.#session = session;
    this.#book = book;
    this.#changed = changed;
    this.#listening = book.onChange(() => void this.#follow());
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#listening[Symbol.dispose]();
    for (const uri of [...this.#ends.keys()]) this.#end(uri);
  }

  async #follow(): Promise<void> {
    const { resources } = await extensionOffers(this.#session);
    if (this.#isOver) return;
    const wanted = this.#book.uris;
    for (const uri of [...this.#ends.keys()]) if (!wanted.includes(uri)) this.#end(uri);
    const begun = resources.filter(({ uri }) => wanted.includes(uri) && !this.#ends.has(uri));
    if (begun.length === 0) return;
    const opened = await this.#session.open();
    if (this.#isOver || 'failure' in opened) return;
    const place = { root: opened.session.roots.primary };
    for (const { uri, subscribe } of begun)
      if (subscribe && this.#book.uris.includes(uri) && !this.#ends.has(uri))
        this.#begin(uri, (changed) => subscribe(changed, place));
  }

  /** What an extension does wrong here leaves its resource without news. */
  #begin(uri: string, subscribe: (changed: () => void) => () => void): void {
    try {
      this.#ends.set(
        uri,
        subscribe(() => this.#changed(uri)),
      );
    } catch {
      this.#ends.set(uri, () => {});
    }
  }

  #end(uri: string): void {
    try {
      this.#ends.get(uri)?.();
    } catch {
      // It has ended for us all the same.
    }
    this.#ends.delete(uri);
  }
}
