/**
 * A session of the newer protocol, which knows none: each request is served by a server of its own from the SDK, and all
 * of them work on the same connection. Changes are told on the streams that clients open to listen.
 */
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { isObject } from '../../shared/base/unknown-value.ts';
import type { ClientConnection } from '../mcp/client-connection.ts';
import type { Exchange } from './exchange.ts';

const LISTEN = 'subscriptions/listen';

export class NewerExchange implements Exchange {
  readonly #connection: ClientConnection;
  readonly #handler: McpHttpHandler;
  #listens = 0;

  static async begin(connection: ClientConnection): Promise<NewerExchange> {
    const makeServer = await connection.loadServer({
      listChanged: (method) =>
        method === 'notifications/tools/list_changed'
          ? handler.notify.toolsChanged()
          : handler.notify.promptsChanged(),
      resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
    });
    const handler = createMcpHandler(makeServer, {
      legacy: 'reject',
      onerror: (error) => connection.log.debug('mcp transport', { message: error.message }),
    });
    return new NewerExchange(connection, handler);
  }

  private constructor(connection: ClientConnection, handler: McpHttpHandler) {
    this.#connection = connection;
    this.#handler = handler;
  }

  /** A request ends with its stream: a client that leaves does not want the answer any more. */
  readonly running = 0;

  /** No client of this protocol hears that its session is gone, so that none goes early. */
  readonly livesByItsStream = false;

  isForNews(_request: Request, body: unknown): boolean {
    return isObject(body) && body.method === LISTEN;
  }

  async serve(request: Request, body: unknown, over: AbortSignal): Promise<Response> {
    if (!isObject(body)) return this.#handler.fetch(request, { parsedBody: body });
    if (!this.isForNews(request, body)) {
      this.#connection.saw(body);
      return this.#handler.fetch(request, { parsedBody: body });
    }
    // Several clients may count their requests alike.
    const id = `${LISTEN}/${++this.#listens}`;
    this.#connection.saw({ ...body, id });
    const cancelled = { method: 'notifications/cancelled', params: { requestId: id } };
    over.addEventListener('abort', () => this.#connection.saw(cancelled), { once: true });
    return this.#handler.fetch(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await this.#handler.close();
  }
}
