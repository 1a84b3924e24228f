/**
 * How many tokens the answers of a session have saved. Only answers that replace the reading of whole files count:
 * outlines, sources of symbols and what explains them. An agent would have read a file once, so its text counts once,
 * however many answers replace it; of every answer all that was sent counts, also where that was more than the file.
 */
import { createHash } from 'node:crypto';
import { ESTIMATED_AS, estimatedTokens } from '../render/estimated-tokens.ts';
import { sessionPart } from './session-state.ts';

class TokenSavings {
  readonly #isEnabled: boolean;
  /** Texts of files that were counted. A file that has changed has another text, and would be read again. */
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
      const name = createHash('sha1').update(text).digest('base64');
      if (this.#texts.has(name)) continue;
      this.#texts.add(name);
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

export const tokenSavings = sessionPart(({ config }) => new TokenSavings(config.hasMetrics));
