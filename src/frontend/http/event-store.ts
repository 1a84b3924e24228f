/**
 * What a session was sent last, for a client whose connection broke: it comes back with the id of the last event that
 * reached it. Whatever is forgotten takes with it all that came before it on its stream, so that an id that is known is
 * followed by everything that came after it.
 */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

interface KeptEvent {
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
  /** By their ids, the oldest first. */
  readonly #events = new Map<string, KeptEvent>();
  #bytes = 0;
  #count = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  /** The stream that an event was sent on; undefined when it is not known, or not any more. */
  streamOf(eventId: string): string | undefined {
    return this.#events.get(eventId)?.streamId;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = String(++this.#count);
    const bytes = opensStream(message) ? 0 : Buffer.byteLength(JSON.stringify(message));
    this.#events.set(id, { streamId, message, bytes });
    this.#bytes += bytes;
    this.#makeRoom(id);
    return id;
  }

  async replayEventsAfter(eventId: string, { send }: { send: Send }): Promise<string> {
    const streamId = this.streamOf(eventId);
    if (streamId === undefined) throw new Error('this event is not known any more');
    const missed = [...this.#events].filter(
      ([id, event]) =>
        Number(id) > Number(eventId) && event.streamId === streamId && !opensStream(event.message),
    );
    for (const [id, { message }] of missed) await send(id, message);
    return streamId;
  }

  /** The newest stays, however large: it may be the answer that a client is waiting for. */
  #makeRoom(newest: string): void {
    const { keptBytes, keptEvents } = this.#limits;
    for (const [id, { bytes }] of this.#events) {
      const isTooMuch = this.#bytes > keptBytes;
      if (id === newest || (!isTooMuch && this.#events.size <= keptEvents)) return;
      // What opened the stream of a call that still runs takes no room, and is what its client comes back with.
      if (bytes > 0 || this.#events.size > keptEvents) this.#forget(id);
    }
  }

  #forget(upTo: string): void {
    const streamId = this.streamOf(upTo);
    for (const [id, event] of this.#events) {
      if (event.streamId === streamId) {
        this.#events.delete(id);
        this.#bytes -= event.bytes;
      }
      if (id === upTo) return;
    }
  }
}

/** Such an event has no message: it only gives a stream its first id. */
function opensStream(message: JSONRPCMessage): boolean {
  return !('jsonrpc' in message);
}
