/** The tools about skills whose phases are kept. No phase ever refuses them. */
import { z } from 'zod';
import { fail } from '../../../shared/base/failure.ts';
import { didYouMean } from '../../../shared/base/near-names.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { number } from '../../tools/shapes.ts';
import { nextStep, wayOf } from './advice.ts';
import { ActiveSkill, activeSkill, MODES, setActiveSkill } from './guard.ts';
import { SKILLS_WITH_PHASES, type SkillPhases } from './skills.ts';
import { phaseText, wayLines } from './text.ts';
import { phaseAt } from './tracker.ts';

const names = z.array(z.string());
const skillNames = SKILLS_WITH_PHASES.map(({ name }) => name);
const mode = z.enum(MODES);
const way = { allowed_tools: names, forbidden_tools: names };

export const phaseTools = [
  defineTool({
    name: 'activate_skill',
    title: 'Activate skill',
    description: 'Keeps calls in the order of the phases of a skill until it is left.',
    effect: 'read',
    changesSession: true,
    input: () =>
      z.strictObject({
        skill_name: z.string().min(1).describe(skillNames.join(', ')),
        mode: mode.optional().describe('On a call out of order; default warn'),
      }),
    output: () =>
      z.strictObject({
        status: z.string(),
        skill: z.string(),
        mode,
        current_phase: z.string(),
        total_phases: number,
        ...way,
      }),
    run: async (input, context) => {
      const active = new ActiveSkill(newSkill(input.skill_name, context), input.mode ?? 'warn');
      setActiveSkill(context, active);
      const { skill } = active.state;
      const target = `${skill.name}: ${phaseAt(skill, 0).name}`;
      context.audit.note({ edit: { mode: 'phase_enforcement', target } });
      const tools = wayOf(active.state, context.tools);
      return {
        text: [
          `activated (${active.mode}): ${phaseText(active.state)}`,
          ...wayLines(tools, active.state),
        ].join('\n'),
        data: {
          status: 'activated',
          skill: skill.name,
          mode: active.mode,
          current_phase: phaseAt(skill, 0).name,
          total_phases: skill.phases.length,
          allowed_tools: [...tools.allowed],
          forbidden_tools: [...tools.forbidden],
        },
        hint: nextStep(active.state, context.tools),
      };
    },
  }),

  defineTool({
    name: 'deactivate_skill',
    title: 'Deactivate skill',
    description: 'Leaves the active skill; calls are free again.',
    effect: 'read',
    changesSession: true,
    input: () => z.strictObject({}),
    output: () => z.strictObject({ status: z.string() }),
    run: async (_input, context) => {
      const active = activeSkill(context);
      setActiveSkill(context, undefined);
      const target =
        active && `${active.state.skill.name}: ${phaseAt(active.state.skill, active.state.index).name}`;
      context.audit.note({ edit: { mode: 'phase_enforcement', target } });
      return {
        text: active ? `deactivated in ${phaseText(active.state)}` : 'deactivated: no skill was active',
        data: { status: 'deactivated' },
      };
    },
  }),

  defineTool({
    name: 'get_skill_phase',
    title: 'Get skill phase',
    description: 'The active skill, its phase, and what is allowed in it.',
    effect: 'read',
    input: () => z.strictObject({}),
    output: () =>
      z.strictObject({
        active: z.boolean(),
        available_skills: names.optional(),
        /** From here on only of an active one. */
        skill_name: z.string().optional(),
        current_phase: z.string().optional(),
        /** From 0. */
        phase_index: number.optional(),
        total_phases: number.optional(),
        mode: mode.optional(),
        allowed_tools: names.optional(),
        forbidden_tools: names.optional(),
        tool_history: names.optional(),
      }),
    run: async (_input, context) => {
      const active = activeSkill(context);
      if (!active) {
        const text = `no skill is active; activate_skill takes ${skillNames.join(', ')}`;
        return { text, data: { active: false, available_skills: [...skillNames] } };
      }
      const { state, history } = active;
      const tools = wayOf(state, context.tools);
      return {
        text: [
          `${phaseText(state)} (${active.mode})`,
          ...wayLines(tools, state),
          `called so far: ${history.join(', ') || 'nothing'}`,
        ].join('\n'),
        data: {
          active: true,
          skill_name: state.skill.name,
          current_phase: phaseAt(state.skill, state.index).name,
          phase_index: state.index,
          total_phases: state.skill.phases.length,
          mode: active.mode,
          allowed_tools: [...tools.allowed],
          forbidden_tools: [...tools.forbidden],
          tool_history: [...history],
        },
        hint: nextStep(state, context.tools),
      };
    },
  }),
];

/** One skill at a time. */
function newSkill(name: string, context: ToolContext): SkillPhases {
  const active = activeSkill(context);
  if (active)
    fail({
      kind: 'invalid-input',
      message: `${active.state.skill.name} is already active, in ${phaseText(active.state)}`,
      next: 'Go on with it, or call deactivate_skill first',
    });
  const skill = SKILLS_WITH_PHASES.find((known) => known.name === name);
  return (
    skill ??
    fail({
      kind: 'invalid-input',
      message: `unknown skill ${JSON.stringify(name)}${didYouMean(name, skillNames)}`,
      next: `Skills with phases are ${skillNames.join(', ')}`,
    })
  );
}
