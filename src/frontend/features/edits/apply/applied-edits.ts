/** Edits that were applied and can be undone, as long as nobody has changed the files since. */
import { fail } from '../../../../shared/base/failure.ts';
import { baseText, type EditPlan, type PlannedChange } from '../plan/edit-plan.ts';
import type { AppliedEdit } from './apply-plan.ts';
import { dropOldest, type HeldEdit, type HoldLimits } from './held-edits.ts';

export interface UndoRecord {
  readonly id: string;
  readonly about: string;
  /** What takes the edit back; applied like any other plan, with every file checked. */
  readonly plan: EditPlan;
  /** What the edit may have broken without touching it may be whole again. */
  readonly hints: HeldEdit['hints'];
}

const LIMITS: HoldLimits = { edits: 20, chars: 64 * 1024 * 1024 };

/** Of one session, bounded; an edit keeps the id under which it was held. */
export class AppliedEdits {
  readonly #records = new Map<string, UndoRecord>();
  readonly #limits: HoldLimits;

  constructor(limits: HoldLimits = LIMITS) {
    this.#limits = limits;
  }

  /** False when the edit cannot be undone, because a file that is no text was deleted. */
  remember({ id, about, hints }: Omit<HeldEdit, 'plan'>, { plan }: Pick<AppliedEdit, 'plan'>): boolean {
    const inverse = inverseOf(plan);
    if (!inverse) return false;
    this.#records.set(id, { id, about, plan: inverse, hints });
    dropOldest(this.#records, this.#limits);
    return true;
  }

  named(id: string): UndoRecord {
    const record = this.#records.get(id.trim());
    if (record) return record;
    const ids = [...this.#records.keys()];
    return fail({
      kind: 'invalid-input',
      message: `no applied edit ${JSON.stringify(id)} can be undone`,
      next:
        ids.length === 0
          ? 'Nothing was applied in this session; use git to go further back'
          : `Can be undone: ${ids.join(', ')}`,
    });
  }

  /** The last one first. */
  all(): readonly UndoRecord[] {
    return [...this.#records.values()].toReversed();
  }

  forget(id: string): void {
    this.#records.delete(id);
  }
}

/** Undefined when something of the plan cannot be taken back. */
function inverseOf(plan: EditPlan): EditPlan | undefined {
  const files: PlannedChange[] = [];
  for (const file of plan.files) {
    const inverse = inverseChange(file);
    if (!inverse) return undefined;
    files.push(inverse);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { made, dropped } = plan.directories;
  return {
    files,
    directories: { made: dropped.toReversed(), dropped: made.toReversed() },
    confirmations: [],
    leftOut: [],
  };
}

/** A new file had the mode that the system gave it; undoing only removes it. */
const NEW_FILE = { bom: false, mode: 0o644 };

function inverseChange(file: PlannedChange): PlannedChange | undefined {
  const { places } = file;
  switch (file.kind) {
    case 'change': {
      const { path, before, after } = file;
      return { kind: 'change', path, before: baseText(after, before), after: before.text, places };
    }
    case 'create':
      return { kind: 'delete', path: file.path, before: baseText(file.after, file.like ?? NEW_FILE), places };
    case 'delete': {
      const { path, before } = file;
      if (before.hash === null) return undefined;
      return { kind: 'create', path, after: before.text, like: before, places };
    }
    case 'rename': {
      const { path, newPath, before, after } = file;
      if (after === null || before.hash === null)
        return { kind: 'rename', path: newPath, newPath: path, before, after: null, places };
      const moved = baseText(after, before);
      return { kind: 'rename', path: newPath, newPath: path, before: moved, after: before.text, places };
    }
  }
}
