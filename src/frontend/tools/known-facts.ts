/**
 * Facts of servers, asked for once per state: a shared server is a process away, and its facts change only when it
 * tells a new state. What a server registers later without one is found by asking again before saying no.
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
