/**
 * Requests that kill the server. A request that was pending at two crashes is not sent again, so that a single bad
 * file cannot take the server away from all sessions.
 * Decision: docs/decisions/host.md#poisonous-requests
 */
import { fail } from '../../base/failure.ts';

const FATAL_COUNT = 2;

export class PoisonList {
  readonly #deaths = new Map<string, number>();

  /** Called with what was pending when the server died. A crowd proves nothing about a single one. */
  died(pending: readonly string[]): void {
    if (pending.length > 4) return;
    for (const call of new Set(pending)) this.#deaths.set(call, (this.#deaths.get(call) ?? 0) + 1);
  }

  survived(call: string): void {
    this.#deaths.delete(call);
  }

  /** Fails when the call is one of them. */
  refuse(call: string, server: string): void {
    if ((this.#deaths.get(call) ?? 0) < FATAL_COUNT) return;
    const reason = `it died twice while answering ${call}, so this is not sent again until a restart`;
    fail({ kind: 'server-crashed', server, reason, stderr: '' });
  }

  clear(): void {
    this.#deaths.clear();
  }
}
