/**
 * Whether the versions in a server's publications can be believed, learned from what it publishes: some servers name
 * the version they checked, some name none, and some name one that means nothing, such as 1 each time.
 */
import type { AbsPath } from '../../base/brand.ts';

export type Honesty = 'unknown' | 'exact' | 'none' | 'bogus';

/** What the version of a publication says: about the text sent last, about an older one, or nothing. */
export type Claim = 'current' | 'older' | 'nothing';

interface Sent {
  /** The lowest version that this server was sent of the file. */
  readonly first: number;
  last: number;
}

const MATCHES_NEEDED = 2;

export class VersionHonesty {
  readonly #sent = new Map<AbsPath, Sent>();
  /** Different versions that were published while they were the last ones sent. */
  readonly #matched = new Set<number>();
  #verdict: Honesty = 'unknown';

  get verdict(): Honesty {
    return this.#verdict;
  }

  sent(file: AbsPath, version: number): void {
    const known = this.#sent.get(file);
    if (known) known.last = version;
    else this.#sent.set(file, { first: version, last: version });
  }

  heard(file: AbsPath, version: number | undefined): Claim {
    if (version === undefined) {
      if (this.#verdict === 'unknown' && this.#matched.size === 0) this.#verdict = 'none';
      return 'nothing';
    }
    const sent = this.#sent.get(file);
    if (!sent || this.#verdict === 'bogus') return 'nothing';
    if (version === sent.last) {
      this.#matched.add(version);
      if (this.#matched.size >= MATCHES_NEEDED) this.#verdict = 'exact';
      return 'current';
    }
    if (version >= sent.first && version < sent.last) return 'older';
    if (this.#verdict === 'exact') return 'older';
    // Nobody has ever sent this one.
    this.#verdict = 'bogus';
    return 'nothing';
  }

  /** True when a publication with the version sent last proves that it is about that text. */
  proves(version: number): boolean {
    if (this.#verdict === 'exact') return true;
    // A first version may be met by a server that says 1 each time; no constant follows a count.
    return this.#verdict !== 'bogus' && version > 1 && this.#matched.has(version);
  }

  /** A server at rest has named an older version than it was sent: its versions mean nothing, unless they once did. */
  contradicted(): boolean {
    if (this.#verdict === 'exact') return false;
    this.#verdict = 'bogus';
    return true;
  }
}
