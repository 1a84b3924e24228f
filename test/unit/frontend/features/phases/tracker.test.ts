/** The order of calls in each skill, without a session. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deedOf,
  nextStep,
  type PhasedTool,
  recoveryFrom,
} from '../../../../../src/frontend/features/phases/advice.ts';
import { SKILLS_WITH_PHASES } from '../../../../../src/frontend/features/phases/skills.ts';
import {
  afterCall,
  begin,
  judgeCall,
  type PhaseState,
  phaseAt,
  type TrackedCall,
  type Verdict,
} from '../../../../../src/frontend/features/phases/tracker.ts';
import { tools } from '../../../../../src/frontend/features/registry.ts';

const NEW_WRITER: PhasedTool = { name: 'write_anything', effect: 'write' };
const NEW_RUNNER: PhasedTool = { name: 'run_anything', effect: 'execute' };
const ALL: readonly PhasedTool[] = [...tools, NEW_WRITER, NEW_RUNNER];

type Args = Readonly<Record<string, unknown>>;

function callOf(tool: string, args: Args = {}): TrackedCall {
  const known = ALL.find(({ name }) => name === tool);
  if (!known) throw new Error(`there is no tool ${tool}`);
  return { tool, deed: deedOf(known, args) };
}

function stateOf(skill: string): PhaseState {
  const found = SKILLS_WITH_PHASES.find(({ name }) => name === skill);
  if (!found) throw new Error(`there is no skill ${skill}`);
  return begin(found);
}

/** The state after calls that are all in order and succeed. */
function after(state: PhaseState, ...calls: readonly TrackedCall[]): PhaseState {
  return calls.reduce((now, call) => {
    const verdict = judgeCall(now, call);
    if (verdict.kind === 'violation') throw new Error(`${call.tool} is out of order`);
    return afterCall(now, call, verdict.to);
  }, state);
}

const nameOf = ({ skill, index }: PhaseState) => phaseAt(skill, index).name;

const SHOWN: Args = { dry_run: true };

/** For each skill the calls that complete it, with the phase after each. */
const COURSES: readonly {
  readonly skill: string;
  readonly steps: readonly (readonly [phase: string, tool: string, args?: Args])[];
}[] = [
  {
    skill: 'lsp-rename',
    steps: [
      ['prerequisites', 'start_lsp'],
      ['preview', 'go_to_symbol'],
      ['preview', 'prepare_rename'],
      ['preview', 'find_references'],
      ['preview', 'get_diagnostics'],
      ['preview', 'rename_symbol', SHOWN],
      ['execute', 'get_diagnostics'],
      ['execute', 'rename_symbol'],
      ['execute', 'get_diagnostics'],
    ],
  },
  {
    skill: 'lsp-refactor',
    steps: [
      ['blast_radius', 'open_document'],
      ['blast_radius', 'blast_radius'],
      ['speculative_preview', 'preview_edit'],
      ['apply', 'replace_symbol_body'],
      ['apply', 'get_diagnostics'],
      ['apply', 'apply_edit'],
      ['apply', 'format_document'],
      ['build_verification', 'run_build'],
      ['build_verification', 'get_diagnostics'],
      ['test_execution', 'get_tests_for_file'],
      ['test_execution', 'run_tests'],
    ],
  },
  {
    skill: 'lsp-safe-edit',
    steps: [
      ['setup', 'start_lsp'],
      ['setup', 'open_document'],
      ['setup', 'get_diagnostics'],
      ['speculative_preview', 'create_simulation_session'],
      ['speculative_preview', 'simulate_edit'],
      ['speculative_preview', 'evaluate_session'],
      ['apply', 'commit_session', { apply: true }],
      ['verify_and_fix', 'get_diagnostics'],
      ['verify_and_fix', 'suggest_fixes'],
      ['verify_and_fix', 'apply_edit'],
      ['verify_and_fix', 'format_document'],
    ],
  },
  {
    skill: 'lsp-verify',
    steps: [
      ['test_correlation', 'get_tests_for_file'],
      ['diagnostics', 'start_lsp'],
      ['diagnostics', 'get_diagnostics'],
      ['build', 'run_build'],
      ['tests', 'run_tests'],
      ['fix_and_format', 'apply_edit'],
      ['fix_and_format', 'suggest_fixes'],
      ['fix_and_format', 'format_document'],
      ['fix_and_format', 'get_diagnostics'],
    ],
  },
];

describe('a skill', () => {
  it.each(COURSES)('$skill can be completed, phase by phase', ({ skill, steps }) => {
    let state = stateOf(skill);
    const seen = steps.map(([, tool, args]) => {
      state = after(state, callOf(tool, args));
      return [nameOf(state), tool];
    });
    expect(seen).toEqual(steps.map(([phase, tool]) => [phase, tool]));
    const phases = [...new Set(steps.map(([phase]) => phase))];
    expect(phases).toEqual(state.skill.phases.map(({ name }) => name));
  });

  it('names no tool that there is not', () => {
    const patterns = SKILLS_WITH_PHASES.flatMap(({ forbidden, phases }) => [
      ...forbidden,
      ...phases.flatMap((phase) => [...phase.allowed, ...phase.forbidden, ...(phase.doneBy ?? [])]),
    ]);
    const fits = (pattern: string) =>
      tools.some(({ name }) =>
        pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
      );
    expect(patterns.filter((pattern) => !fits(pattern))).toEqual([]);
  });
});

interface Breach {
  readonly skill: string;
  readonly done: readonly (readonly [tool: string, args?: Args])[];
  readonly tool: string;
  readonly args?: Args;
  readonly recovery: string;
}

const PREVIEWED: Breach['done'] = [['preview_edit']];

const BREACHES: readonly Breach[] = [
  {
    skill: 'lsp-rename',
    done: [],
    tool: 'rename_symbol',
    recovery: 'First: rename_symbol with dry_run:true begins phase preview',
  },
  {
    skill: 'lsp-rename',
    done: [['find_references']],
    tool: 'apply_edit',
    recovery: 'First: rename_symbol with dry_run:true completes phase preview',
  },
  {
    skill: 'lsp-rename',
    done: [],
    tool: 'format_range',
    recovery: 'no place in lsp-rename: deactivate_skill',
  },
  {
    skill: 'lsp-rename',
    done: [['rename_symbol', SHOWN], ['rename_symbol']],
    tool: 'replace_symbol_body',
    recovery: 'no place in lsp-rename: deactivate_skill',
  },
  {
    skill: 'lsp-refactor',
    done: [],
    tool: 'preview_edit',
    recovery:
      'phase speculative_preview. First: find_references or blast_radius completes phase blast_radius',
  },
  {
    skill: 'lsp-refactor',
    done: [['blast_radius']],
    tool: 'move_file',
    recovery: 'phase apply. First: ',
  },
  {
    skill: 'lsp-refactor',
    done: [['blast_radius'], ...PREVIEWED, ['apply_edit'], ['run_build']],
    tool: 'apply_edit',
    recovery: 'phase apply, which is over: deactivate_skill, and activate_skill to begin anew',
  },
  {
    skill: 'lsp-safe-edit',
    done: [['get_diagnostics']],
    tool: 'safe_edit',
    recovery: 'phase apply. First: ',
  },
  {
    skill: 'lsp-safe-edit',
    done: [...PREVIEWED, ['apply_edit']],
    tool: 'preview_edit',
    recovery: 'phase speculative_preview, which is over',
  },
  {
    skill: 'lsp-verify',
    done: [['get_diagnostics']],
    tool: 'execute_command',
    recovery: 'First: run_build begins phase build; suggest_fixes leads there at once',
  },
];

describe('a call out of order', () => {
  it.each(BREACHES)('is refused in $skill with a way on: $tool', ({ skill, done, tool, args, recovery }) => {
    const state = after(stateOf(skill), ...done.map(([name, given]) => callOf(name, given)));
    const verdict = judgeCall(state, callOf(tool, args));
    expect(verdict.kind).toBe('violation');
    expect(way(state, tool, verdict)).toContain(recovery);
  });

  it('may be made by none of the tools that change files before a phase for that, also by one that nobody has named', () => {
    const writers = ALL.filter((tool) => deedOf(tool, { apply: true }) === 'writes').map(({ name }) => name);
    expect(writers).toEqual(
      expect.arrayContaining([
        'commit_session',
        'safe_apply_edit',
        'safe_edit',
        'replace_symbol_body',
        'insert_after_symbol',
        'insert_before_symbol',
        'safe_delete_symbol',
        'execute_command',
        'move_file',
        'format_document',
        'format_range',
        NEW_WRITER.name,
        NEW_RUNNER.name,
      ]),
    );
    for (const skill of SKILLS_WITH_PHASES)
      for (const tool of writers) {
        const state = begin(skill);
        expect(judgeCall(state, callOf(tool, { apply: true })).kind, `${skill.name}: ${tool}`).toBe(
          'violation',
        );
      }
  });
});

function way(state: PhaseState, tool: string, verdict: Verdict): string {
  if (verdict.kind !== 'violation') throw new Error(`${tool} is in order`);
  return recoveryFrom(state, tool, verdict.where, ALL);
}

/** Any calls, each of which may fail or be refused. */
const anyCall = fc.record({
  tool: fc.constantFrom(...ALL.map(({ name }) => name)),
  args: fc.constantFrom<Args>({}, SHOWN, { apply: true }),
  fails: fc.boolean(),
});
const anySkill = fc.constantFrom(...SKILLS_WITH_PHASES);

function next(
  state: PhaseState,
  { tool, args, fails }: { tool: string; args: Args; fails: boolean },
): PhaseState {
  const call = callOf(tool, args);
  const verdict = judgeCall(state, call);
  return fails || verdict.kind === 'violation' ? state : afterCall(state, call, verdict.to);
}

describe('whatever is called', () => {
  it('phases never go backwards, and a call that fails changes nothing', () => {
    fc.assert(
      fc.property(anySkill, fc.array(anyCall, { maxLength: 30 }), (skill, calls) => {
        let state = begin(skill);
        for (const call of calls) {
          const then = next(state, call);
          expect(then.index).toBeGreaterThanOrEqual(state.index);
          if (call.fails) expect(then).toBe(state);
          state = then;
        }
      }),
    );
  });

  it('calls that end in another order than they began go no way back either', () => {
    fc.assert(
      fc.property(anySkill, fc.array(anyCall, { maxLength: 20 }), (skill, calls) => {
        const start = begin(skill);
        const ends = calls.flatMap(({ tool, args }) => {
          const call = callOf(tool, args);
          const verdict = judgeCall(start, call);
          return verdict.kind === 'in-order' ? [{ call, to: verdict.to }] : [];
        });
        let state = start;
        for (const { call, to } of ends) {
          const then = afterCall(state, call, to);
          expect(then.index).toBeGreaterThanOrEqual(state.index);
          state = then;
        }
      }),
    );
  });

  it('no file is changed before a preview has succeeded, where a skill has one', () => {
    fc.assert(
      fc.property(anySkill, fc.array(anyCall, { maxLength: 30 }), (skill, calls) => {
        const required = skill.phases.find(({ isRequired }) => isRequired);
        let state = begin(skill);
        let isDone = false;
        for (const call of calls) {
          const tracked = callOf(call.tool, call.args);
          const verdict = judgeCall(state, tracked);
          if (verdict.kind === 'in-order' && tracked.deed === 'writes') expect(isDone).toBe(true);
          state = next(state, call);
          const isPast = skill.phases.findIndex((phase) => phase === required) < state.index;
          isDone ||= isPast || (phaseAt(skill, state.index) === required && state.isDone);
        }
      }),
    );
  });

  it('the last phase can still be reached, by the steps that are named', () => {
    fc.assert(
      fc.property(anySkill, fc.array(anyCall, { maxLength: 12 }), (skill, calls) => {
        let state = calls.reduce(next, begin(skill));
        for (let steps = 0; state.index < skill.phases.length - 1; steps++) {
          expect(steps).toBeLessThan(2 * skill.phases.length);
          state = takeStep(state, nextStep(state, ALL));
        }
        expect(nextStep(state, ALL)).toBe('deactivate_skill when all is done');
      }),
    );
  });

  it('a refusal names a step that is in order', () => {
    fc.assert(
      fc.property(anySkill, fc.array(anyCall, { maxLength: 12 }), anyCall, (skill, calls, last) => {
        const state = calls.reduce(next, begin(skill));
        const verdict = judgeCall(state, callOf(last.tool, last.args));
        if (verdict.kind === 'in-order') return;
        const words = way(state, last.tool, verdict);
        expect(words).toContain('deactivate_skill');
        const step = /First: (.*?)(?:;|$)/.exec(words)?.[1];
        if (step !== undefined) takeStep(state, step);
      }),
    );
  });
});

/** Follows the words of a step: each of the tools that it names is in order. */
function takeStep(state: PhaseState, step: string): PhaseState {
  const [tools = ''] = step.split(/ (?:completes|begins) phase /);
  const args = tools.includes('dry_run:true') ? SHOWN : {};
  const names = tools.replaceAll(' with dry_run:true', '').split(/, | or /);
  const written = names[0] === 'an edit' ? ['apply_edit'] : names;
  const states = written.map((name) => after(state, callOf(name, args)));
  return states[0] ?? state;
}
