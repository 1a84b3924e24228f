/**
 * What a session knows of edits: which wait to be applied, which can be undone, and where it may write. Applying goes
 * one at a time, so that two calls of one agent do not find each other in the way.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { messageOf } from '../../shared/base/failure.ts';
import type { Log } from '../../shared/base/log.ts';
import { AppliedEdits, type UndoRecord } from './applied-edits.ts';
import { type AppliedEdit, applyPlan } from './apply-plan.ts';
import type { EditDisk } from './edit-disk.ts';
import type { EditPlan } from './edit-plan.ts';
import { type EffectHints, type HeldEdit, HeldEdits } from './held-edits.ts';
import { type Recovery, recoverEdits } from './recover-edits.ts';
import type { WriteBoundary } from './write-boundary.ts';

export interface SessionEditsDeps {
  readonly boundary: WriteBoundary;
  readonly stateDir: AbsPath;
  readonly log: Log;
  readonly disk?: EditDisk;
}

export interface AppliedUnderId extends AppliedEdit {
  readonly id: string;
  readonly undoable: boolean;
}

export class SessionEdits {
  readonly boundary: WriteBoundary;
  readonly held = new HeldEdits();
  readonly #deps: SessionEditsDeps;
  readonly #applied = new AppliedEdits();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: SessionEditsDeps) {
    this.#deps = deps;
    this.boundary = deps.boundary;
  }

  hold(plan: EditPlan, about: string, hints?: EffectHints): HeldEdit {
    return this.held.hold(plan, about, hints);
  }

  /** By id. A failed edit stays held: what was in the way may be put right. */
  async apply(id: string, signal?: AbortSignal): Promise<AppliedUnderId> {
    const held = this.held.named(id);
    const applied = await this.#inTurn(held.plan, signal);
    this.held.take(id);
    const undoable = this.#applied.remember(held, applied);
    return { ...applied, id: held.id, undoable };
  }

  /** Without showing it first; it gets an id all the same, so that it can be undone. */
  applyNow(edit: Omit<HeldEdit, 'id'>, signal?: AbortSignal): Promise<AppliedUnderId> {
    return this.apply(this.hold(edit.plan, edit.about, edit.hints).id, signal);
  }

  /** What would take an applied edit back. */
  undoOf(id: string): UndoRecord {
    return this.#applied.named(id);
  }

  /** What would take each applied edit back, the last one first. */
  undoable(): readonly UndoRecord[] {
    return this.#applied.all();
  }

  /** Fails with `base-changed` when one of its files is no longer what the edit made of it. */
  async undo(id: string, signal?: AbortSignal): Promise<AppliedUnderId> {
    const record = this.#applied.named(id);
    const undone = await this.#inTurn(record.plan, signal);
    this.#applied.forget(record.id);
    return { ...undone, id: record.id, undoable: false };
  }

  /** Deals with what killed processes have left; what comes of it is logged, because nobody has asked. */
  async recover(): Promise<readonly Recovery[]> {
    const { stateDir, log } = this.#deps;
    try {
      const recoveries = await recoverEdits(stateDir);
      for (const recovery of recoveries) log.warn('unfinished edit', { ...recovery });
      return recoveries;
    } catch (error) {
      log.warn('unfinished edits cannot be looked for', { error: messageOf(error) });
      return [];
    }
  }

  #inTurn(plan: EditPlan, signal: AbortSignal | undefined): Promise<AppliedEdit> {
    const { boundary, stateDir, disk } = this.#deps;
    const options = { boundary, stateDir, ...(signal ? { signal } : {}), ...(disk ? { disk } : {}) };
    const applied = this.#turn.then(() => applyPlan(plan, options));
    this.#turn = applied.catch(() => {});
    return applied;
  }
}
