/** A listener that a tool may be told to connect to: it answers nothing, and what it hears has left the session. */
import net from 'node:net';

export class Eavesdropper implements AsyncDisposable {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  /** Everything that was sent to it. */
  heard = '';
  connections = 0;

  private constructor() {
    this.#server = net.createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        this.heard += chunk.toString();
        // Whoever waits for an answer is not kept waiting.
        socket.destroy();
      });
    });
  }

  static async on(host: string): Promise<Eavesdropper> {
    const listener = new Eavesdropper();
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject);
      listener.#server.listen(0, host, resolve);
    });
    return listener;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
