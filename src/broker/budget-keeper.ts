/**
 * When one broker looks after the budget of all: a moment after it became the owner and whenever it has become idle.
 * The last broker to become idle sees all others idle, so nobody has to be in charge. Never on the path of a call.
 */
import { messageOf } from '../shared/base/failure.ts';
import type { Clock } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import { type BudgetEntry, type BudgetLimits, overBudget } from './budget.ts';
import { askToLeave, lookAround, type Neighbour } from './neighbours.ts';

export interface BudgetKeeperOptions {
  readonly stateDirectory: string;
  readonly limits: BudgetLimits;
  readonly generation: string;
  readonly clock: Clock;
  readonly log: Log;
  self(): Promise<BudgetEntry>;
  /** Leaves unless somebody has come meanwhile. */
  leaveIfIdle(reason: string): void;
}

/** Many sessions that come and go cause one look, and a front end that comes back at once is not overtaken. */
const SETTLE_MS = 1000;

export class BudgetKeeper {
  readonly #options: BudgetKeeperOptions;
  #timer: Disposable | undefined;
  #looking = false;
  #wasUsed = false;
  #stopped = false;

  constructor(options: BudgetKeeperOptions) {
    this.#options = options;
  }

  becameOwner(): void {
    this.#lookSoon();
  }

  /** Only a broker that has been used may find itself to be the one too many. */
  becameIdle(): void {
    this.#wasUsed = true;
    this.#lookSoon();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#timer ??= this.#options.clock.after(SETTLE_MS, () => {
      this.#timer = undefined;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    // The look that is under way may have passed the broker that changed since.
    if (this.#looking) return this.#lookSoon();
    this.#looking = true;
    try {
      await this.#review();
    } catch (error) {
      this.#options.log.warn('could not look after the budget', { error: messageOf(error) });
    } finally {
      this.#looking = false;
    }
  }

  async #review(): Promise<void> {
    const { stateDirectory, generation, limits } = this.#options;
    const neighbours = await lookAround(stateDirectory, generation, this.#options);
    const self = await this.#options.self();
    const leaving = overBudget([...neighbours, self], limits).map(({ broker, reason }) => {
      const neighbour = neighbours.find((each) => each === broker);
      return neighbour ? this.#evict(neighbour, reason) : this.#leave(reason);
    });
    await Promise.all(leaving);
  }

  async #evict(neighbour: Neighbour, reason: string): Promise<void> {
    if (this.#stopped) return;
    const { log } = this.#options;
    const { directory } = neighbour;
    try {
      const outcome = await askToLeave(neighbour, reason, this.#options);
      log.info('an idle neighbour is over the budget', { directory, reason, outcome });
    } catch (error) {
      log.debug('a neighbour could not be asked to leave', { directory, error: messageOf(error) });
    }
  }

  #leave(reason: string): void {
    if (this.#wasUsed && !this.#stopped) this.#options.leaveIfIdle(reason);
  }
}
