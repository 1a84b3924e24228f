/**
 * When one broker looks after the budget of all: a moment after it became the owner, when its server has its index,
 * when it has become idle, and now and then while it is asked things. The broker that changes last sees all others, so no
 * broker has to be in charge, and where nothing happens nobody looks. Never on the path of a call.
 */
import { messageOf } from '../shared/base/failure.ts';
import type { Clock } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import {
  type BudgetEntry,
  type BudgetLimits,
  type Eviction,
  overBudget,
  sleepsIn,
  totalRss,
} from './budget.ts';
import { askToLeave, askToSleep, type Neighbour, otherBrokers } from './neighbours.ts';

export interface BudgetKeeperOptions {
  readonly stateDirectory: string;
  readonly limits: BudgetLimits;
  readonly generation: string;
  readonly clock: Clock;
  readonly log: Log;
  self(): Promise<BudgetEntry>;
  /** Leaves unless a session has come meanwhile. */
  leaveIfIdle(reason: string): void;
  /** Stops the server until the next call, unless there is one already. */
  sleepIfQuiet(reason: string): boolean;
}

/** Many sessions that come and go cause one look, and a front end that comes back at once is not overtaken. */
const SETTLE_MS = 1000;

export class BudgetKeeper {
  readonly #options: BudgetKeeperOptions;
  #next: { readonly due: number; readonly timer: Disposable } | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking = false;
  /** Servers go on growing for a while after they were asked, or have said that they are ready. */
  #isGrowing = false;
  #wasUsed = false;
  #stopped = false;

  constructor(options: BudgetKeeperOptions) {
    this.#options = options;
  }

  get limits(): BudgetLimits {
    return this.#options.limits;
  }

  /** The broker has become the owner, or its server has its index: it takes more memory than at the last look. */
  grew(): void {
    this.#isGrowing = true;
    this.#lookIn(SETTLE_MS);
  }

  /** Only a broker that has been used may find itself to be the one too many. */
  becameIdle(): void {
    this.#wasUsed = true;
    this.#lookIn(SETTLE_MS);
  }

  /** A server may grow with every answer, but slowly. */
  callEnded(): void {
    this.#isGrowing = true;
    this.#lookIn(this.#lookEveryMs - (this.#options.clock.now() - this.#lookedAt));
  }

  /** The broker that asked for it saw this one a moment ago: what holds now is looked at here. */
  async sleep(reason: string): Promise<boolean> {
    const self = await this.#options.self();
    if (this.#stopped || sleepsIn(self, this.#options.limits) !== 0) return false;
    return this.#options.sleepIfQuiet(reason);
  }

  stop(): void {
    this.#stopped = true;
    this.#next?.timer[Symbol.dispose]();
    this.#next = undefined;
  }

  get #lookEveryMs(): number {
    return this.#options.limits.sleepAfterMs / 2;
  }

  #lookIn(wantedMs: number): void {
    const { clock } = this.#options;
    const ms = Math.max(SETTLE_MS, wantedMs);
    const due = clock.now() + ms;
    if (this.#stopped || (this.#next && this.#next.due <= due)) return;
    this.#next?.timer[Symbol.dispose]();
    const timer = clock.after(ms, () => {
      this.#next = undefined;
      void this.#look();
    });
    this.#next = { due, timer };
  }

  async #look(): Promise<void> {
    // The look that is under way may have passed the broker that changed since.
    if (this.#looking) return this.#lookIn(SETTLE_MS);
    this.#looking = true;
    this.#lookedAt = this.#options.clock.now();
    if (this.#isGrowing) this.#lookIn(this.#lookEveryMs);
    this.#isGrowing = false;
    try {
      await this.#review();
    } catch (error) {
      this.#options.log.warn('could not look after the budget', { error: messageOf(error) });
    } finally {
      this.#looking = false;
    }
  }

  async #review(): Promise<void> {
    const { stateDirectory, generation, limits, log } = this.#options;
    const neighbours = await otherBrokers(stateDirectory, generation, this.#options);
    const all = [...neighbours, await this.#options.self()];
    const { evictions, lookAgainInMs } = overBudget(all, limits);
    const figures = { brokers: all.length, bytes: totalRss(all), limit: limits.maxBytes };
    log.debug('looked after the budget', { ...figures, evictions: evictions.length });
    if (lookAgainInMs !== undefined) this.#lookIn(lookAgainInMs);
    await Promise.all(
      evictions.map(({ broker, ...eviction }) => {
        const neighbour = neighbours.find((each) => each === broker);
        return neighbour ? this.#evict(neighbour, eviction) : this.#give(eviction);
      }),
    );
  }

  async #evict(neighbour: Neighbour, { how, reason }: Omit<Eviction<Neighbour>, 'broker'>): Promise<void> {
    if (this.#stopped) return;
    const { log } = this.#options;
    const { directory } = neighbour;
    try {
      const asking = how === 'leave' ? askToLeave : askToSleep;
      const outcome = await asking(neighbour, reason, this.#options);
      log.info('a neighbour is over the budget', { directory, how, reason, outcome });
    } catch (error) {
      log.debug('a neighbour could not be asked', { directory, how, error: messageOf(error) });
    }
  }

  async #give({ how, reason }: Omit<Eviction<BudgetEntry>, 'broker'>): Promise<void> {
    if (this.#stopped) return;
    if (how === 'sleep') await this.sleep(reason);
    else if (this.#wasUsed) this.#options.leaveIfIdle(reason);
  }
}
