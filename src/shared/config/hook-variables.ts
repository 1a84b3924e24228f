/** The settings of hooks: the variable of each, which is stronger than what files say, and the bounds of numbers. */
export const HOOK_VARIABLES = {
  'hook.enabled': 'AGENT_LSP_HOOK_ENABLED',
  'hook.mode': 'AGENT_LSP_HOOK_MODE',
  'hook.timeout_seconds': 'AGENT_LSP_HOOK_TIMEOUT_SECONDS',
  'hook.max_tokens': 'AGENT_LSP_HOOK_MAX_TOKENS',
} as const;

/** Those of the façade that count as well. */
export const LSP_HOOK_VARIABLES = {
  'lsp.enabled': 'AGENT_LSP_LSP_ENABLED',
  'lsp.hook.enabled': 'AGENT_LSP_LSP_HOOK_ENABLED',
  'lsp.hook.mode': 'AGENT_LSP_LSP_HOOK_MODE',
} as const;

export const HOOK_LIMITS = {
  timeoutSeconds: { least: 1, most: 600 },
  maxTokens: { least: 50, most: 15_000 },
} as const;
