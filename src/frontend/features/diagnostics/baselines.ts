/**
 * Keeps the findings of one moment, to compare later ones with. Findings are matched by their message and not by
 * their position: a line added at the top of a file makes no finding new.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { sessionPart } from '../../tools/session-state.ts';
import type { Finding } from './diagnostics.ts';

export interface Baseline {
  readonly id: string;
  /** Only files whose findings were known to be fresh. */
  readonly files: ReadonlyMap<AbsPath, readonly Finding[]>;
}

export interface Comparison {
  readonly added: readonly Finding[];
  readonly gone: readonly Finding[];
}

/** A comparison with what it started from, so that its numbers can be told in full. */
export interface ComparedFindings extends Comparison {
  readonly before: readonly Finding[];
}

/** The oldest ones are forgotten. */
const MOST = 32;

/** The baselines of a session. */
export class Baselines {
  readonly #kept = new Map<string, Baseline>();
  #made = 0;

  keep(files: ReadonlyMap<AbsPath, readonly Finding[]>): Baseline {
    const baseline = { id: `b${++this.#made}`, files };
    this.#kept.set(baseline.id, baseline);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    return baseline;
  }

  /** Fails with `invalid-input` when there is none of this name, or none any more. */
  named(id: string): Baseline {
    const known = [...this.#kept.keys()];
    return (
      this.#kept.get(id) ??
      fail({
        kind: 'invalid-input',
        message: `there is no baseline ${JSON.stringify(id)}`,
        next:
          known.length === 0
            ? 'Call with baseline:true first'
            : `Baselines are: ${known.slice(-5).join(', ')}`,
      })
    );
  }
}

export const baselinesOf = sessionPart(() => new Baselines());

/** Of findings that say the same, those on a line with the same text belong together first. */
export function compareFindings(before: readonly Finding[], now: readonly Finding[]): Comparison {
  const withText = matchedBy((finding) => `${contentOf(finding)}\n${finding.line}`, before, now);
  return matchedBy(contentOf, withText.gone, withText.added);
}

function contentOf({ severity, code, source, message }: Finding): string {
  return [severity, code, source, message].join('\n');
}

function matchedBy(
  keyOf: (finding: Finding) => string,
  before: readonly Finding[],
  now: readonly Finding[],
): Comparison {
  const unmatched = new Map<string, Finding[]>();
  for (const finding of before) {
    const same = unmatched.get(keyOf(finding));
    if (same) same.push(finding);
    else unmatched.set(keyOf(finding), [finding]);
  }
  const added = now.filter((finding) => unmatched.get(keyOf(finding))?.shift() === undefined);
  return { added, gone: [...unmatched.values()].flat() };
}
