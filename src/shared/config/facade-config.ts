/** Settings of façades, under the names that their products gave them. */
import type { Environment } from '../languages/environment.ts';
import type { NamedProfile } from './choices.ts';
import { choicesFrom, numberFrom, switchFrom } from './environment-choice.ts';
import { LSP_HOOK_VARIABLES } from './hook-variables.ts';
import { LSP_ACTIONS, type LspAction, PRIVILEGED_ACTIONS, READONLY_ACTIONS } from './lsp-actions.ts';
import type { FileSection } from './schema.ts';

export interface FacadeConfig {
  readonly lsp: {
    /** Off: the façades list no tools at all. */
    readonly isEnabled: boolean;
    /** How long a call of a façade may take; if not said, as long as its product gives it. */
    readonly timeoutMs: number | undefined;
    /** The one tool of `--tools lsp`. */
    readonly tool: { readonly isEnabled: boolean; readonly allowsMutatingActions: boolean };
  };
  /** What subagents get of the tool. */
  readonly subagents: { readonly allowsLspTools: boolean; readonly lspActions: readonly LspAction[] };
}

/** What a façade's tools depend on. */
export interface FacadePolicy extends FacadeConfig {
  readonly tools: NamedProfile;
  readonly isSubagent: boolean;
}

/** The variable of each setting: the path of its key in capitals. It is stronger than what files say. */
export const FACADE_VARIABLES = {
  ...LSP_HOOK_VARIABLES,
  'lsp.timeout': 'AGENT_LSP_LSP_TIMEOUT',
  'lsp.tool.enabled': 'AGENT_LSP_LSP_TOOL_ENABLED',
  'lsp.tool.allowMutatingActions': 'AGENT_LSP_LSP_TOOL_ALLOW_MUTATING_ACTIONS',
  'subagents.allowLspTools': 'AGENT_LSP_SUBAGENTS_ALLOW_LSP_TOOLS',
  'subagents.allowedLspActions': 'AGENT_LSP_SUBAGENTS_ALLOWED_LSP_ACTIONS',
} as const;

const TIMEOUT = { least: 1, most: 3_600_000 };

/** `sections` are what files say, weakest first: each setting has the strongest word. */
export function facadeConfig(sections: readonly FileSection[], environment: Environment): FacadeConfig {
  const said = <Value>(read: (section: FileSection) => Value | undefined): Value | undefined =>
    sections.map(read).findLast((value) => value !== undefined);
  const isOn = (setting: keyof typeof FACADE_VARIABLES) => switchFrom(environment, FACADE_VARIABLES[setting]);
  return {
    lsp: {
      isEnabled: isOn('lsp.enabled') ?? said(({ lsp }) => lsp?.enabled) ?? true,
      timeoutMs:
        numberFrom(environment, FACADE_VARIABLES['lsp.timeout'], TIMEOUT) ?? said(({ lsp }) => lsp?.timeout),
      tool: {
        isEnabled: isOn('lsp.tool.enabled') ?? said(({ lsp }) => lsp?.tool?.enabled) ?? true,
        allowsMutatingActions:
          isOn('lsp.tool.allowMutatingActions') ??
          said(({ lsp }) => lsp?.tool?.allowMutatingActions) ??
          false,
      },
    },
    subagents: {
      allowsLspTools:
        isOn('subagents.allowLspTools') ?? said(({ subagents }) => subagents?.allowLspTools) ?? true,
      lspActions:
        choicesFrom(environment, FACADE_VARIABLES['subagents.allowedLspActions'], LSP_ACTIONS) ??
        said(({ subagents }) => subagents?.allowedLspActions) ??
        READONLY_ACTIONS,
    },
  };
}

/** Whether the user has switched the tools of the profile off: then none is listed. */
export function isSwitchedOff(policy: FacadePolicy): boolean {
  const { tools, lsp, subagents, isSubagent } = policy;
  if (tools === 'lsp6') return !lsp.isEnabled;
  if (tools !== 'lsp') return false;
  return !lsp.isEnabled || !lsp.tool.isEnabled || (isSubagent && !subagents.allowsLspTools);
}

export type ActionRefusal = 'subagent' | 'mutating';

/** Why an action of the tool may not be used; undefined when it may. */
export function whyNotAllowed(
  action: LspAction,
  { lsp, subagents, isSubagent }: Omit<FacadePolicy, 'tools'>,
): ActionRefusal | undefined {
  const isPrivileged = PRIVILEGED_ACTIONS.includes(action);
  if (isSubagent && (isPrivileged || !subagents.allowsLspTools || !subagents.lspActions.includes(action)))
    return 'subagent';
  return isPrivileged && !lsp.tool.allowsMutatingActions ? 'mutating' : undefined;
}
