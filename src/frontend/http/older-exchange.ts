/**
 * A session of the older protocol: it begins with `initialize`, goes by its id, and answers come on streams that a client
 * can take up again. The SDK's transport serves it; here is what it needs of our side of the connection.
 */
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { ClientConnection } from '../mcp/client-connection.ts';
import type { RecentEvents } from './event-store.ts';
import type { Exchange } from './exchange.ts';
import { CODES, refused } from './replies.ts';

const INITIALIZED = 'notifications/initialized';
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

  get running(): number {
    return this.#running.size;
  }

  isStanding({ method }: Request): boolean {
    return method === 'GET';
  }

  async serve(request: Request, body: unknown): Promise<Response> {
    if (request.method !== 'POST') return this.#serveStream(request);
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const left = messages.filter((message) => !isObject(message) || !this.#connection.saw(message));
    if (left.length === 0 && messages.length > 0) return new Response(null, { status: 202 });
    const requests = left.filter((message) => isObject(message) && 'method' in message && 'id' in message);
    const ids = requests.map((message) => Object(message).id);
    for (const id of ids) this.#running.add(id);
    const parsedBody = Array.isArray(body) ? left : left[0];
    const response = await this.#transport.handleRequest(request, { parsedBody });
    if (!response.ok) for (const id of ids) this.#running.delete(id);
    if (messages.some((message) => isObject(message) && message.method === INITIALIZED))
      this.#connection.initialized((message) => this.#tell({ jsonrpc: '2.0', ...message } as JSONRPCMessage));
    // A client without a stream of its own for it hears of it with its next answer.
    if (response.ok && ids.length > 0) this.#letGo(ids[0]);
    return response;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #serveStream(request: Request): Promise<Response> {
    const last = request.headers.get('Last-Event-Id');
    if (request.method === 'GET' && last !== null && !this.#events.has(last))
      return refused(400, CODES.refused, 'This event is not known any more: send the request again');
    const response = await this.#transport.handleRequest(request);
    if (request.method === 'GET' && response.ok) {
      this.#letGo(undefined);
      this.#held = undefined;
    }
    return response;
  }

  /** Never fails: a client that has left is noticed by its streams. */
  #tell(message: JSONRPCMessage): void {
    if (this.#held === undefined) this.#send(message, undefined);
    else if (this.#held.length < MOST_HELD) this.#held.push(message);
  }

  #letGo(relatedRequestId: string | number | undefined): void {
    for (const message of this.#held?.splice(0) ?? []) this.#send(message, relatedRequestId);
  }

  #send(message: JSONRPCMessage, relatedRequestId: string | number | undefined): void {
    const options = relatedRequestId === undefined ? {} : { relatedRequestId };
    this.#transport.send(message, options).catch(() => {});
  }
}
