/**
 * What a session knows of edits: which wait to be applied, which can be undone, and where it may write. Applying goes
 * one at a time, so that two calls of one agent do not find each other in the way.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { FailureError, failureOf, type KeptText, messageOf } from '../../../../shared/base/failure.ts';
import { type Clock, systemClock } from '../../../../shared/base/lifetime.ts';
import type { Log } from '../../../../shared/base/log.ts';
import { sessionPart } from '../../../tools/session-state.ts';
import type { EditPlan } from '../plan/edit-plan.ts';
import { boundaryOf, type WriteBoundary } from '../plan/write-boundary.ts';
import { AppliedEdits, type UndoRecord } from './applied-edits.ts';
import { type AppliedEdit, applyPlan } from './apply-plan.ts';
import { DisplacedFiles } from './displaced-files.ts';
import { type EditDisk, systemDisk } from './edit-disk.ts';
import { type EffectHints, type HeldEdit, HeldEdits } from './held-edits.ts';
import { type Recovery, recoverEdits } from './recover-edits.ts';

export interface SessionEditsDeps {
  readonly boundary: WriteBoundary;
  readonly stateDir: AbsPath;
  readonly log: Log;
  readonly disk?: EditDisk;
  readonly clock?: Clock;
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
  readonly #displaced: DisplacedFiles;
  #untold: readonly KeptText[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: SessionEditsDeps) {
    this.#deps = deps;
    this.boundary = deps.boundary;
    const { stateDir, disk = systemDisk, clock = systemClock } = deps;
    this.#displaced = new DisplacedFiles({ stateDir, disk, clock });
  }

  hold(plan: EditPlan, about: string, hints?: EffectHints): HeldEdit {
    return this.held.hold(plan, about, hints);
  }

  /** By id. A failed edit stays held: what was in the way may be put right. */
  async apply(id: string, signal?: AbortSignal): Promise<AppliedUnderId> {
    const held = this.held.named(id);
    const applied = await this.#inTurn(held.plan, `${held.id}: ${held.about}`, signal);
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
    const undone = await this.#inTurn(record.plan, `undo ${record.id}: ${record.about}`, signal);
    this.#applied.forget(record.id);
    return { ...undone, id: record.id, undoable: false };
  }

  /** Deals with what killed processes have left; what comes of it is logged, because nobody has asked. */
  async recover(): Promise<readonly Recovery[]> {
    const { stateDir, log } = this.#deps;
    try {
      const recoveries = await recoverEdits(stateDir);
      for (const recovery of recoveries) log.warn('unfinished edit', { ...recovery });
      this.#tellLater(keptBy(recoveries));
      return recoveries;
    } catch (error) {
      log.warn('unfinished edits cannot be looked for', { error: messageOf(error) });
      return [];
    }
  }

  /** Texts of others that were kept and that no answer has named yet; each is given once. */
  async takeUntold(): Promise<readonly KeptText[]> {
    const late = await this.#displaced.look();
    const untold = [...this.#untold, ...late];
    this.#untold = [];
    return untold;
  }

  /** Looks once more for what others wrote; what is found is logged, because there is no answer any more. */
  async close(): Promise<void> {
    await this.#lookOnceMore();
    this.#displaced.close();
  }

  #inTurn(plan: EditPlan, about: string, signal: AbortSignal | undefined): Promise<AppliedEdit> {
    const applied = this.#turn.then(() => this.#apply(plan, about, signal));
    this.#turn = applied.catch(() => {});
    return applied;
  }

  async #apply(plan: EditPlan, about: string, signal: AbortSignal | undefined): Promise<AppliedEdit> {
    const { boundary, stateDir, disk } = this.#deps;
    try {
      const applied = await applyPlan(plan, {
        boundary,
        stateDir,
        about,
        ...(signal ? { signal } : {}),
        ...(disk ? { disk } : {}),
        onDisplaced: (files) => this.#displaced.add(files, () => void this.#lookOnceMore()),
      });
      this.#tellLater([...keptBy(applied.recovered), ...applied.kept]);
      return applied;
    } catch (error) {
      throw await this.#tellingKept(error);
    }
  }

  /** A failure is an answer as well, and may be the last one. */
  async #tellingKept(error: unknown): Promise<unknown> {
    const failure = failureOf(error);
    if (failure?.kind !== 'base-changed' && failure?.kind !== 'edit-not-applied') return error;
    const { left = { state: 'untouched' } } = failure;
    const kept = [...(left.kept ?? []), ...(await this.takeUntold())];
    if (kept.length === 0) return error;
    return new FailureError({ ...failure, left: { ...left, kept } }, { cause: error });
  }

  async #lookOnceMore(): Promise<void> {
    const late = await this.#displaced.look();
    for (const text of late)
      this.#deps.log.warn('others wrote to a file that was just replaced', { ...text });
    this.#tellLater(late);
  }

  #tellLater(kept: readonly KeptText[]): void {
    this.#untold = [...this.#untold, ...kept];
  }
}

/** Folders that come later may be read; what may be written is said when the session begins. */
export const editsOf = sessionPart(
  ({ config, roots, log, clock }) =>
    new SessionEdits({ boundary: boundaryOf(roots.all, config), stateDir: config.stateDir, log, clock }),
);

function keptBy(recoveries: readonly Recovery[]): readonly KeptText[] {
  return recoveries.flatMap((recovery) => (recovery.kind === 'failed' ? [] : recovery.kept));
}
