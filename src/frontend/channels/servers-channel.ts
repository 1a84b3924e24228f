/** Tells once when a server has the whole workspace, and at once when one dies or is there again. */
import type { Clock } from '../../shared/base/lifetime.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import type { ServerLink, ServerState } from '../../shared/link/server-link.ts';
import type { Outlet, Subscription } from './outlet.ts';

export interface ServersChannelOptions {
  readonly clock: Clock;
  readonly outlet: Outlet;
  subscriptions(): readonly Subscription[];
}

/** A server that needs longer than this is said to do so. */
const READY_WITHIN_MS = 5 * 60_000;

interface Watched {
  kind: ServerState['kind'];
  readyTold: boolean;
  isDown: boolean;
  limit?: Disposable;
}

export class ServersChannel implements Disposable {
  readonly #options: ServersChannelOptions;
  readonly #watched = new Map<ServerLink, Watched>();

  constructor(options: ServersChannelOptions) {
    this.#options = options;
  }

  /** The state of a link that may be new. */
  stateOf(link: ServerLink, state: ServerState): void {
    const watched = this.#watched.get(link) ?? { kind: 'idle', readyTold: false, isDown: false };
    this.#watched.set(link, watched);
    if (watched.kind === state.kind) return;
    watched.kind = state.kind;
    this.#judge(link, state, watched);
    for (const { kind, uri } of this.#options.subscriptions())
      if (kind === 'servers') this.#options.outlet.updated(uri);
  }

  [Symbol.dispose](): void {
    for (const { limit } of this.#watched.values()) limit?.[Symbol.dispose]();
    this.#watched.clear();
  }

  #judge(link: ServerLink, state: ServerState, watched: Watched): void {
    switch (state.kind) {
      case 'crashed':
      case 'failed':
        watched.isDown = true;
        this.#health('error', link, state.kind, `${link.language} server ${describeState(state)}`);
        return;
      case 'starting':
        this.#expectReady(link, watched);
        return;
      case 'indexing':
      case 'degraded':
      case 'ready':
        this.#expectReady(link, watched);
        if (watched.isDown)
          this.#health(
            'info',
            link,
            'recovered',
            `${link.language} server is there again: ${describeState(state)}`,
          );
        watched.isDown = false;
        if (state.kind === 'ready') this.#ready(link, watched);
        return;
      case 'idle':
      case 'stopped':
        return;
    }
  }

  #expectReady(link: ServerLink, watched: Watched): void {
    if (watched.readyTold) return;
    watched.limit ??= this.#options.clock.after(READY_WITHIN_MS, () => {
      const message = `${link.language} server is not ready after 5 minutes: ${describeState(link.state)}`;
      if (!watched.readyTold) this.#workspace(link, 'workspace_not_ready', message);
    });
  }

  #ready(link: ServerLink, watched: Watched): void {
    watched.limit?.[Symbol.dispose]();
    if (watched.readyTold) return;
    watched.readyTold = true;
    this.#workspace(
      link,
      'workspace_ready',
      `${link.language} server is ready: answers across files are complete`,
    );
  }

  #workspace({ language, root }: ServerLink, type: string, message: string): void {
    this.#options.outlet.tell('info', 'workspace', { type, language, root, message });
  }

  #health(level: 'error' | 'info', { language, root }: ServerLink, status: string, message: string): void {
    this.#options.outlet.tell(level, 'health', { type: 'server_health', status, language, root, message });
  }
}
