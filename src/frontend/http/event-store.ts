/**
 * What a session was sent last, for a client whose connection broke: it comes back with the id of the last event that
 * reached it. The oldest go first, so that an id that is known is followed by everything that came after it.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface KeptEvent {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

export interface EventLimits {
  readonly keptEvents: number;
  readonly keptBytes: number;
}

type Send = (eventId: string, message: JSONRPCMessage) => Promise<void>;

export class RecentEvents implements EventStore {
  readonly #limits: EventLimits;
  #events: KeptEvent[] = [];
  #bytes = 0;
  #count = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  has(eventId: string): boolean {
    return this.#indexOf(eventId) >= 0;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const bytes = JSON.stringify(message).length;
    const number = ++this.#count;
    this.#events.push({ number, streamId, message, bytes });
    this.#bytes += bytes;
    // The newest stays, however large: it may be the answer that a client is waiting for.
    while (this.#events.length > 1 && this.#isTooMuch) this.#bytes -= this.#events.shift()?.bytes ?? 0;
    return String(number);
  }

  async replayEventsAfter(eventId: string, { send }: { send: Send }): Promise<string> {
    const index = this.#indexOf(eventId);
    const last = this.#events[index];
    if (!last) throw new Error('this event is not known any more');
    const { streamId } = last;
    // Opening events have no message: they only give a stream its first id.
    const missed = this.#events
      .slice(index + 1)
      .filter((event) => event.streamId === streamId && 'jsonrpc' in event.message);
    for (const { number, message } of missed) await send(String(number), message);
    return streamId;
  }

  get #isTooMuch(): boolean {
    return this.#bytes > this.#limits.keptBytes || this.#events.length > this.#limits.keptEvents;
  }

  #indexOf(eventId: string): number {
    const first = this.#events[0]?.number ?? 0;
    const index = /^\d{1,15}$/.test(eventId) ? Number(eventId) - first : -1;
    return index < this.#events.length ? index : -1;
  }
}
