/**
 * Learns the words of all files of a workspace while nobody asks. Looking through files for one name is much quicker, so
 * no question waits for this; a large workspace is the quicker for it later.
 */
import { type Clock, delay } from '../base/lifetime.ts';
import type { MentionIndex } from './mention-index.ts';
import type { Survey } from './survey.ts';

/** After the last question: one call asks several, and the next session may come at once. */
const QUIET_MS = 1_000;
/** Who looked through all files so often is going to again, after each edit for instance: then any pause will do. */
const OFTEN = 3;
const PAUSE_MS = 50;
/** Agents that never rest are not a reason to look through all files for each of their questions for ever. */
const MOST_WAIT_MS = 20_000;
/** Between two looks at whether somebody asks; others are served as long as it takes again. */
const SLICE_MS = 10;

type Files = Pick<Survey, 'projectOf' | 'others'>;

export class WordLearning {
  readonly #index: MentionIndex;
  readonly #clock: Clock;
  #ended: AbortSignal | undefined;
  #lastAsked = 0;
  #questions = 0;
  /** Those that are being learned, or wait for it. */
  readonly #waiting = new Set<Files>();

  constructor(index: MentionIndex, clock: Clock) {
    this.#index = index;
    this.#clock = clock;
  }

  /** What was learned before is void, and what waits ends with the server that it was for. */
  follow(ended: AbortSignal): void {
    this.#ended = ended;
    this.#questions = 0;
    this.#waiting.clear();
  }

  /** A question was about a name in these files. Whatever fails here, the next question says. */
  asked(files: Files): void {
    this.#lastAsked = this.#clock.now();
    this.#questions++;
    if (this.#waiting.has(files)) return;
    this.#waiting.add(files);
    this.#learn(files, this.#ended)
      .catch(() => {})
      .finally(() => this.#waiting.delete(files));
  }

  async #learn({ projectOf, others }: Files, signal: AbortSignal | undefined): Promise<void> {
    const bounds = { clock: this.#clock, signal };
    const latest = this.#clock.now() + MOST_WAIT_MS;
    const untilQuiet = async () => {
      for (;;) {
        const now = this.#clock.now();
        const quietMs = this.#questions < OFTEN ? QUIET_MS : PAUSE_MS;
        const left = Math.min(this.#lastAsked + quietMs, latest) - now;
        if (left <= 0) return;
        // The questions that make it quicker may come during the wait.
        await delay(Math.min(left, PAUSE_MS), bounds);
      }
    };
    await untilQuiet();
    let since = performance.now();
    for (const files of [projectOf.keys(), others])
      for (const file of files) {
        if (performance.now() - since > SLICE_MS) {
          await delay(SLICE_MS, bounds);
          await untilQuiet();
          since = performance.now();
        }
        this.#index.learn(file, false);
      }
  }
}
