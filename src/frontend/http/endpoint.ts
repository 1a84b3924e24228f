/** One HTTP request, from its headers to a session: who may come in, what is asked for, and what every answer has. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { isJsonContentType } from '@modelcontextprotocol/server';
import type { Log } from '../../shared/base/log.ts';
import type { Admission, Principal } from './admission.ts';
import type { HttpLimits } from './limits.ts';
import type { Handle } from './listener.ts';
import { CODES, EVERYWHERE, errorBody, type Reply, refused, reply } from './replies.ts';
import type { HttpSessions } from './sessions.ts';

const PATHS = ['/mcp', '/'];
const METHODS = ['POST', 'GET', 'DELETE'];

export interface EndpointOptions {
  readonly admission: Admission;
  readonly sessions: HttpSessions;
  readonly limits: HttpLimits;
  readonly log: Log;
}

export class Endpoint {
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  readonly handle: Handle = (request, response) => {
    const admitted = this.#admit(request);
    if ('status' in admitted) {
      reply(response, admitted);
      return 'refused';
    }
    this.#pass(request, response, admitted.principal);
    return 'admitted';
  };

  #admit({ method = '', url = '/', headers }: IncomingMessage): { readonly principal: Principal } | Reply {
    const { admission, sessions } = this.#options;
    const path = url.split('?', 1).join();
    if (path === '/health')
      return sessions.isDraining
        ? { status: 503, body: { status: 'draining' } }
        : { status: 200, body: { status: 'ok' } };
    const admitted = admission.admit(headers);
    if ('status' in admitted) return admitted;
    if (!PATHS.includes(path)) return { status: 404, body: { error: 'not found' } };
    const tooLarge = this.#tooLarge(headers);
    if (tooLarge) return tooLarge;
    if (METHODS.includes(method)) return admitted;
    return { status: 405, body: { error: 'method not allowed' }, headers: { Allow: METHODS.join(', ') } };
  }

  /** A client that is still sending would not get the answer if its connection were closed at once, as the SDK does. */
  #tooLarge(headers: IncomingHttpHeaders): Reply | undefined {
    const { bodyBytes } = this.#options.limits;
    if (!(Number(headers['content-length']) > bodyBytes)) return undefined;
    return { status: 413, body: errorBody(CODES.refused, `a request has ${bodyBytes} bytes at most`) };
  }

  #pass(request: IncomingMessage, response: ServerResponse, principal: Principal): void {
    const { limits, log } = this.#options;
    // Also what the SDK answers by itself has them.
    for (const [name, value] of Object.entries(EVERYWHERE)) response.setHeader(name, value);
    const serve = toNodeHandler(
      { fetch: (asked) => this.#serve(asked, response, principal) },
      {
        maxRequestBodySize: limits.bodyBytes,
        onerror: (error) => log.debug('http request failed', { message: error.message }),
      },
    );
    // A server's requests have both.
    serve(request as IncomingMessage & { method: string; url: string }, response).catch((error: unknown) =>
      log.debug('http answer failed', { message: String(error) }),
    );
  }

  async #serve(request: Request, to: ServerResponse, principal: Principal): Promise<Response> {
    const response = await this.#answer(request, principal);
    // What the SDK says of streams is said as well: nobody on the way is to hold them back.
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
    // Without a first message Node would keep the headers back, and the client would not know that it is heard.
    if (isStream) setImmediate(() => to.headersSent && !to.writableEnded && to.flushHeaders());
    const { 'Cache-Control': never } = EVERYWHERE;
    response.headers.set('Cache-Control', isStream ? `${never}, no-transform` : never);
    return response;
  }

  async #answer(request: Request, principal: Principal): Promise<Response> {
    const { sessions } = this.#options;
    if (request.method !== 'POST') return sessions.serve(request, undefined, principal);
    if (!isJsonContentType(request.headers.get('Content-Type')))
      return refused(415, CODES.refused, 'the Content-Type must be application/json');
    const body = parsed(await request.text());
    if (body instanceof SyntaxError)
      return refused(400, CODES.parseError, `the body is not JSON (${body.message})`);
    if (typeof body !== 'object' || body === null)
      return refused(400, CODES.invalidRequest, 'the body must be a message: a JSON object');
    return sessions.serve(request, body, principal);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
