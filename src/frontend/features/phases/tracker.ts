/**
 * Where an agent is in a skill, and whether a call is in order there. Values only: what follows from a call is a new state.
 * Phases go forwards alone. A call that belongs to a later phase leads there once it has succeeded, past phases that are not
 * required; what changes no file and belongs to no phase is in order everywhere.
 * Decision: docs/decisions/phases.md#phases-that-can-be-completed
 */
import type { Patterns, SkillPhase, SkillPhases } from './skills.ts';

/** A tool that changes files may only show what it would change. */
export type CallDeed = 'reads' | 'shows' | 'writes';

export interface TrackedCall {
  readonly tool: string;
  readonly deed: CallDeed;
}

export interface PhaseState {
  readonly skill: SkillPhases;
  /** Of the current phase. */
  readonly index: number;
  /** What the current phase is for has been done. */
  readonly isDone: boolean;
}

export type Verdict =
  /** `to` is the phase in which the call will have been made. */
  | { readonly kind: 'in-order'; readonly to: number }
  /** `where`: the phase that the call belongs to; undefined when it is out of place in the whole skill. */
  | { readonly kind: 'violation'; readonly why: ViolationReason; readonly where: number | undefined };

/** `skill`: no phase has it; `phase`: the current one names it; `writes`: the current one changes no file so. */
export type ViolationReason = 'skill' | 'phase' | 'writes';

export function begin(skill: SkillPhases): PhaseState {
  return { skill, index: 0, isDone: false };
}

export function judgeCall(state: PhaseState, call: TrackedCall): Verdict {
  const { skill, index } = state;
  if (isNamed(skill.forbidden, call.tool)) return { kind: 'violation', why: 'skill', where: undefined };
  const current = phaseAt(skill, index);
  const why = objection(current, call);
  if (why !== undefined) {
    const next = skill.phases[index + 1];
    if (next && state.isDone && leadsTo(next, call)) return { kind: 'in-order', to: index + 1 };
    return { kind: 'violation', why, where: placeOf(skill, index, call) };
  }
  return { kind: 'in-order', to: belongsTo(current, call) ? index : (laterPhase(state, call) ?? index) };
}

/** After a call that was in order and has succeeded. Another call may have led further meanwhile. */
export function afterCall(state: PhaseState, call: TrackedCall, to: number): PhaseState {
  const index = Math.max(state.index, to);
  const hasDone = index === to && isNamed(phaseAt(state.skill, to).doneBy ?? [], call.tool);
  return { ...state, index, isDone: hasDone || (index === state.index && state.isDone) };
}

export function phaseAt({ phases }: SkillPhases, index: number): SkillPhase {
  return phases[index] ?? phases[0];
}

export function isNamed(patterns: Patterns, tool: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern,
  );
}

function objection(phase: SkillPhase, call: TrackedCall): ViolationReason | undefined {
  if (isNamed(phase.forbidden, call.tool)) return 'phase';
  return call.deed === 'writes' && !mayWrite(phase, call.tool) ? 'writes' : undefined;
}

function mayWrite(phase: SkillPhase, tool: string): boolean {
  return phase.writes === 'all' || (phase.writes === 'named' && isNamed(phase.allowed, tool));
}

function belongsTo(phase: SkillPhase, call: TrackedCall): boolean {
  if (objection(phase, call) !== undefined) return false;
  return call.deed === 'writes' || isNamed(phase.allowed, call.tool);
}

/** To show an edit is not yet to begin with making it. */
function leadsTo(phase: SkillPhase, call: TrackedCall): boolean {
  return belongsTo(phase, call) && (call.deed !== 'shows' || phase.writes === 'none');
}

function laterPhase({ skill, index, isDone }: PhaseState, call: TrackedCall): number | undefined {
  let isOpen = isDone || !phaseAt(skill, index).isRequired;
  for (let later = index + 1; isOpen && later < skill.phases.length; later++) {
    const phase = phaseAt(skill, later);
    if (leadsTo(phase, call)) return later;
    isOpen = !phase.isRequired;
  }
  return undefined;
}

/** The next phase that the call belongs to, or else the last that is over. */
function placeOf({ phases }: SkillPhases, index: number, call: TrackedCall): number | undefined {
  const fitting = phases.flatMap((phase, place) => (belongsTo(phase, call) ? [place] : []));
  return fitting.find((place) => place > index) ?? fitting.findLast((place) => place < index);
}
