/**
 * The broker's sockets and the sessions on them. Usually there is one socket; when its name is swept away a second one
 * is opened beside it, and connections on the first live on.
 */
import type { Server, Socket } from 'node:net';
import { deferred } from '../shared/base/lifetime.ts';
import {
  type EndpointPlace,
  listenPrivate,
  removeSocket,
  socketCandidates,
} from '../shared/rendezvous/endpoint.ts';
import { ClientSession, type SessionServices } from './client-session.ts';
import type { IdleHold, IdleTimer } from './idle.ts';

export interface ListenerOptions {
  readonly directory: string;
  readonly generation: string;
  readonly place: EndpointPlace;
  readonly services: SessionServices;
  readonly idle: IdleTimer;
  greeted(): void;
  /** A session that was attached has left, or a call has ended. */
  quieter(): void;
  /** The last session has left and no call is running. Not for those who only looked: they were never in use. */
  emptied(): void;
}

const MAX_UNAUTHENTICATED = 64;
const MAX_SESSIONS = 256;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #sessions = new Set<ClientSession>();
  readonly #sockets = new Map<string, Server>();
  #round = 0;
  #nextId = 1;
  #running = 0;
  #runningHold: IdleHold | undefined;
  #quiet = deferred<void>();

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get sessions(): readonly ClientSession[] {
    return [...this.#sessions].filter((session) => session.attached);
  }

  /** Calls that are not answered yet, also those of sessions that have left. */
  get running(): number {
    return this.#running;
  }

  /** A session is attached, or a call is not answered yet. */
  get inUse(): boolean {
    return this.#running > 0 || this.sessions.length > 0;
  }

  /** Opens a socket with a new name. `attempt` learns the name before it exists, so that it can be noted. */
  async open(attempt?: (path: string) => void): Promise<string> {
    const { directory, generation, place } = this.#options;
    const candidates = socketCandidates(directory, generation, place, this.#round++);
    const listening = await listenPrivate(candidates, {
      accept: (socket) => this.#accept(socket),
      ...(attempt ? { attempt } : {}),
    });
    this.#sockets.set(listening.path, listening.server);
    // A failing accept (EMFILE) must not end the process; the next one may work.
    listening.server.on('error', (error) =>
      this.#options.services.log.warn('accept failed', { error: error.message }),
    );
    return listening.path;
  }

  whenQuiet(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : this.#quiet.promise;
  }

  async close(reason: string): Promise<void> {
    const closings = [...this.#sockets].map(
      ([path, server]) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          removeSocket(path);
        }),
    );
    for (const session of this.#sessions) session.close(reason);
    await Promise.all(closings);
  }

  #accept(socket: Socket): void {
    socket.setNoDelay(true);
    const strangers = [...this.#sessions].filter((session) => !session.greeted).length;
    if (strangers >= MAX_UNAUTHENTICATED || this.#sessions.size >= MAX_SESSIONS) {
      this.#options.services.log.warn('too many connections; refused one', { open: this.#sessions.size });
      socket.destroy();
      return;
    }
    const hold = this.#options.idle.hold();
    const session: ClientSession = new ClientSession(this.#nextId++, socket, this.#options.services, {
      greeted: () => this.#options.greeted(),
      attached: () => hold.markUsed(),
      busy: (delta) => this.#count(delta),
      closed: () => {
        this.#sessions.delete(session);
        hold.release();
        if (session.attached) this.#lessUsed();
        this.#options.quieter();
      },
    });
    this.#sessions.add(session);
  }

  /** A call may outlive its session while the server still works on it; the time does not run meanwhile. */
  #count(delta: 1 | -1): void {
    this.#running += delta;
    if (this.#running > 0) {
      this.#runningHold ??= this.#options.idle.hold();
      return;
    }
    this.#runningHold?.markUsed();
    this.#runningHold?.release();
    this.#runningHold = undefined;
    this.#quiet.resolve();
    this.#quiet = deferred();
    this.#lessUsed();
    this.#options.quieter();
  }

  #lessUsed(): void {
    if (!this.inUse) this.#options.emptied();
  }
}
