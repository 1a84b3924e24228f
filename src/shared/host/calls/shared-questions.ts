/**
 * Questions that the server is working on. Agents that work on the same code ask the same things at the same time,
 * and a server that gets a question twice works twice. A later call gets the answer to the earlier one's question,
 * unless a notification to or from the server in between could make another answer right. A caller whose patience is over
 * leaves its question with the server for a while and finds the answer when it asks again.
 * Decision: docs/decisions/host.md#shared-questions
 * Decision: docs/decisions/host.md#patience
 */
import { FailureError } from '../../base/failure.ts';
import { type Clock, type Limit, onEnd } from '../../base/lifetime.ts';

/** Equal questions have equal answers as long as nothing was said to the server in between. */
export interface SharedQuestion {
  readonly question: string;
  /** How much had been said to the server. */
  readonly told: number;
}

interface Asked extends SharedQuestion {
  readonly answer: Promise<unknown>;
  readonly givenUp: AbortController;
  waiting: number;
  isAnswered: boolean;
  /** Runs while the question is left with the server; at its end nobody is expected back. */
  left: Disposable | undefined;
}

/** How long the server goes on with a question that nobody waits for, and then for how long its answer is kept. */
const COMES_BACK_MS = 10_000;
const KEPT_MS = 30_000;
/** A question that was asked in vain this often has as much time as its call. */
const MOST_TRIES = 4;
/** Most of them are never asked again; past this number all are counted anew. */
const MOST_COUNTED = 1_000;

export class SharedQuestions {
  /** By question; of one that was asked again after news only the newer. */
  #asked = new Map<string, Asked>();
  /** How often it was left in vain. Where news come all the time no question would ever be answered. */
  readonly #tries = new Map<string, number>();
  readonly #answered: () => void;
  #hasAnswered = false;

  constructor(answered: () => void = () => {}) {
    this.#answered = answered;
  }

  /** A question that comes from now on is not content with the answers that are on their way. */
  forget(): void {
    const asked = [...this.#asked.values()];
    this.#asked = new Map();
    for (const each of asked) if (each.left) this.#giveUp(each);
  }

  /**
   * The server has said something by itself. One that works in order still works on what it was asked, and says that it
   * loads a project because of it: only what it answered before is worth nothing.
   */
  heard({ worksInOrder }: { readonly worksInOrder: boolean }): void {
    if (!worksInOrder) this.forget();
    for (const each of [...this.#asked.values()]) if (each.isAnswered) this.#remove(each);
  }

  /**
   * `send` is called for the first of those who ask; its signal fires when none of them waits or is expected back.
   * Nobody's patience ends before the server has answered its first question: until then it gets ready.
   */
  ask(
    subject: SharedQuestion,
    signal: AbortSignal,
    send: (signal: AbortSignal) => Promise<unknown>,
    patience?: Limit,
  ): Promise<unknown> {
    if (signal.aborted) return Promise.reject(new FailureError({ kind: 'cancelled' }));
    const asked = this.#current(subject) ?? this.#send(subject, send);
    asked.waiting++;
    asked.left?.[Symbol.dispose]();
    asked.left = undefined;
    return new Promise((resolve, reject) => {
      const cancelled = onEnd(signal, undefined, (reason) => {
        tired?.[Symbol.dispose]();
        asked.waiting--;
        if (asked.waiting === 0) this.#giveUp(asked);
        reject(reason);
      });
      const tries = this.#tries.get(asked.question) ?? 0;
      const limit = this.#hasAnswered && tries < MOST_TRIES ? patience : undefined;
      const tired = limit?.clock.after(limit.ms, () => {
        cancelled[Symbol.dispose]();
        asked.waiting--;
        if (asked.waiting === 0) this.#leave(asked, limit.clock);
        reject(limit.failure());
      });
      const done = () => {
        cancelled[Symbol.dispose]();
        tired?.[Symbol.dispose]();
      };
      asked.answer.then(resolve, reject).finally(done);
    });
  }

  /** One that the server was asked before it heard news is left to those who wait for it. */
  #current({ question, told }: SharedQuestion): Asked | undefined {
    const asked = this.#asked.get(question);
    if (asked === undefined || asked.told === told) return asked;
    if (asked.left) this.#giveUp(asked);
    return undefined;
  }

  #send(subject: SharedQuestion, send: (signal: AbortSignal) => Promise<unknown>): Asked {
    const givenUp = new AbortController();
    const answer = send(givenUp.signal);
    const asked: Asked = { ...subject, answer, givenUp, waiting: 0, isAnswered: false, left: undefined };
    this.#asked.set(asked.question, asked);
    answer.then(
      () => {
        this.#hasAnswered = true;
        this.#answered();
        this.#tries.delete(asked.question);
        asked.isAnswered = true;
        if (!asked.left) this.#remove(asked);
      },
      () => this.#remove(asked),
    );
    return asked;
  }

  #leave(asked: Asked, clock: Clock): void {
    asked.left = clock.after(COMES_BACK_MS, () => {
      if (!asked.isAnswered) return this.#giveUp(asked);
      asked.left = clock.after(KEPT_MS, () => this.#remove(asked));
    });
  }

  #giveUp(asked: Asked): void {
    if (asked.left) {
      if (this.#tries.size >= MOST_COUNTED) this.#tries.clear();
      this.#tries.set(asked.question, (this.#tries.get(asked.question) ?? 0) + 1);
    }
    this.#remove(asked);
    asked.givenUp.abort();
  }

  #remove(asked: Asked): void {
    asked.left?.[Symbol.dispose]();
    asked.left = undefined;
    if (this.#asked.get(asked.question) === asked) this.#asked.delete(asked.question);
  }
}
