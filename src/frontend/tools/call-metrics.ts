/** How often the tools of a session were called, how long that took, and how often it ended in an error. */
import { sessionPart } from './session-state.ts';

interface ToolFigures {
  readonly tool: string;
  readonly count: number;
  readonly errors: number;
  readonly averageMs: number;
  readonly minimumMs: number;
  readonly maximumMs: number;
}

interface Tally {
  count: number;
  errors: number;
  totalMs: number;
  minimumMs: number;
  maximumMs: number;
}

/** Names beyond these are no tools but slips of an agent, which are counted together. */
const MOST_NAMES = 256;
const OTHERS = 'others';

/** The calls that have ended so far. */
class CallMetrics {
  readonly isEnabled: boolean;
  readonly #tallies = new Map<string, Tally>();

  constructor(isEnabled: boolean) {
    this.isEnabled = isEnabled;
  }

  record(tool: string, { durationMs, isError }: { durationMs: number; isError: boolean }): void {
    if (!this.isEnabled) return;
    const name = this.#tallies.size < MOST_NAMES || this.#tallies.has(tool) ? tool : OTHERS;
    const tally = this.#tallies.get(name) ?? {
      count: 0,
      errors: 0,
      totalMs: 0,
      minimumMs: Number.POSITIVE_INFINITY,
      maximumMs: 0,
    };
    this.#tallies.set(name, tally);
    tally.count += 1;
    tally.errors += isError ? 1 : 0;
    tally.totalMs += durationMs;
    tally.minimumMs = Math.min(tally.minimumMs, durationMs);
    tally.maximumMs = Math.max(tally.maximumMs, durationMs);
  }

  /** By the name of the tool. */
  figures(): readonly ToolFigures[] {
    return [...this.#tallies]
      .map(([tool, { count, errors, totalMs, minimumMs, maximumMs }]) => ({
        tool,
        count,
        errors,
        averageMs: totalMs / count,
        minimumMs,
        maximumMs,
      }))
      .toSorted((a, b) => (a.tool < b.tool ? -1 : 1));
  }
}

export const callMetrics = sessionPart(({ config }) => new CallMetrics(config.hasMetrics));
