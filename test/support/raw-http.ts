/** A client of bare sockets, for requests that no library would send. */
import { connect, type Socket } from 'node:net';
import { until } from './events.ts';

export interface RawConnection extends Disposable {
  readonly socket: Socket;
  /** All that came so far. */
  received(): string;
  isClosed(): boolean;
  send(text: string): void;
  /** Settles with all that came when the other side has closed. */
  readonly closed: Promise<string>;
  /** Settles when what came has this in it. */
  has(text: string): Promise<string>;
}

export async function rawConnection(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect(port, host);
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  // A connection that is reset is closed as well.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) =>
    socket.once('close', () => {
      isClosed = true;
      resolve(text);
    }),
  );
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  return {
    socket,
    received: () => text,
    isClosed: () => isClosed,
    send: (sent) => void socket.write(sent, 'latin1'),
    closed,
    has: (part) =>
      until(() => text.includes(part) && text, { what: `${part} from the server`, seen: () => text }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
