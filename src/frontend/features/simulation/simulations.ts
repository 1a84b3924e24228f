/** The speculative sessions of a front end. Texts take memory, so their number and size have a limit. */
import { randomBytes } from 'node:crypto';
import { fail } from '../../../shared/base/failure.ts';
import { sessionPart } from '../../tools/session-state.ts';
import { type SimulationOptions, SimulationSession } from './session.ts';

export interface SimulationLimits {
  readonly sessions: number;
  readonly chars: number;
}

const LIMITS: SimulationLimits = { sessions: 256, chars: 64 * 1024 * 1024 };

export class Simulations {
  readonly #sessions = new Map<string, SimulationSession>();
  readonly #limits: SimulationLimits;

  constructor(limits: SimulationLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Those that are over make room, oldest first; fails when all are still in use. */
  create(options: Omit<SimulationOptions, 'id'>): SimulationSession {
    const over = [...this.#sessions.values()].find(({ isOver }) => isOver);
    if (this.#isFull && over) this.#sessions.delete(over.id);
    if (this.#isFull)
      fail({
        kind: 'invalid-input',
        message: `there are ${this.#sessions.size} speculative sessions already`,
        next: `Call destroy_session for those that are no longer needed; the oldest is ${this.#sessions.keys().next().value}`,
      });
    const session = new SimulationSession({ ...options, id: randomBytes(16).toString('hex') });
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Fails when all sessions together would keep more than there is room for. */
  checkRoom(more: number): void {
    const used = [...this.#sessions.values()].reduce((sum, { weight }) => sum + weight, 0);
    if (used + more > this.#limits.chars)
      fail({
        kind: 'invalid-input',
        message: 'the texts of all speculative sessions together are too large',
        next: 'Call destroy_session for those that are no longer needed',
      });
  }

  named(id: string): SimulationSession {
    return (
      this.#sessions.get(id.trim()) ??
      fail({
        kind: 'invalid-input',
        message: `there is no session ${JSON.stringify(id)}; it was destroyed, or belongs to another front end`,
        next: 'Begin a new one with create_simulation_session',
      })
    );
  }

  /** False when there was none of this name. */
  destroy(id: string): boolean {
    const session = this.#sessions.get(id.trim());
    session?.destroy();
    return this.#sessions.delete(id.trim());
  }

  get #isFull(): boolean {
    return this.#sessions.size >= this.#limits.sessions;
  }
}

export const simulationsOf = sessionPart(() => new Simulations());
