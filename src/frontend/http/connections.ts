/**
 * The connections of the server, whoever they are of. One that nobody is served on costs the others nothing: strangers
 * give way to those who come later, and a client that does not read what it asked for loses its connection.
 * Decision: docs/decisions/http.md#limits
 */
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemCode } from '../../shared/base/failure.ts';
import type { HttpLimits } from './limits.ts';
import { EVERYWHERE } from './replies.ts';

export class Connections {
  readonly #most: number;
  /** Those on which no request has been let in, the oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #answers = new Map<Duplex, Set<ServerResponse>>();

  constructor(server: Server, { connections, strangers, stallMs }: HttpLimits) {
    this.#most = strangers;
    server.maxConnections = connections;
    server.on('connection', (socket) => this.#came(socket));
    server.prependListener('request', ({ socket }, response) => this.#asked(socket, response));
    // Node would end whatever is silent for so long, also while a tool works; with a listener it leaves that to us.
    server.setTimeout(stallMs, (socket) => this.#fellSilent(socket));
    server.on('clientError', (error, socket) => this.#failed(error, socket));
  }

  /** Somebody who may come in asks on it. */
  admitted(socket: Socket): void {
    this.#strangers.delete(socket);
  }

  #came(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#strangers.delete(socket));
    const [oldest] = this.#strangers;
    if (this.#strangers.size > this.#most) oldest?.destroy();
  }

  #asked(socket: Socket, response: ServerResponse): void {
    const answers = this.#answers.get(socket) ?? new Set();
    this.#answers.set(socket, answers.add(response));
    response.once('close', () => {
      answers.delete(response);
      if (answers.size === 0) this.#answers.delete(socket);
    });
  }

  /** Silence is fine while a tool works, and not when there is something to be read, or nothing to be waited for. */
  #fellSilent(socket: Socket): void {
    if (socket.writableLength > 0 || !this.#answers.has(socket)) socket.destroy();
  }

  /** What cannot be read as a request, or comes too slowly. Node's own answer has not the headers that all have. */
  #failed(error: unknown, socket: Duplex): void {
    const hasBegun = [...(this.#answers.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (!socket.writable || hasBegun) return void socket.destroy();
    const status = STATUSES[systemCode(error) ?? ''] ?? 400;
    const headers = Object.entries({ ...EVERYWHERE, 'Content-Length': '0', Connection: 'close' });
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`, () =>
      socket.destroy(),
    );
  }
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
