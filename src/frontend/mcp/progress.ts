/** Tells a waiting client what its call waits for: servers that are starting or indexing, or work of its own. */
import type { Clock } from '../../shared/base/lifetime.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import { isSettled, type ServerLink, type ServerState } from '../../shared/link/server-link.ts';

const MIN_GAP_MS = 200;
/** Often enough for clients that give up on a call without progress. */
const REPEAT_MS = 5_000;

/** `progress` rises with every message, as the protocol wants it. */
export type SendProgress = (progress: number, message: string) => void;

export class ProgressWatch implements Disposable {
  readonly #send: SendProgress;
  readonly #clock: Clock;
  readonly #links = new Map<ServerLink, Disposable>();
  #sent = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #lastMessage = '';
  #reported: string | undefined;
  #timer: Disposable | undefined;

  constructor(send: SendProgress, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  watch(link: ServerLink): void {
    if (this.#links.has(link)) return;
    this.#links.set(
      link,
      link.onState(() => this.#tell()),
    );
    this.#tell();
  }

  /** What the call itself is at; the newest is said again when nothing else is heard for long. */
  report(message: string): void {
    this.#reported = message;
    this.#tell();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    for (const subscription of this.#links.values()) subscription[Symbol.dispose]();
    this.#links.clear();
  }

  #tell(repeat = false): void {
    const working = [...this.#links.keys()].filter((link) => !isSettled(link.state));
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const messages = working.map((link) => `${link.language}: ${wordsFor(link.state)}`);
    if (this.#reported !== undefined) messages.push(this.#reported);
    if (messages.length === 0) return;
    // Not yet heard of: it may be up and ready, so that there is nothing to tell unless it takes long.
    if (!repeat && this.#reported === undefined && working.every(({ state }) => state.kind === 'idle')) {
      this.#tellIn(REPEAT_MS);
      return;
    }
    const message = messages.join(', ');
    const sinceLast = this.#clock.now() - this.#lastAt;
    if (sinceLast < MIN_GAP_MS) {
      this.#tellIn(MIN_GAP_MS - sinceLast);
      return;
    }
    if (repeat || message !== this.#lastMessage) {
      this.#sent += 1;
      this.#lastAt = this.#clock.now();
      this.#lastMessage = message;
      this.#send(this.#sent, message);
    }
    this.#tellIn(REPEAT_MS);
  }

  #tellIn(ms: number): void {
    this.#timer = this.#clock.after(ms, () => this.#tell(true));
  }
}

/** A call that waits for a server has asked for it, so that it is not called "not started". */
function wordsFor(state: ServerState): string {
  return state.kind === 'idle' && state.asleep === undefined ? 'on its way' : describeState(state);
}
