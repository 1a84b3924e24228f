/**
 * How many tokens the answers of a session have saved. Only answers that replace the reading of whole files count:
 * outlines, sources of symbols and what explains them. An agent would have read a file once, so its text counts once,
 * however many answers replace it; of every answer all that was sent counts, also where that was more than the file.
 */
import { ESTIMATED_AS, estimatedTokens } from '../render/estimated-tokens.ts';
import { sessionPart } from './session-state.ts';

class TokenSavings {
  readonly #isEnabled: boolean;
  /** Texts of files that were counted, by their prints. A file that has changed has another text, and would be read again. */
  readonly #texts = new Set<string>();
  #answers = 0;
  #returned = 0;
  #full = 0;

  constructor(isEnabled: boolean) {
    this.#isEnabled = isEnabled;
  }

  record(sent: readonly string[], insteadOf: readonly string[]): void {
    if (!this.#isEnabled || insteadOf.length === 0) return;
    this.#answers += 1;
    this.#returned += estimatedTokens(sent.join('\n'));
    for (const text of insteadOf) {
      const print = printOf(text);
      if (this.#texts.has(print)) continue;
      this.#texts.add(print);
      this.#full += estimatedTokens(text);
    }
  }

  /** What was saved is below zero when the answers were longer than the files. */
  figures() {
    return {
      answers: this.#answers,
      files: this.#texts.size,
      tokens_returned: this.#returned,
      tokens_full_files: this.#full,
      tokens_saved: this.#full - this.#returned,
      estimated_as: ESTIMATED_AS,
    };
  }
}

const MOST_SAMPLES = 4_096;

/**
 * Made anew with each answer, so that a hash of the whole text would be a part of the answer's time. Long texts of one
 * length that differ only between the samples count once, and less is said to be saved.
 */
function printOf(text: string): string {
  const step = Math.ceil(text.length / MOST_SAMPLES) || 1;
  let sum = 0;
  for (let at = 0; at < text.length; at += step) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return `${text.length} ${sum}`;
}

export const tokenSavings = sessionPart(({ config }) => new TokenSavings(config.hasMetrics));
