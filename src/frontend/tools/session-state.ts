/**
 * What features keep for a session: held edits, baselines, speculative sessions. A feature declares its part with
 * `sessionPart` and reads it with the function that this returns. The session creates a part at its first use and
 * knows no feature by name.
 */
import type { Clock } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { Config } from '../../shared/config/config.ts';
import type { Roots } from '../workspace/roots.ts';

/** What a part may be made of. */
export interface SessionGround {
  readonly config: Config;
  readonly roots: Roots;
  readonly clock: Clock;
  readonly log: Log;
}

type MakePart<T> = (ground: SessionGround) => T;

export class SessionState {
  readonly #ground: SessionGround;
  readonly #parts = new Map<MakePart<unknown>, unknown>();

  constructor(ground: SessionGround) {
    this.#ground = ground;
  }

  of<T>(make: MakePart<T>): T {
    if (!this.#parts.has(make)) this.#parts.set(make, make(this.#ground));
    return this.#parts.get(make) as T;
  }

  /** Those that have something to end with are closed. */
  async close(): Promise<void> {
    for (const part of this.#parts.values()) if (hasEnd(part)) await part.close();
  }
}

/** From a session, or from the context of one of its calls, to a feature's part of it. */
export function sessionPart<T>(make: MakePart<T>): (of: { readonly state: SessionState }) => T {
  return ({ state }) => state.of(make);
}

function hasEnd(part: unknown): part is { close(): Promise<void> } {
  return typeof (part as { close?: unknown } | undefined)?.close === 'function';
}
