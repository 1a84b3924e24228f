/**
 * What was found out about occurrences of names that are too common for one call, so that the next call about the same
 * name goes on where this one ended. It counts only as long as no file has changed, and is dropped once all are known.
 * Decision: docs/decisions/references.md#a-later-call-does-the-rest
 */
import { startOf } from '../../../places/places.ts';
import { sessionPart } from '../../../tools/session-state.ts';
import type { Occurrence } from './occurrences.ts';
import type { Meaning, Resolution } from './resolve.ts';

export type LookUps = Map<string, Resolution>;

/** Agents ask about few names at once. */
const MOST_NAMES = 4;
const MOST_LOOKED_UP = 50_000;

class LookedUpNames {
  readonly #byName = new Map<string, LookUps>();

  /** Of this name, in these files as they are; `world` is undefined where it is not known whether they have changed. */
  of({ link, name, declarations, places }: Meaning, world: string | undefined): LookUps {
    if (world === undefined) return new Map();
    // What the server lists decides what an occurrence is taken for.
    const meant = declarations.map(startOf);
    const key = JSON.stringify([link.root, link.language, name, world, meant, places.length]);
    const known = this.#byName.get(key) ?? new Map();
    this.#byName.delete(key);
    this.#byName.set(key, known);
    for (const [oldest] of this.#byName) if (this.#byName.size > MOST_NAMES) this.#byName.delete(oldest);
    return known;
  }

  /** All of it is known: the next call looks itself. */
  done(lookedUp: LookUps): void {
    for (const [key, known] of this.#byName) if (known === lookedUp) this.#byName.delete(key);
  }
}

export const lookedUpNames = sessionPart(() => new LookedUpNames());

export function remember(lookedUp: LookUps, occurrence: Occurrence, resolution: Resolution): void {
  if (lookedUp.size < MOST_LOOKED_UP) lookedUp.set(placed(occurrence), resolution);
}

export function recalled(lookedUp: LookUps, occurrence: Occurrence): Resolution | undefined {
  return lookedUp.get(placed(occurrence));
}

function placed({ file, at }: Occurrence): string {
  return `${file}:${at.line}:${at.column}`;
}
