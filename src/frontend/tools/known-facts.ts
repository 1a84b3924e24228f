/**
 * Keeps the facts of each server until its state changes: a shared server is in another process, and asking it for
 * each call would cost time. A server may register a method without a change of state, so the facts are asked for
 * again before a tool says that the server lacks a method.
 */
import type { CallOptions, ServerFacts, ServerLink, ServerState } from '../../shared/link/server-link.ts';

export class KnownFacts {
  readonly #known = new WeakMap<ServerState, ServerFacts>();

  async of(link: ServerLink, options: CallOptions): Promise<ServerFacts> {
    const before = link.state;
    const known = before.kind === 'ready' ? this.#known.get(before) : undefined;
    if (known) return known;
    const facts = await link.facts(options);
    this.#known.set(link.state, facts);
    return facts;
  }

  async offering(link: ServerLink, method: string, options: CallOptions): Promise<ServerFacts> {
    const facts = await this.of(link, options);
    return facts.methods.includes(method) ? facts : link.facts(options);
  }
}
