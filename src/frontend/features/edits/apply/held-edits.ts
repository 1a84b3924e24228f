/**
 * Edits that were computed and shown but not applied, by the id under which an agent applies them. They stay here:
 * an edit of hundreds of places need not travel through the model and back.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import type { Role } from '../../../../shared/languages/roles.ts';
import { type EditPlan, planWeight } from '../plan/edit-plan.ts';

export interface HeldEdit {
  readonly id: string;
  readonly plan: EditPlan;
  /** What it is, such as `rename a to b`. */
  readonly about: string;
  readonly hints: EffectHints;
}

/** What helps to tell which errors are of an edit's making. */
export interface EffectHints {
  /** Files that it does not touch and may break all the same. */
  readonly alsoCheck?: readonly AbsPath[];
  /** It leaves everything on its line: what is wrong there in other words is not new. */
  readonly keepsLines?: boolean;
  /** Whose word on errors counts, before and after: the project's own compiler if not said. */
  readonly judge?: Role;
}

export interface HoldLimits {
  readonly edits: number;
  /** Of all texts together. */
  readonly chars: number;
}

const LIMITS: HoldLimits = { edits: 50, chars: 64 * 1024 * 1024 };

/** Of one session. The oldest are forgotten when there are too many. */
export class HeldEdits {
  readonly #limits: HoldLimits;
  readonly #held = new Map<string, HeldEdit>();
  #count = 0;

  constructor(limits: HoldLimits = LIMITS) {
    this.#limits = limits;
  }

  hold(plan: EditPlan, about: string, hints: EffectHints = {}): HeldEdit {
    this.#count++;
    const held = { id: `e${this.#count}`, plan, about, hints };
    this.#held.set(held.id, held);
    dropOldest(this.#held, this.#limits);
    return held;
  }

  named(id: string): HeldEdit {
    const held = this.#held.get(id.trim());
    if (held) return held;
    const ids = [...this.#held.keys()];
    const wasThere = /^e\d+$/.test(id.trim()) && Number(id.trim().slice(1)) <= this.#count;
    return fail({
      kind: 'invalid-input',
      message: wasThere
        ? `edit_id ${id.trim()} is no longer held: it was applied, or newer ones have taken its place`
        : `there is no edit_id ${JSON.stringify(id)}`,
      next:
        ids.length === 0
          ? 'Compute an edit first, for example with rename_symbol'
          : `Held are ${ids.slice(-10).join(', ')}; or compute the edit again`,
    });
  }

  /** The edit, which is then no longer held. */
  take(id: string): HeldEdit {
    const held = this.named(id);
    this.#held.delete(held.id);
    return held;
  }
}

/** The newest always stays, however large it is. */
export function dropOldest(
  held: Map<string, { readonly plan: EditPlan }>,
  { edits, chars }: HoldLimits,
): void {
  let weight = [...held.values()].reduce((sum, { plan }) => sum + planWeight(plan), 0);
  for (const [id, { plan }] of held) {
    if (held.size <= 1 || (held.size <= edits && weight <= chars)) return;
    held.delete(id);
    weight -= planWeight(plan);
  }
}
