/**
 * Who wants to hear of which resource. Older clients subscribe by a request for each address; with the newer protocol
 * one `subscriptions/listen` names several and lasts until it is cancelled. The SDK answers that one before any
 * handler sees it, so the book reads along.
 */
import { Listeners } from '../../shared/base/lifetime.ts';
import { fieldOf } from '../../shared/base/unknown-value.ts';

type ListenId = string | number;

export class SubscriptionBook {
  readonly #requested = new Set<string>();
  readonly #listening = new Map<ListenId, readonly string[]>();
  readonly #changes = new Listeners<void>();
  #isOlder = false;

  /** Each address once, however often it is subscribed to. */
  get uris(): readonly string[] {
    return [...new Set([...this.#requested, ...[...this.#listening.values()].flat()])];
  }

  subscribe(uri: string): void {
    this.#requested.add(uri);
    this.#changes.emit();
  }

  /** Ends exactly this one; a subscription to another address that covers the same file goes on. */
  unsubscribe(uri: string): void {
    if (this.#requested.delete(uri)) this.#changes.emit();
  }

  onChange(listener: () => void): Disposable {
    return this.#changes.add(listener);
  }

  /** Reads along; every message of the client comes by here. */
  readonly saw = (message: object): void => {
    if (!('method' in message)) return;
    switch (message.method) {
      case 'initialize':
        this.#isOlder = true;
        return;
      case 'subscriptions/listen':
        if (!this.#isOlder) this.#listen(message);
        return;
      case 'notifications/cancelled': {
        const id = fieldOf(fieldOf(message, 'params'), 'requestId');
        if (isListenId(id) && this.#listening.delete(id)) this.#changes.emit();
      }
    }
  };

  #listen(message: object): void {
    const id = fieldOf(message, 'id');
    const uris = fieldOf(fieldOf(fieldOf(message, 'params'), 'notifications'), 'resourceSubscriptions');
    if (!isListenId(id) || !Array.isArray(uris)) return;
    const wanted = uris.filter((uri) => typeof uri === 'string');
    if (wanted.length === 0) return;
    this.#listening.set(id, wanted);
    this.#changes.emit();
  }
}

function isListenId(id: unknown): id is ListenId {
  return typeof id === 'string' || typeof id === 'number';
}
