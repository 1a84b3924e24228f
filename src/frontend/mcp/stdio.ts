/**
 * MCP over standard input and output. The end of the input, a broken output or a signal ends the session, whatever
 * sockets and servers are still open. The SDK is loaded when a message needs it: most sessions of older clients list
 * tools and call them, and neither wait for it nor pay its memory.
 */
import { constants } from 'node:os';
import type { ClientConnection } from './client-connection.ts';
import { withProtocol } from './discovery.ts';
import type { RequestId } from './fast-path/early-answer.ts';
import { LineTransport } from './fast-path/line-transport.ts';
import { CallShortCut } from './fast-path/short-cut.ts';

export interface StdioOptions {
  readonly client: ClientConnection;
  /** The handshake that early-answer.ts has answered: the same answer is not sent twice. */
  readonly answered: RequestId | undefined;
  /** Loads what the first call needs, once the client has the answer to its first message. */
  prepare(): Promise<void>;
}

const INITIALIZED = 'notifications/initialized';

/** Settles with an exit code when the session is over. */
export function serveOnStdio(options: StdioOptions): Promise<number> {
  const { client, answered, prepare } = options;
  const { log, calls, skills } = client;
  let isLoaded = false;
  const load = () => {
    if (isLoaded) return;
    isLoaded = true;
    serveWithSdk(transport, options, () => shortCut.open()).catch((error: unknown) =>
      log.error('mcp cannot be served', { error: String(error) }),
    );
  };
  const isAnswered = answered !== undefined;
  const shortCut = new CallShortCut({
    calls,
    skills,
    isAnswered,
    send: (message) => transport.send(message),
  });
  const transport = new LineTransport(process.stdin, process.stdout, (message) => {
    if (client.saw(message) || shortCut.takes(message)) return undefined;
    if (methodOf(message) === INITIALIZED) client.initialized(tell);
    if (answered === undefined || !isHandshake(message)) load();
    return withProtocol(message);
  });
  // A client that has left is noticed by the transport.
  const tell = (message: object) => void transport.send({ jsonrpc: '2.0', ...message }).catch(() => {});
  transport.onerror = (error) => log.debug('mcp transport', { message: error.message });
  return new Promise((resolve) => {
    transport.onclose = () => {
      shortCut.close();
      resolve(0);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      // Not `once`: the spawn lock's library ends the process by the signal when it finds no listener left but its own.
      process.on(signal, () => {
        resolve(128 + constants.signals[signal]);
        void transport.close();
      });
    }
    void transport.start();
    if (answered === undefined) return;
    // The loading that follows must not delay the answer.
    setImmediate(() => void prepare());
  });
}

/** Lets the SDK have everything that it has not seen yet; what was answered before it came is not answered again. */
async function serveWithSdk(
  transport: LineTransport,
  { client, answered, prepare }: StdioOptions,
  begun: () => void,
): Promise<void> {
  const [{ serveStdio }, makeServer] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    client.loadServer(),
  ]);
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    transport.send = send;
    if (answered === undefined) setImmediate(() => void prepare());
    const isRepeated = 'result' in message && 'id' in message && message.id === answered;
    if (answered === undefined || !isRepeated) await send(message);
    begun();
  };
  const { onclose, onerror } = transport;
  serveStdio(makeServer, { transport, onerror: (error) => onerror?.(error) });
  const sdkClosed = transport.onclose;
  transport.onclose = () => {
    sdkClosed?.();
    onclose?.();
  };
  transport.handOn();
}

function isHandshake(message: object): boolean {
  return ['initialize', INITIALIZED].includes(methodOf(message));
}

function methodOf(message: object): string {
  return 'method' in message ? String(message.method) : '';
}
