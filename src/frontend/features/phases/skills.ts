/**
 * The skills whose phases are kept, as data. A tool that changes files is judged by its effect, so that one that is
 * named nowhere here is judged as well; names say which calls belong to a phase and which are out of place in it.
 * Decision: docs/decisions/phases.md#phases-that-can-be-completed
 */

/** Names of tools, or beginnings of names that end in `*`. */
export type Patterns = readonly string[];

export interface SkillPhase {
  readonly name: string;
  readonly allowed: Patterns;
  readonly forbidden: Patterns;
  /** Which tools may change files: none, those that are allowed by name, or all that are not forbidden. */
  readonly writes: 'none' | 'named' | 'all';
  /** One of these has to succeed for what the next phase allows, if this one forbids it. */
  readonly doneBy?: Patterns;
  /** Later phases wait for `doneBy`. */
  readonly isRequired?: true;
}

export interface SkillPhases {
  readonly name: string;
  readonly phases: readonly [SkillPhase, ...SkillPhase[]];
  /** In all phases. */
  readonly forbidden: Patterns;
}

const TRIALS = ['simulate_*', 'preview_edit'];
/** What shows the effect of an edit before it is made. */
const TRIED = ['preview_edit', 'simulate_chain', 'evaluate_session'];

export const SKILLS_WITH_PHASES: readonly SkillPhases[] = [
  {
    name: 'lsp-rename',
    forbidden: ['format_*', 'run_tests'],
    phases: [
      { name: 'prerequisites', allowed: ['start_lsp'], forbidden: [], writes: 'none' },
      {
        name: 'preview',
        allowed: ['go_to_symbol', 'prepare_rename', 'find_references', 'rename_symbol'],
        forbidden: [],
        writes: 'none',
        doneBy: ['rename_symbol'],
        isRequired: true,
      },
      {
        name: 'execute',
        allowed: ['get_diagnostics', 'rename_symbol', 'apply_edit'],
        forbidden: [...TRIALS, 'run_build'],
        writes: 'named',
      },
    ],
  },
  {
    name: 'lsp-refactor',
    forbidden: ['rename_symbol'],
    phases: [
      {
        name: 'blast_radius',
        allowed: ['blast_radius', 'go_to_symbol', 'find_references'],
        forbidden: TRIALS,
        writes: 'none',
        doneBy: ['blast_radius', 'find_references'],
        isRequired: true,
      },
      {
        name: 'speculative_preview',
        allowed: ['open_document', 'get_diagnostics', 'create_simulation_session', ...TRIALS, ...TRIED],
        forbidden: [],
        writes: 'none',
        doneBy: TRIED,
        isRequired: true,
      },
      // Diagnostics between two edits do not end it.
      { name: 'apply', allowed: ['get_diagnostics'], forbidden: TRIALS, writes: 'all' },
      {
        name: 'build_verification',
        allowed: ['get_diagnostics', 'run_build'],
        forbidden: [],
        writes: 'none',
      },
      { name: 'test_execution', allowed: ['get_tests_for_file', 'run_tests'], forbidden: [], writes: 'none' },
    ],
  },
  {
    name: 'lsp-safe-edit',
    forbidden: ['rename_symbol', 'blast_radius'],
    phases: [
      {
        name: 'setup',
        allowed: ['start_lsp', 'open_document', 'get_diagnostics'],
        forbidden: [],
        writes: 'none',
      },
      {
        name: 'speculative_preview',
        allowed: ['create_simulation_session', ...TRIALS, ...TRIED],
        forbidden: [],
        writes: 'none',
        doneBy: TRIED,
        isRequired: true,
      },
      { name: 'apply', allowed: [], forbidden: TRIALS, writes: 'all' },
      {
        name: 'verify_and_fix',
        allowed: ['get_diagnostics', 'suggest_fixes'],
        forbidden: [...TRIALS, 'run_build', 'run_tests'],
        writes: 'all',
      },
    ],
  },
  {
    name: 'lsp-verify',
    forbidden: [...TRIALS, 'rename_symbol'],
    phases: [
      { name: 'test_correlation', allowed: ['get_tests_for_file'], forbidden: [], writes: 'none' },
      {
        name: 'diagnostics',
        allowed: ['start_lsp', 'get_diagnostics', 'check_types'],
        forbidden: [],
        writes: 'none',
        doneBy: ['get_diagnostics', 'check_types'],
        isRequired: true,
      },
      { name: 'build', allowed: ['run_build'], forbidden: [], writes: 'none' },
      { name: 'tests', allowed: ['run_tests'], forbidden: [], writes: 'none', doneBy: ['run_tests'] },
      {
        name: 'fix_and_format',
        allowed: ['suggest_fixes', 'get_diagnostics'],
        forbidden: ['run_build', 'run_tests'],
        writes: 'all',
      },
    ],
  },
];

export const PHASE_TOOLS: Patterns = ['activate_skill', 'deactivate_skill', 'get_skill_phase'];
