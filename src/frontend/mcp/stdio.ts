/**
 * MCP over standard input and output. The end of the input, a broken output or a signal ends the session, whatever
 * sockets and servers are still open.
 */
import { constants } from 'node:os';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../../shared/base/log.ts';
import type { RequestId } from './early-answer.ts';
import { LineTransport } from './line-transport.ts';
import { CallShortCut } from './short-cut.ts';
import type { ToolCalls } from './tool-calls.ts';

export interface StdioOptions {
  readonly log: Log;
  readonly calls: ToolCalls;
  /** Reads every message of the client before it is dealt with. */
  readonly saw: (message: object) => void;
  /** The handshake that early-answer.ts has answered: the same answer is not sent twice. */
  readonly answered: RequestId | undefined;
  /** Called once, when the client has the answer to its first message. */
  onSettled(): void;
}

/** Settles with an exit code when the session is over. */
export function serveOnStdio(makeServer: () => Server, options: StdioOptions): Promise<number> {
  const { log, calls, saw, answered, onSettled } = options;
  const shortCut = new CallShortCut({ calls, send: (message) => transport.send(message) });
  const transport = new LineTransport(process.stdin, process.stdout, (message) => {
    saw(message);
    return shortCut.takes(message);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    transport.send = send;
    // The loading that follows must not delay the answer.
    setImmediate(onSettled);
    const isRepeated =
      answered !== undefined && 'result' in message && 'id' in message && message.id === answered;
    if (!isRepeated) await send(message);
  };
  return new Promise((resolve) => {
    const handle = serveStdio(makeServer, {
      transport,
      onerror: (error) => log.debug('mcp transport', { message: error.message }),
    });
    const onTransportClose = transport.onclose;
    transport.onclose = () => {
      onTransportClose?.();
      shortCut.close();
      resolve(0);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      // Not `once`: the spawn lock's library ends the process by the signal when it finds no listener left but its own.
      process.on(signal, () => {
        handle.close().catch(() => {});
        resolve(128 + constants.signals[signal]);
      });
    }
  });
}
