/**
 * Watches the processes behind a server. Some servers are only wrappers: when the engine that they started dies, they
 * live on and answer with empty lists. A server may also hang or loop for ever. The host notices all this from what
 * the operating system says about the processes, while calls are pending and before it believes an answer.
 * Decision: docs/decisions/host.md#answers-outlived-by-their-engine
 */
import type { Clock } from '../../base/lifetime.ts';
import { isServing, type SeenProcess, watchedTree } from '../../process/process-tree.ts';

/** What is asked of the operating system; replaced in tests. */
export interface ProcessView {
  /** The server first, then its descendants; empty when nothing is known. */
  tree(pid: number): Promise<readonly SeenProcess[]>;
  isServing(seen: SeenProcess): boolean;
}

export interface EngineWatchOptions {
  readonly pid: number | undefined;
  /** The command line of the engine, for servers that are known to have one; it counts from the start. */
  readonly engine: RegExp | undefined;
  readonly clock: Clock;
  /** How many messages the server has sent so far. */
  readonly heard: () => number;
  /** Whether the server has said that it is done with its index; before that, it may wait for others. */
  readonly isSettled: () => boolean;
  /** Called once, with the reason; ends the server. */
  readonly lost: (reason: string) => void;
  readonly view?: ProcessView;
}

const systemView: ProcessView = { tree: watchedTree, isServing };

/** Helpers such as compilers come and go; a child that stayed this long and does the work is what the server needs. */
const ENGINE_AGE_MS = 10_000;
const STILL_MS = 20_000;
/** Processor time without a single message: what takes that long for one answer goes in circles. */
const CIRCLING_MS = 60_000;
const LOOK_EVERY_MS = 1000;

export class EngineWatch {
  readonly #options: EngineWatchOptions;
  readonly #view: ProcessView;
  readonly #engines = new Map<number, SeenProcess>();
  /** When each descendant was seen first. */
  readonly #firstSeen = new Map<string, number>();
  #pending = 0;
  /** The last call had to be given up, and none has been answered since. */
  #owesAnswer = false;
  #cpuMs = 0;
  /** The processor time at the last message, or when something was first expected; unknown until the next look. */
  #lastWord: { readonly heard: number; readonly cpuMs: number } | undefined;
  /** When the processes last did anything, or when something was last expected of them. */
  #lastMoveAt: number;
  #timer: Disposable | undefined;
  #looking: Promise<void> | undefined;
  #over: boolean;

  constructor(options: EngineWatchOptions) {
    this.#options = options;
    this.#view = options.view ?? systemView;
    this.#lastMoveAt = options.clock.now();
    this.#over = options.pid === undefined;
  }

  /** Runs a call of the server; its answer counts only if the engine has outlived it. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    this.#begin();
    try {
      const answer = await work();
      this.#owesAnswer = false;
      await this.#verify();
      return answer;
    } catch (error) {
      // A wrapper that has lost its engine may also answer with an error.
      await this.#verify();
      throw error;
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#timer?.[Symbol.dispose]();
    }
  }

  /** A call has waited until its deadline: the server is given up if nothing has moved in it for long. */
  async timedOut(): Promise<void> {
    this.#owesAnswer = true;
    await this.#look();
    if (!this.#options.isSettled()) return;
    const still = this.#options.clock.now() - this.#lastMoveAt;
    if (this.#cpuMs > 0 && still >= STILL_MS)
      this.#lose(`it hung: no answer and no use of the processor for ${Math.round(still / 1000)} s`);
    const silent = this.#cpuMs - (this.#lastWord?.cpuMs ?? this.#cpuMs);
    if (silent >= CIRCLING_MS)
      this.#lose(`it hung: no answer and not a word in ${Math.round(silent / 1000)} s of processor time`);
  }

  dispose(): void {
    this.#over = true;
    this.#timer?.[Symbol.dispose]();
  }

  #begin(): void {
    this.#pending += 1;
    if (this.#pending > 1 || this.#over) return;
    if (!this.#owesAnswer) {
      this.#lastMoveAt = this.#options.clock.now();
      this.#lastWord = undefined;
    }
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer = this.#options.clock.after(LOOK_EVERY_MS, () => {
      void this.#look().then(() => {
        this.#loseDead();
        if (this.#pending > 0 && !this.#over) this.#lookLater();
      });
    });
  }

  async #verify(): Promise<void> {
    if (this.#over) return;
    // The engine of a known wrapper is there before its first answer, so that one that is not there is dead.
    if (this.#options.engine && this.#engines.size === 0) {
      await this.#look();
      if (this.#engines.size === 0 && this.#cpuMs > 0) this.#lose('its engine is not running');
    }
    this.#loseDead();
    if (this.#over) throw new Error('the engine behind the server died');
  }

  #loseDead(): void {
    for (const engine of this.#engines.values()) {
      if (this.#over || this.#view.isServing(engine)) continue;
      this.#lose(`its engine died (pid ${engine.pid}, ${shortened(engine.command)})`);
    }
  }

  #lose(reason: string): void {
    if (this.#over) return;
    this.dispose();
    this.#options.lost(reason);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { pid, clock } = this.#options;
    if (this.#over || pid === undefined) return;
    // Not to know anything about processes is no reason to end one.
    const [server, ...others] = await this.#view.tree(pid).catch(() => []);
    if (!server || this.#over) return;
    const cpuMs = others.reduce((sum, each) => sum + each.cpuMs, server.cpuMs);
    // It falls, too, when a child ends, and that is a move as well.
    if (cpuMs !== this.#cpuMs) this.#lastMoveAt = clock.now();
    this.#cpuMs = cpuMs;
    const heard = this.#options.heard();
    if (this.#lastWord?.heard !== heard) this.#lastWord = { heard, cpuMs };
    for (const seen of others) if (this.#isEngine(seen, server)) this.#engines.set(seen.pid, seen);
  }

  /** Known by its command; or it was left the whole connection by a wrapper; or it works more than what started it. */
  #isEngine(seen: SeenProcess, server: SeenProcess): boolean {
    if (this.#options.engine) return this.#options.engine.test(seen.command);
    const key = `${seen.pid} ${seen.startTime}`;
    const now = this.#options.clock.now();
    const firstSeen = this.#firstSeen.get(key) ?? now;
    this.#firstSeen.set(key, firstSeen);
    if (now - firstSeen < ENGINE_AGE_MS || seen.program === '') return false;
    const hasConnection = seen.input === server.input && seen.output === server.output;
    return hasConnection || (seen.program === server.program && seen.cpuMs > server.cpuMs);
  }
}

function shortened(command: string): string {
  return command.length > 100 ? `${command.slice(0, 100)}…` : command;
}
