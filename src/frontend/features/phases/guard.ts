/** The skill of a session, while it is in one: judges each call before anything else looks at it, and goes on with what succeeded. */
import { fail } from '../../../shared/base/failure.ts';
import { isObject } from '../../../shared/base/unknown-value.ts';
import type { Outcome } from '../../render/answer.ts';
import type { CallGuard, CallToGuard, GuardEvent, GuardedCall } from '../../tools/call-guard.ts';
import { callGuard } from '../../tools/call-guard.ts';
import type { ToolContext } from '../../tools/context.ts';
import { sessionPart } from '../../tools/session-state.ts';
import { deedOf, recoveryFrom } from './advice.ts';
import { PHASE_TOOLS, type SkillPhases } from './skills.ts';
import { phaseText, reasonText } from './text.ts';
import {
  afterCall,
  begin,
  isNamed,
  judgeCall,
  type PhaseState,
  phaseAt,
  type TrackedCall,
} from './tracker.ts';

export const MODES = ['warn', 'block'] as const;
export type Mode = (typeof MODES)[number];

/** Enough to see how a phase came about; a session may last for days. */
const MOST_HISTORY = 100;

/** A skill from its activation to its end. A call that outlives it changes nothing any more. */
export class ActiveSkill implements CallGuard {
  readonly mode: Mode;
  readonly #history: string[] = [];
  #state: PhaseState;

  constructor(skill: SkillPhases, mode: Mode) {
    this.#state = begin(skill);
    this.mode = mode;
  }

  get state(): PhaseState {
    return this.#state;
  }

  /** The tools called since, the last at the end, those too that were refused or failed. */
  get history(): readonly string[] {
    return this.#history;
  }

  begin({ tool, args, tools }: CallToGuard): GuardedCall {
    if (isNamed(PHASE_TOOLS, tool.name)) return UNGUARDED;
    this.#history.push(tool.name);
    if (this.#history.length > MOST_HISTORY) this.#history.shift();
    const call: TrackedCall = { tool: tool.name, deed: deedOf(tool, args) };
    const verdict = judgeCall(this.#state, call);
    if (verdict.kind === 'in-order') return this.#inOrder(call, verdict.to);
    const reason = reasonText(this.#state, tool.name, verdict.why);
    const recovery = recoveryFrom(this.#state, tool.name, verdict.where, tools);
    return this.#outOfOrder(tool.name, reason, recovery);
  }

  #inOrder(call: TrackedCall, to: number): GuardedCall {
    const events: GuardEvent[] = [];
    return {
      permit: () => {},
      events,
      answered: (outcome) => {
        if (!hasHappened(outcome, call)) return [];
        const before = this.#state;
        this.#state = afterCall(before, call, to);
        if (this.#state.index === before.index) return [];
        const { skill } = before;
        const from = phaseAt(skill, before.index).name;
        const target = `${skill.name}: ${from} -> ${phaseAt(skill, this.#state.index).name}`;
        events.push({ name: 'phase_advance', target });
        return [`now in ${phaseText(this.#state)}`];
      },
    };
  }

  #outOfOrder(tool: string, reason: string, recovery: string): GuardedCall {
    const { skill, index } = this.#state;
    const { name: phase } = phaseAt(skill, index);
    const isBlocked = this.mode === 'block';
    return {
      events: [{ name: 'phase_violation', target: `${skill.name}: ${phase}: ${tool}`, reason }],
      permit: () => {
        if (!isBlocked) return;
        fail({ kind: 'phase-violation', tool, skill: skill.name, phase, reason, recovery });
      },
      answered: () => [`phase violation: ${reason}. ${recovery}`],
    };
  }
}

const UNGUARDED: GuardedCall = { permit: () => {}, answered: () => [], events: [] };

/** Nothing was done where several places fit, and nothing written where a change was only shown. */
function hasHappened(outcome: Outcome, { deed }: TrackedCall): boolean {
  if ('candidates' in outcome) return false;
  return deed !== 'writes' || !isObject(outcome.data) || outcome.data.applied !== false;
}

interface SkillPost {
  active: ActiveSkill | undefined;
}

const skillPost = sessionPart((): SkillPost => ({ active: undefined }));

export function activeSkill(context: Pick<ToolContext, 'state'>): ActiveSkill | undefined {
  return skillPost(context).active;
}

export function setActiveSkill(context: Pick<ToolContext, 'state'>, active: ActiveSkill | undefined): void {
  skillPost(context).active = active;
  callGuard(context).current = active;
}
