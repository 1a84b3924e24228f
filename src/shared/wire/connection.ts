/**
 * JSON-RPC in both directions over one reader and one writer. Used towards language servers and on the broker's
 * socket, from both ends. Closing settles everything that is pending; nothing waits for ever.
 */
import type { Message, MessageReader } from 'vscode-jsonrpc/node';
import { FailureError, messageOf } from '../base/failure.ts';
import { type Limit, onEnd } from '../base/lifetime.ts';
import { letYoungMemoryGrow } from '../base/memory.ts';
import { decodeError, encodeError } from './errors.ts';
import type { FrameWriter } from './frame-stream.ts';
import { classify, type MessageId, type RawResponseMessage, type ResponseMessage } from './messages.ts';
import { partsText } from './parts.ts';

export interface ConnectionHandlers {
  /** Answers a request of the other side. May return a RawJson; throwing answers with an error. */
  request(method: string, params: unknown, signal: AbortSignal): unknown;
  notification(method: string, params: unknown): void;
  /** Called once, after every pending request was rejected. */
  closed(reason: string): void;
}

export interface OutgoingOptions {
  readonly signal?: AbortSignal | undefined;
  /** When it is over the other side is told that nobody waits any more. */
  readonly limit?: Limit | undefined;
  /** Called if nobody waits any more and the other side answers after all, or can no longer answer. */
  readonly late?: () => void;
  /** Accept the result as RawJson when it is large. */
  readonly raw?: boolean;
}

/** From here on the objects of an answer fill the small space for new ones several times. */
const LARGE_BYTES = 128 * 1024;

interface Pending {
  readonly method: string;
  readonly raw: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Connection {
  readonly #writer: FrameWriter;
  readonly #handlers: ConnectionHandlers;
  readonly #pending = new Map<MessageId, Pending>();
  readonly #incoming = new Map<MessageId, AbortController>();
  #nextId = 1;
  #told = 0;
  #heard = 0;
  #hasLargeAnswers = false;
  #closedFor: string | undefined;

  constructor(reader: MessageReader, writer: FrameWriter, handlers: ConnectionHandlers) {
    this.#writer = writer;
    this.#handlers = handlers;
    reader.onError((error) => this.close(error.message));
    reader.onClose(() => this.close('the other side closed the connection'));
    writer.onError(([error]) => this.close(error.message));
    reader.listen((message) => this.#receive(message));
  }

  get closed(): boolean {
    return this.#closedFor !== undefined;
  }

  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  /** How many notifications were sent: between two equal counts the other side was told nothing new. */
  get told(): number {
    return this.#told;
  }

  /** How many messages came in. */
  get heard(): number {
    return this.#heard;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  request(method: string, params: unknown, options: OutgoingOptions = {}): Promise<unknown> {
    if (this.#closedFor !== undefined) return Promise.reject(this.#lost(method));
    if (options.signal?.aborted) return Promise.reject(new FailureError({ kind: 'cancelled' }));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const waiting = onEnd(options.signal, options.limit, (reason) => {
        // The entry goes now; a late answer with this id is dropped because ids are never used twice.
        if (!this.#pending.delete(id)) return;
        const { late } = options;
        if (late) this.#pending.set(id, { method, raw: true, resolve: late, reject: late });
        this.#send({ method: '$/cancelRequest', params: { id } });
        reject(reason);
      });
      this.#pending.set(id, {
        method,
        raw: options.raw === true,
        resolve: (result) => {
          waiting[Symbol.dispose]();
          resolve(result);
        },
        reject: (error) => {
          waiting[Symbol.dispose]();
          reject(error);
        },
      });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#told++;
    this.#send({ method, params });
  }

  close(reason: string): void {
    if (this.#closedFor !== undefined) return;
    this.#closedFor = reason;
    this.#writer.end();
    for (const controller of this.#incoming.values()) controller.abort();
    this.#incoming.clear();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const entry of pending) entry.reject(this.#lost(entry.method));
    this.#handlers.closed(reason);
  }

  #lost(method: string): FailureError {
    return new FailureError({ kind: 'connection-lost', what: `${method}: ${this.#closedFor}` });
  }

  #send(message: object): void {
    if (this.#closedFor === undefined) this.#writer.send({ jsonrpc: '2.0', ...message } as Message);
  }

  #receive(message: Message): void {
    if (this.#closedFor !== undefined) return;
    this.#heard++;
    const wire = classify(message);
    switch (wire.kind) {
      case 'request':
        void this.#answer(wire.message.id, wire.message.method, wire.message.params);
        return;
      case 'notification':
        if (wire.message.method === '$/cancelRequest') this.#cancelIncoming(wire.message.params);
        else this.#handlers.notification(wire.message.method, wire.message.params);
        return;
      case 'response':
        this.#settle(wire.message);
        return;
      case 'raw-response':
        this.#settleRaw(wire.message);
        return;
      case 'oversize':
        this.#settleOversize(wire.message.id, wire.message.oversizeBytes);
        return;
      case 'invalid':
        this.close('received a message that is not JSON-RPC 2.0');
    }
  }

  async #answer(id: MessageId, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#incoming.set(id, controller);
    try {
      const result = await this.#handlers.request(method, params, controller.signal);
      this.#send({ id, result: result ?? null });
    } catch (error) {
      this.#send({ id, error: encodeError(error) });
    } finally {
      if (this.#incoming.get(id) === controller) this.#incoming.delete(id);
    }
  }

  #cancelIncoming(params: unknown): void {
    const id = (params as { id?: MessageId } | undefined)?.id;
    if (id !== undefined) this.#incoming.get(id)?.abort();
  }

  #take(id: MessageId | null): Pending | undefined {
    if (id === null) return undefined;
    const entry = this.#pending.get(id);
    this.#pending.delete(id);
    return entry;
  }

  #settle(message: ResponseMessage): void {
    const entry = this.#take(message.id);
    if (message.error) entry?.reject(decodeError(message.error));
    else entry?.resolve(message.result);
  }

  #settleRaw(message: RawResponseMessage): void {
    const entry = this.#take(message.raw.id);
    if (!entry) return;
    if (entry.raw) {
      entry.resolve(message.raw.result);
      return;
    }
    if (message.raw.result.length > LARGE_BYTES && !this.#hasLargeAnswers) {
      this.#hasLargeAnswers = true;
      letYoungMemoryGrow();
    }
    try {
      entry.resolve((JSON.parse(partsText(message.body)) as ResponseMessage).result);
    } catch (error) {
      entry.reject(
        new FailureError({ kind: 'connection-lost', what: `${entry.method}: ${messageOf(error)}` }),
      );
    }
  }

  #settleOversize(id: number | undefined, bytes: number): void {
    const entry = id === undefined ? undefined : this.#take(id);
    entry?.reject(new FailureError({ kind: 'result-too-large', what: entry.method, bytes }));
  }
}
