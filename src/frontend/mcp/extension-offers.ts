/** The resources and prompts of the user's extensions in a session, and who wants to hear of changes. Most sessions have none. */
import type { SubscriptionBook } from '../channels/subscription-book.ts';
import type { OfferedPrompt, OfferedResource } from '../extensions/user-offers.ts';
import type { LazySession } from '../session/lazy-session.ts';

type SessionDoor = Pick<LazySession, 'config'>;

interface Offers {
  readonly resources: readonly OfferedResource[];
  readonly prompts: readonly OfferedPrompt[];
}

const NONE: Offers = { resources: [], prompts: [] };

export async function extensionOffers(session: SessionDoor): Promise<Offers> {
  const read = await session.config();
  if ('failure' in read || read.config.extensions.length === 0) return NONE;
  const { config } = read;
  const [{ loadedExtensions }, { offeredPrompts, offeredResources }] = await Promise.all([
    import('../features/all-tools.ts'),
    import('../extensions/user-offers.ts'),
  ]);
  const loaded = await loadedExtensions(config);
  return loaded ? { resources: offeredResources(loaded, config), prompts: offeredPrompts(loaded) } : NONE;
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
    for (const { uri, subscribe } of resources)
      if (subscribe && wanted.includes(uri) && !this.#ends.has(uri)) this.#begin(uri, subscribe);
  }

  /** What an extension does wrong here leaves its resource without news. */
  #begin(uri: string, subscribe: NonNullable<OfferedResource['subscribe']>): void {
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
