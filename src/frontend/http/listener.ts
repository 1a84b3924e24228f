/** The HTTP server of Node with our limits: clients that dawdle lose their connection, and cost the others nothing. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { fail, messageOf, systemCode } from '../../shared/base/failure.ts';
import { deferred, systemClock, withTimeout } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import { Connections } from './connections.ts';
import type { HttpLimits } from './limits.ts';

/** How often Node looks for connections that are late; their limits are kept this exactly. */
const LOOK_MS = 500;
/** For the last bytes of answers. */
const FLUSH_MS = 500;

export interface HttpListener {
  /** Which is what was asked for, unless any would do. */
  readonly port: number;
  /** Lets answers that have ended go out, and ends all connections. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly address: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly log: Log;
}

/** Whoever handles a request says whether it was let in. */
export type Handle = (...asked: Parameters<RequestListener>) => 'admitted' | 'refused';

export async function listen(
  { address, port, limits, log }: ListenOptions,
  handle: Handle,
): Promise<HttpListener> {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(LOOK_MS, limits.headersMs),
      // A client whose machine has gone is noticed some time.
      keepAlive: true,
    },
    (request, response) => {
      if (handle(request, response) === 'admitted') connections.admitted(request.socket);
    },
  );
  const connections = new Connections(server, limits);
  await bind(server, address, port);
  // Too many files are open, for instance: who is connected is still served.
  server.on('error', (error) => log.error('http server', { message: error.message }));
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    close: () => close(server),
  };
}

async function bind(server: Server, address: string, port: number): Promise<void> {
  const listening = deferred<void>();
  server.once('error', listening.reject);
  server.listen({ port, host: address }, listening.resolve);
  try {
    await listening.promise;
  } catch (error) {
    const { message, next } = whyNot(error, address, port);
    fail({ kind: 'invalid-input', message, next }, { cause: error });
  }
  server.off('error', listening.reject);
}

function whyNot(error: unknown, address: string, port: number): { message: string; next: string } {
  const next = 'Pass another with --port';
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return { message: `port ${port} of ${address} is taken`, next };
    case 'EACCES':
      return { message: `this user may not listen on port ${port}`, next: `${next}, above 1023` };
    case 'EADDRNOTAVAIL':
      return {
        message: `${address} is no address of this machine`,
        next: 'Pass one that it has, or 0.0.0.0, with --listen-addr',
      };
    default:
      return { message: `cannot listen on ${address} port ${port}: ${messageOf(error)}`, next };
  }
}

async function close(server: Server): Promise<void> {
  const closed = deferred<void>();
  server.close(() => closed.resolve());
  server.closeIdleConnections();
  await withTimeout(closed.promise, FLUSH_MS, () => undefined, systemClock);
  server.closeAllConnections();
}
