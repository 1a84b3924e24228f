/** Questions of calls on the short cut: sent without the SDK, which may not be loaded when the first call has one. */
import { FailureError } from '../../../shared/base/failure.ts';
import { onEnd, systemClock } from '../../../shared/base/lifetime.ts';
import type { AskUser, UserAnswer } from '../../access/call-permission.ts';
import { form, meaningOf, PATIENCE_MS } from '../elicitation.ts';

export class ClientQuestions {
  readonly #send: (message: object) => Promise<void>;
  readonly #open = new Map<string, (answer: UserAnswer) => void>();
  #count = 0;

  /** `send` adds what every message has. */
  constructor(send: (message: object) => Promise<void>) {
    this.#send = send;
  }

  readonly ask: AskUser = (question, signal) =>
    new Promise((resolve, reject) => {
      // The SDK counts its requests with numbers.
      const id = `question-${++this.#count}`;
      if (signal.aborted) return reject(new FailureError({ kind: 'cancelled' }));
      const limit = {
        ms: PATIENCE_MS,
        clock: systemClock,
        failure: () =>
          new FailureError({ kind: 'timeout', what: 'the user', afterMs: PATIENCE_MS, state: '' }),
      };
      const waiting = onEnd(signal, limit, (reason) => {
        this.#open.delete(id);
        void this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
        if (signal.aborted) reject(reason);
        else resolve('declined');
      });
      this.#open.set(id, (answer) => {
        waiting[Symbol.dispose]();
        resolve(answer);
      });
      void this.#send({ id, method: 'elicitation/create', params: form(question) });
    });

  /** True for the answer to a question from here. */
  takes(message: object): boolean {
    if (!('id' in message) || typeof message.id !== 'string') return false;
    const settle = this.#open.get(message.id);
    if (!settle) return false;
    this.#open.delete(message.id);
    settle('result' in message ? meaningOf(message.result) : 'cannot-ask');
    return true;
  }
}
