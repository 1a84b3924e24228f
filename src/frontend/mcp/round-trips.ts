/**
 * Questions to the user of a client of the newer protocol, which cannot be sent requests: a call is answered with the
 * question, and the client calls again with the answer. Meanwhile the call waits here where it stopped, so that what
 * the user agreed to is what happens.
 * Decision: docs/decisions/mcp.md#newer-clients-are-asked-by-an-answer
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { abandonable, type Clock, type Deferred, deferred, systemClock } from '../../shared/base/lifetime.ts';
import type { UserAnswer } from '../access/call-permission.ts';
import { form, meaningOf, PATIENCE_MS } from './elicitation.ts';
import type { CallResult, McpCaller } from './tool-calls.ts';

/** The call as the client sent it; a second round repeats it and adds to it. */
export interface Round {
  readonly name: string;
  readonly args: unknown;
  /** The name of the question that is answered. */
  readonly state: unknown;
  readonly answers: Readonly<Record<string, unknown>> | undefined;
}

export type RunCall = (caller: McpCaller) => Promise<CallResult>;

const QUESTION = 'consent';
const MOST_OPEN = 16;

export class RoundTrips {
  readonly #open = new Map<string, HeldCall>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The result of the call, or the question that it has to the user. */
  async next(round: Round, caller: Omit<McpCaller, 'askUser'>, run: RunCall) {
    const held = this.#heldFor(round);
    const answer = held && round.answers?.[QUESTION];
    if (held && answer === undefined) return this.#ask(round, held);
    const call = held ?? new HeldCall(round, run, caller.id);
    if (answer !== undefined) call.answer(meaningOf(answer));
    const result = await call.until(caller);
    return result ?? this.#ask(round, call);
  }

  /** Nobody answers any more. */
  close(): void {
    for (const call of this.#open.values()) call.cancel();
    this.#open.clear();
  }

  /** An answer to a question that is not open, or to the question of another call, is none: the call begins anew. */
  #heldFor({ name, args, state }: Round): HeldCall | undefined {
    const held = typeof state === 'string' ? this.#open.get(state) : undefined;
    if (typeof state !== 'string' || !held || held.round.name !== name) return undefined;
    if (!isDeepStrictEqual(held.round.args, args)) return undefined;
    this.#open.delete(state);
    return held;
  }

  #ask({ name }: Round, call: HeldCall) {
    const requestState = randomUUID();
    this.#open.set(requestState, call);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#giveUp(oldest);
    const timer = this.#clock.after(PATIENCE_MS, () => this.#giveUp(requestState));
    void call.result.finally(() => timer[Symbol.dispose]());
    const params = form(call.question ?? `agent-lsp: may ${name} go on?`);
    return {
      resultType: 'input_required' as const,
      requestState,
      inputRequests: { [QUESTION]: { method: 'elicitation/create' as const, params } },
    };
  }

  #giveUp(requestState: string): void {
    this.#open.get(requestState)?.cancel();
    this.#open.delete(requestState);
  }
}

/** A call that goes on, whichever request waits for it at the moment. */
class HeldCall {
  readonly round: Round;
  readonly result: Promise<CallResult>;
  readonly #controller = new AbortController();
  #caller: Omit<McpCaller, 'askUser'> | undefined;
  #asked = deferred<undefined>();
  #answer: Deferred<UserAnswer> | undefined;
  question: string | undefined;

  /** `id` is that of the first request, under which the whole call is logged. */
  constructor(round: Round, run: RunCall, id: McpCaller['id']) {
    this.round = round;
    this.result = run({
      id,
      signal: this.#controller.signal,
      progress: (count, message) => this.#caller?.progress(count, message),
      failed: (kind) => this.#caller?.failed?.(kind),
      askUser: (question, signal) => {
        this.#answer = deferred<UserAnswer>();
        this.question = question;
        this.#asked.resolve(undefined);
        return abandonable(this.#answer.promise, signal);
      },
    });
    // The request that waits for it hears of a failure; without one it is of no interest.
    this.result.catch(() => {});
  }

  answer(answer: UserAnswer): void {
    this.#asked = deferred<undefined>();
    this.#answer?.resolve(answer);
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** The result; undefined when there is a question first. */
  async until(caller: Omit<McpCaller, 'askUser'>): Promise<CallResult | undefined> {
    const cancel = () => this.cancel();
    if (caller.signal.aborted) cancel();
    caller.signal.addEventListener('abort', cancel, { once: true });
    this.#caller = caller;
    try {
      return await Promise.race([this.result, this.#asked.promise]);
    } finally {
      this.#caller = undefined;
      caller.signal.removeEventListener('abort', cancel);
    }
  }
}
