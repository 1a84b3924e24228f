/**
 * A server that another program runs and that listens on TCP. The host never asks it to shut down and never kills it.
 */
import net from 'node:net';
import { FailureError, messageOf } from '../../base/failure.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { DialledServer } from '../../link/server-plan.ts';
import type { ServerTransport } from './transport.ts';

const DIAL_TIMEOUT_MS = 5000;

export async function dialServer(server: DialledServer, clock: Clock): Promise<ServerTransport> {
  const socket = await connect(server, clock);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  const gone = new Promise<string>((resolve) =>
    socket.once('close', () => resolve('the server closed the connection')),
  );
  return {
    input: socket,
    output: socket,
    pid: undefined,
    owned: false,
    gone,
    stderr: () => '',
    async destroy() {
      socket.destroy();
      await gone;
    },
  };
}

function connect(server: DialledServer, clock: Clock): Promise<net.Socket> {
  const address = `${server.host}:${server.port}`;
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: server.host, port: server.port, lookup: pinnedTo(server.addresses) });
    const refuse = (reason: string) => {
      socket.destroy();
      reject(new FailureError({ kind: 'server-failed', server: address, reason, stderr: '' }));
    };
    const timer = clock.after(DIAL_TIMEOUT_MS, () =>
      refuse(`no connection within ${DIAL_TIMEOUT_MS / 1000} s`),
    );
    socket.once('connect', () => {
      timer[Symbol.dispose]();
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.once('error', (error) => {
      timer[Symbol.dispose]();
      refuse(messageOf(error));
    });
  });
}

/** Names are not looked up again: what was allowed is what is dialled. */
function pinnedTo(addresses: readonly string[]): net.LookupFunction {
  const all = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return (host, options, found) => {
    const [first] = all;
    if (options.all) found(null, all);
    else if (first) found(null, first.address, first.family);
    else found(new Error(`no address of ${host} is known`), '');
  };
}
