/**
 * Questions that the server is working on. Agents that work on the same code ask the same things at the same time,
 * and a server that gets a question twice works twice. A later call gets the answer to the earlier one's question,
 * unless a notification to or from the server in between could make another answer right.
 * Decision: docs/decisions/host.md#shared-questions
 */
import { FailureError } from '../../base/failure.ts';
import { onEnd } from '../../base/lifetime.ts';

interface Asked {
  readonly answer: Promise<unknown>;
  readonly givenUp: AbortController;
  waiting: number;
}

export class SharedQuestions {
  #asked = new Map<string, Asked>();

  /** Whoever asks from now on is not content with the answers that are on their way. */
  forget(): void {
    this.#asked = new Map();
  }

  /** `send` is called for the first of those who ask; its signal fires when none of them waits any more. */
  ask(
    question: string,
    signal: AbortSignal,
    send: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.reject(new FailureError({ kind: 'cancelled' }));
    const asked = this.#asked.get(question) ?? this.#send(question, send);
    asked.waiting++;
    return new Promise((resolve, reject) => {
      const waiting = onEnd(signal, undefined, (reason) => {
        asked.waiting--;
        if (asked.waiting === 0) {
          this.#remove(question, asked);
          asked.givenUp.abort();
        }
        reject(reason);
      });
      asked.answer.then(resolve, reject).finally(() => waiting[Symbol.dispose]());
    });
  }

  #send(question: string, send: (signal: AbortSignal) => Promise<unknown>): Asked {
    const givenUp = new AbortController();
    const asked: Asked = { answer: send(givenUp.signal), givenUp, waiting: 0 };
    this.#asked.set(question, asked);
    const remove = () => this.#remove(question, asked);
    asked.answer.then(remove, remove);
    return asked;
  }

  #remove(question: string, asked: Asked): void {
    if (this.#asked.get(question) === asked) this.#asked.delete(question);
  }
}
