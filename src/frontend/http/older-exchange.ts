/**
 * A session of the older protocol: it begins with `initialize`, goes by its id, and answers come on streams that a client
 * can take up again. The SDK's transport serves it; here is what it needs of our side of the connection.
 */
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { fieldOf, isObject } from '../../shared/base/unknown-value.ts';
import type { ClientConnection } from '../mcp/client-connection.ts';
import type { RecentEvents } from './event-store.ts';
import type { Exchange } from './exchange.ts';
import { CODES, idOf, refused, requestIdsIn } from './replies.ts';

const INITIALIZED = 'notifications/initialized';
const CANCELLED = 'notifications/cancelled';
/** The SDK's name for the stream that a client opens to be told what belongs to no request. */
const NEWS = '_GET_stream';
/** How soon a client whose stream broke may come back. */
const RETRY_MS = 1_000;
const MOST_HELD = 100;

export interface OlderOptions {
  readonly id: string;
  readonly connection: ClientConnection;
  readonly events: RecentEvents;
  /** A request has its answer. */
  answered(): void;
  /** The client has ended its session. */
  ended(): void;
}

export class OlderExchange implements Exchange {
  readonly #connection: ClientConnection;
  readonly #events: RecentEvents;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #running = new Set<unknown>();
  /** What the client is to be told as soon as there is a stream for it; undefined once it has opened one for that. */
  #held: JSONRPCMessage[] | undefined = [];

  static async begin(options: OlderOptions): Promise<OlderExchange> {
    const { id, connection, events, ended } = options;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      retryInterval: RETRY_MS,
    });
    transport.onclose = ended;
    transport.onerror = (error) => connection.log.debug('mcp transport', { message: error.message });
    const exchange = new OlderExchange(transport, options);
    const makeServer = await connection.loadServer();
    await makeServer().connect(transport);
    return exchange;
  }

  private constructor(
    transport: WebStandardStreamableHTTPServerTransport,
    { connection, events, answered }: OlderOptions,
  ) {
    this.#connection = connection;
    this.#events = events;
    this.#transport = transport;
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if ('id' in message && !('method' in message)) this.#running.delete(message.id);
      await send(message, options);
      answered();
    };
  }

  readonly livesByItsStream = true;

  get running(): number {
    return this.#running.size;
  }

  isForNews({ method, headers }: Request): boolean {
    const last = headers.get('Last-Event-Id');
    return method === 'GET' && (last === null || this.#events.streamOf(last) === NEWS);
  }

  serve(request: Request, body: unknown): Promise<Response> {
    return request.method === 'POST' ? this.#serveMessages(request, body) : this.#serveStream(request);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #serveMessages(request: Request, body: unknown): Promise<Response> {
    const ids = requestIdsIn(body);
    // Its answer would go to the stream of the other one, and that would wait for ever.
    if (ids.some((id) => this.#running.has(id)) || new Set(ids).size < ids.length)
      return refused(400, CODES.invalidRequest, 'a request with this id is under way', { id: idOf(body) });
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const left = messages.filter((message) => !isObject(message) || !this.#connection.saw(message));
    if (left.length === 0 && messages.length > 0) return new Response(null, { status: 202 });
    for (const id of ids) this.#running.add(id);
    const parsedBody = Array.isArray(body) ? left : left[0];
    const response = await this.#transport.handleRequest(request, { parsedBody });
    if (!response.ok) {
      for (const id of ids) this.#running.delete(id);
      return response;
    }
    for (const message of left) this.#follow(message);
    // A client without a stream of its own for it hears of it with its next answer.
    if (ids.length > 0) this.#letGo(ids[0]);
    return response;
  }

  async #serveStream(request: Request): Promise<Response> {
    const last = request.headers.get('Last-Event-Id');
    const isListening = request.method === 'GET';
    if (isListening && last !== null && this.#events.streamOf(last) === undefined)
      return refused(400, CODES.refused, 'This event is not known any more: send the request again');
    const isForNews = this.isForNews(request);
    const response = await this.#transport.handleRequest(request);
    if (isForNews && response.ok) {
      this.#letGo(undefined);
      this.#held = undefined;
    }
    return response;
  }

  /** What a message means for this side, once the SDK has it. */
  #follow(message: unknown): void {
    const method = fieldOf(message, 'method');
    if (method === INITIALIZED)
      this.#connection.initialized((news) => this.#tell({ jsonrpc: '2.0', ...news } as JSONRPCMessage));
    const cancelled = fieldOf(fieldOf(message, 'params'), 'requestId');
    if (method === CANCELLED && this.#running.has(cancelled)) this.#endCancelled(cancelled);
  }

  /** The SDK gives no answer to it, and its stream, which only an answer ends, would stay open as long as the session. */
  #endCancelled(id: unknown): void {
    const error = { code: CODES.cancelled, message: 'cancelled' };
    const answer = { jsonrpc: '2.0', id, error } as JSONRPCMessage;
    this.#transport.send(answer).catch(() => {});
  }

  /** Never fails: a client that has left is noticed by its streams. */
  #tell(message: JSONRPCMessage): void {
    if (this.#held === undefined) this.#transport.send(message).catch(() => {});
    else if (this.#held.length < MOST_HELD) this.#held.push(message);
  }

  /** Without a request they go to the stream for news. What comes too late for its request waits for the next one. */
  #letGo(relatedRequestId: unknown): void {
    const options =
      typeof relatedRequestId === 'string' || typeof relatedRequestId === 'number'
        ? { relatedRequestId }
        : {};
    for (const message of this.#held?.splice(0) ?? [])
      this.#transport.send(message, options).catch(() => this.#held?.push(message));
  }
}
