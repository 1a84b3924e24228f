/** What an agent can do in a phase, and how it gets on from a call that was out of order, as tools that its session has. */
import type { Effect } from '../../access/effect.ts';
import { type Patterns, PHASE_TOOLS, type SkillPhase } from './skills.ts';
import { type CallDeed, isNamed, judgeCall, type PhaseState, phaseAt, type Verdict } from './tracker.ts';

/** A tool of the session, as far as phases are concerned. */
export interface PhasedTool {
  readonly name: string;
  readonly effect: Effect;
}

export interface Way {
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

/** The means of clients to change files, which no server sees. */
const CLIENT_EDITS = ['Edit', 'Write'];
/** They run the project's programs, which is not what a phase without changes is meant to prevent. */
const RUNNERS: Patterns = ['run_build', 'run_tests'];
/** Those that show by default, and what makes them write. */
const WRITES_IF: Readonly<Record<string, string>> = { commit_session: 'apply' };

/** What a call does, as far as its arguments tell before they were checked. */
export function deedOf({ name, effect }: PhasedTool, args: unknown): CallDeed {
  if (effect === 'execute') return isNamed(RUNNERS, name) ? 'reads' : 'writes';
  if (effect !== 'write') return 'reads';
  const switchedBy = WRITES_IF[name];
  if (switchedBy !== undefined) return isOn(args, switchedBy) ? 'writes' : 'shows';
  return isOn(args, 'dry_run') ? 'shows' : 'writes';
}

export function wayOf(state: PhaseState, tools: readonly PhasedTool[]): Way {
  const phase = phaseAt(state.skill, state.index);
  const others = tools.filter(({ name }) => !isNamed(PHASE_TOOLS, name));
  const isOutOfOrder = (tool: PhasedTool) => judgeCall(state, usualCall(tool, phase)).kind === 'violation';
  const own = toolsOf(phase, tools).filter((name) => !isNamed(state.skill.forbidden, name));
  const out = others.filter((tool) => !own.includes(tool.name) && isOutOfOrder(tool)).map(({ name }) => name);
  return {
    allowed: [...own, ...(phase.writes === 'all' ? CLIENT_EDITS : [])],
    forbidden: [...out, ...(phase.writes === 'none' ? CLIENT_EDITS : [])],
  };
}

/** The tools that a phase is for. */
function toolsOf(phase: SkillPhase, tools: readonly PhasedTool[]): readonly string[] {
  const names = tools.filter((tool) => {
    if (isNamed(phase.forbidden, tool.name)) return false;
    return isNamed(phase.allowed, tool.name) || (phase.writes === 'all' && changesFiles(tool));
  });
  return names.map(({ name }) => name);
}

/** What to do next: how the current phase is done, or else how the next begins. */
export function nextStep(state: PhaseState, tools: readonly PhasedTool[]): string {
  const { skill, index, isDone } = state;
  const phase = phaseAt(skill, index);
  const next = skill.phases[index + 1];
  if (phase.doneBy && !isDone) return `${named(phase, phase.doneBy, tools)} completes phase ${phase.name}`;
  if (!next) return 'deactivate_skill when all is done';
  const leading = tools.filter((tool) => leadsInto(index + 1, state, tool));
  const isForEdits = next.writes === 'all' && phase.writes !== 'all';
  const step = isForEdits ? 'an edit' : named(next, next.doneBy ?? next.allowed, leading);
  return `${step} begins phase ${next.name}`;
}

/** The way on from a violation. */
export function recoveryFrom(
  state: PhaseState,
  tool: string,
  where: Extract<Verdict, { kind: 'violation' }>['where'],
  tools: readonly PhasedTool[],
): string {
  const { skill, index } = state;
  if (where === undefined) return `${tool} has no place in ${skill.name}: ${leaving(tools)}`;
  const place = phaseAt(skill, where).name;
  if (where < index)
    return `${tool} belongs to phase ${place}, which is over: ${leaving(tools)}, and activate_skill to begin anew`;
  const shortcuts = doorsTo(state, where, tools);
  const doors = shortcuts.length === 0 ? '' : `; ${either(shortcuts)} leads there at once`;
  return `${tool} belongs to phase ${place}. First: ${nextStep(state, tools)}${doors}; or leave the skill: ${leaving(tools)}`;
}

/** A session may have switched to fewer tools since the skill began. */
function leaving(tools: readonly PhasedTool[]): string {
  const isListed = tools.some(({ name }) => name === 'deactivate_skill');
  return isListed ? 'deactivate_skill' : 'activate_tools with profile full lists the tool for that';
}

/** Tools of a phase beyond the next that are in order already, and lead to it. */
function doorsTo(state: PhaseState, where: number, tools: readonly PhasedTool[]): readonly string[] {
  if (where === state.index + 1 && !state.isDone) return [];
  return tools.filter((tool) => leadsInto(where, state, tool)).map(({ name }) => name);
}

/** Whether the call that a phase has the tool for is in order now and leads there. */
function leadsInto(index: number, state: PhaseState, tool: PhasedTool): boolean {
  const verdict = judgeCall(state, usualCall(tool, phaseAt(state.skill, index)));
  return verdict.kind === 'in-order' && verdict.to === index;
}

function named(phase: SkillPhase, patterns: Patterns, tools: readonly PhasedTool[]): string {
  const listed = tools.filter(({ name }) => isNamed(patterns, name));
  if (listed.length === 0) return 'a tool that activate_tools with profile full lists';
  return either(listed.map((tool) => asCalled(tool, phase)));
}

function asCalled(tool: PhasedTool, phase: SkillPhase): string {
  return changesFiles(tool) && phase.writes === 'none' ? `${tool.name} with dry_run:true` : tool.name;
}

function either(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** The call that a phase has the tool for. */
function usualCall(tool: PhasedTool, phase: SkillPhase) {
  const isShown = phase.writes === 'none' && isNamed(phase.allowed, tool.name);
  const deed: CallDeed = !changesFiles(tool) ? 'reads' : isShown ? 'shows' : 'writes';
  return { tool: tool.name, deed };
}

function changesFiles(tool: PhasedTool): boolean {
  return deedOf(tool, { dry_run: false, apply: true }) === 'writes';
}

/** As models write it; anything else is for the check of the arguments to refuse. */
function isOn(args: unknown, name: string): boolean {
  const value: unknown = Object(args)[name];
  return value === true || value === 'true';
}
