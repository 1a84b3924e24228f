/** Events of whatever serves a link now, for listeners that stay when it changes. Each source is listened to once. */
import { Listeners } from '../../shared/base/lifetime.ts';
import type { LinkEvent, ServerLink } from '../../shared/link/server-link.ts';

export type EventSource = Pick<ServerLink, 'onEvent'>;

export class EventRelay {
  readonly #events = new Listeners<LinkEvent>();
  #source: EventSource | undefined;
  #heard: EventSource | undefined;

  /** Sources are heard only while a listener is there. */
  add(listener: (event: LinkEvent) => void): Disposable {
    const subscription = this.#events.add(listener);
    this.#hear();
    return subscription;
  }

  follow(source: EventSource): void {
    this.#source = source;
    this.#hear();
  }

  #hear(): void {
    const source = this.#source;
    if (!source || this.#heard === source || this.#events.size === 0) return;
    // Nobody listened between the source before and this one.
    if (this.#heard) this.#events.emit({ kind: 'missed' });
    this.#heard = source;
    source.onEvent((event) => this.#heard === source && this.#events.emit(event));
  }
}
