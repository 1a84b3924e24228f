/** The words about phases. */
import type { Way } from './advice.ts';
import { type PhaseState, phaseAt, type ViolationReason } from './tracker.ts';

/** `phase apply (3 of 4) of lsp-safe-edit`. */
export function phaseText({ skill, index }: PhaseState): string {
  return `phase ${phaseAt(skill, index).name} (${index + 1} of ${skill.phases.length}) of ${skill.name}`;
}

export function reasonText(state: PhaseState, tool: string, why: ViolationReason): string {
  switch (why) {
    case 'skill':
      return `${tool} is no part of ${state.skill.name}`;
    case 'phase':
      return `${tool} is not allowed in ${phaseText(state)}`;
    case 'writes':
      return `${tool} would change files, which is not allowed in ${phaseText(state)}`;
  }
}

export function wayLines({ allowed, forbidden }: Way, { skill }: PhaseState): readonly string[] {
  return [
    `phases: ${skill.phases.map(({ name }) => name).join(', ')}`,
    `for this phase: ${allowed.join(', ') || 'nothing that this session has'}`,
    `not now: ${forbidden.join(', ') || 'nothing'}`,
  ];
}
