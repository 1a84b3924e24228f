/**
 * One speculative session: texts that differ from the disk, and how far it has come with them. It lives here alone:
 * a server sees its texts only while they are evaluated, so that a session which is forgotten leaves nothing behind.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { type Failure, fail, failureOf } from '../../../shared/base/failure.ts';
import { problemOf } from '../../render/failure.ts';
import type { BaseText } from '../edits/plan/edit-plan.ts';

/** A text to be tried out, and what it was made from; null where there is no such file. */
export interface TriedText {
  readonly path: AbsPath;
  readonly base: BaseText | null;
  readonly text: string;
}

export interface SimulatedFile extends TriedText {
  /** Counts the edits of this file. */
  readonly version: number;
}

export type SimulationState =
  | {
      readonly kind:
        | 'created'
        | 'mutated'
        | 'evaluating'
        | 'evaluated'
        | 'committed'
        | 'discarded'
        | 'destroyed';
    }
  /** A server or the disk failed it: what is known of its texts can no longer be relied on. */
  | { readonly kind: 'dirty'; readonly reason: string };

export interface SimulationOptions {
  readonly id: string;
  /** Relative paths start here. */
  readonly root: AbsPath;
  /** For files whose name does not tell. */
  readonly language: string | undefined;
}

export class SimulationSession {
  readonly id: string;
  readonly root: AbsPath;
  readonly language: string | undefined;
  #state: SimulationState = { kind: 'created' };
  #files = new Map<AbsPath, SimulatedFile>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ id, root, language }: SimulationOptions) {
    this.id = id;
    this.root = root;
    this.language = language;
  }

  get state(): SimulationState {
    return this.#state;
  }

  get files(): readonly SimulatedFile[] {
    return [...this.#files.values()];
  }

  /** Nothing can be done with it any more, except to forget it. */
  get isOver(): boolean {
    return ['committed', 'discarded', 'destroyed'].includes(this.#state.kind);
  }

  /** Characters that it keeps in memory. */
  get weight(): number {
    return this.files.reduce((sum, file) => sum + triedWeight(file), 0);
  }

  fileAt(path: AbsPath): SimulatedFile | undefined {
    return this.#files.get(path);
  }

  /** Calls of one session go one after the other, so that each finds the texts as the one before has left them. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => {
      if (signal.aborted) fail({ kind: 'cancelled' });
      return work();
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Fails unless edits are possible. */
  checkEditable(): void {
    this.#require(['created', 'mutated', 'evaluated'], 'edited');
  }

  /** Takes all of these texts, each in place of what it had of the same file. */
  put(files: readonly SimulatedFile[]): void {
    this.checkEditable();
    for (const file of files) this.#files.set(file.path, file);
    this.#state = { kind: 'mutated' };
  }

  /** What fails for a reason of its own (cancelled, too late, not possible here) may be tried again. */
  async evaluate<T>(work: () => Promise<T>): Promise<T> {
    this.#require(['mutated', 'evaluated'], 'evaluated');
    const before = this.#state;
    this.#state = { kind: 'evaluating' };
    try {
      const result = await work();
      this.#state = { kind: 'evaluated' };
      return result;
    } catch (error) {
      this.#state = dirtiedBy(error) ?? before;
      throw error;
    }
  }

  /** `work` says whether the session has ended with it. */
  async commit<T extends { readonly isOver: boolean }>(work: () => Promise<T>): Promise<T> {
    this.#require(['mutated', 'evaluated'], 'committed');
    try {
      const result = await work();
      if (result.isOver) this.#end('committed');
      return result;
    } catch (error) {
      this.#state = dirtiedBy(error) ?? this.#state;
      throw error;
    }
  }

  discard(): void {
    this.#require(['created', 'mutated', 'evaluating', 'evaluated', 'dirty'], 'discarded');
    this.#end('discarded');
  }

  destroy(): void {
    this.#end('destroyed');
  }

  #end(kind: 'committed' | 'discarded' | 'destroyed'): void {
    this.#state = { kind };
    this.#files = new Map();
  }

  #require(allowed: readonly SimulationState['kind'][], what: string): void {
    const state = this.#state;
    if (allowed.includes(state.kind)) return;
    const why = state.kind === 'dirty' ? `dirty (${state.reason})` : state.kind;
    fail({
      kind: 'invalid-input',
      message: `session ${this.id} cannot be ${what}: it is ${why}`,
      next: NEXT[state.kind],
    });
  }
}

export function triedWeight({ base, text }: TriedText): number {
  return (base?.text.length ?? 0) + text.length;
}

const NEXT: Readonly<Record<SimulationState['kind'], string>> = {
  created: 'Give it an edit first, with simulate_edit',
  mutated: 'Call evaluate_session',
  evaluating: 'Wait for the evaluation',
  evaluated: 'Call commit_session or discard_session',
  committed: 'Begin a new one with create_simulation_session',
  discarded: 'Begin a new one with create_simulation_session',
  destroyed: 'Begin a new one with create_simulation_session',
  dirty: 'Call discard_session and begin a new one from the files as they are now',
};

const DIRTYING: ReadonlySet<Failure['kind']> = new Set([
  'server-crashed',
  'server-failed',
  'server-error',
  'connection-lost',
  'base-changed',
  'no-such-file',
  'not-a-text-file',
  'edit-not-applied',
]);

function dirtiedBy(error: unknown): SimulationState | undefined {
  const failure = failureOf(error);
  if (!failure || !DIRTYING.has(failure.kind)) return undefined;
  return { kind: 'dirty', reason: problemOf(failure) };
}
