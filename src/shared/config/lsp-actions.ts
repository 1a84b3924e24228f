/** The actions of the one tool of `--tools lsp`, and which of them need to be allowed. */

export const LSP_ACTIONS = [
  'definition',
  'references',
  'hover',
  'symbols',
  'diagnostics',
  'workspace-diagnostics',
  'signature',
  'rename',
  'codeAction',
  'restart',
  'servers',
] as const;
export type LspAction = (typeof LSP_ACTIONS)[number];

/** Off unless `lsp.tool.allowMutatingActions`, and never for subagents. */
export const PRIVILEGED_ACTIONS: readonly LspAction[] = ['rename', 'codeAction', 'restart'];

/** What subagents may do unless the configuration names other actions. */
export const READONLY_ACTIONS: readonly LspAction[] = LSP_ACTIONS.filter(
  (action) => !PRIVILEGED_ACTIONS.includes(action),
);

/** When the diagnostics hook reports. */
export const HOOK_MODES = ['agent_end', 'edit_write', 'disabled'] as const;
export type HookMode = (typeof HOOK_MODES)[number];
