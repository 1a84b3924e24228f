/** The form of a configuration file. Objects are strict: a key that is not read would be a silent lie. */
import { z } from 'zod';
import { TYPESCRIPT_CHOICES } from '../languages/roles.ts';
import {
  DAEMON_MODES,
  LOG_FORMATS,
  LOG_LEVELS,
  LOG_MODES,
  OUTPUT_FORMATS,
  PERMISSION_LEVELS,
  TOOL_PROFILES,
} from './choices.ts';
import { HOOK_LIMITS } from './hook-variables.ts';
import { HOOK_MODES, LSP_ACTIONS } from './lsp-actions.ts';

const settingsObject = z.record(z.string(), z.json());

const serverSchema = z.strictObject({
  /** Without the leading dot; an exact file name such as `Dockerfile` is possible, too. */
  extensions: z.array(z.string().min(1)).min(1).optional(),
  command: z.array(z.string().min(1)).min(1).optional(),
  language_id: z.string().min(1).optional(),
  settings: settingsObject.optional(),
  initialization_options: z.json().optional(),
  env: z.record(z.string(), z.string()).optional(),
  root_markers: z.array(z.string().min(1)).min(1).optional(),
  daemon: z.enum(DAEMON_MODES).optional(),
  /** True switches the language off: no server is started for it. */
  disabled: z.boolean().optional(),
});

const TOOL_PATTERN = /^(?:\*|[a-z][a-z0-9_]*\*?)$/;
const toolPatterns = z
  .array(z.string().regex(TOOL_PATTERN, 'must be the name of a tool, or its beginning and a *'))
  .optional();

const permissionsSchema = z.strictObject({
  allow: toolPatterns,
  ask: toolPatterns,
  deny: toolPatterns,
});

const lspToolSchema = z.strictObject({
  enabled: z.boolean().optional(),
  allowMutatingActions: z.boolean().optional(),
});

const lspHookSchema = z.strictObject({
  enabled: z.boolean().optional(),
  mode: z.enum(HOOK_MODES).optional(),
});

const hookSchema = z.strictObject({
  enabled: z.boolean().optional(),
  mode: z.enum(HOOK_MODES).optional(),
  timeout_seconds: z
    .number()
    .min(HOOK_LIMITS.timeoutSeconds.least)
    .max(HOOK_LIMITS.timeoutSeconds.most)
    .optional(),
  max_tokens: z.number().min(HOOK_LIMITS.maxTokens.least).max(HOOK_LIMITS.maxTokens.most).optional(),
});

/** The type checker that check_types runs. */
const checkTypesSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1).optional(),
  timeout_seconds: z.number().min(1).max(1_800).optional(),
});

/** A server of a language that is known, in fewer words than `servers`. */
const lspServerSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  initializationOptions: settingsObject.optional(),
});

/** Settings of the façades; see facade-config.ts. */
const lspSchema = z.strictObject({
  enabled: z.boolean().optional(),
  /** By language; they count like `servers`. */
  servers: z.record(z.string().min(1), lspServerSchema).optional(),
  /** Milliseconds. */
  timeout: z.number().int().min(1).max(3_600_000).optional(),
  tool: lspToolSchema.optional(),
  hook: lspHookSchema.optional(),
});

const subagentsSchema = z.strictObject({
  allowLspTools: z.boolean().optional(),
  allowedLspActions: z.array(z.enum(LSP_ACTIONS)).optional(),
});

export const fileSchema = z.strictObject({
  servers: z.array(serverSchema).optional(),
  daemon: z.enum(DAEMON_MODES).optional(),
  idle_timeout_minutes: z.number().positive().max(10_080).optional(),
  call_timeout_seconds: z.number().min(1).max(3_600).optional(),
  patience_seconds: z.number().min(1).max(3_600).optional(),
  /** True starts the servers of the workspace with the session. */
  eager: z.boolean().optional(),
  /** False keeps messages about diagnostics back; they can still be asked for and subscribed to. */
  push_diagnostics: z.boolean().optional(),
  /** False leaves the next step out of answers. */
  hints: z.boolean().optional(),
  log_level: z.enum(LOG_LEVELS).optional(),
  log_mode: z.enum(LOG_MODES).optional(),
  log_format: z.enum(LOG_FORMATS).optional(),
  output: z.enum(OUTPUT_FORMATS).optional(),
  tools: z.enum(TOOL_PROFILES).optional(),
  typescript: z.enum(TYPESCRIPT_CHOICES).optional(),
  permission: z.enum(PERMISSION_LEVELS).optional(),
  permissions: permissionsSchema.optional(),
  audit_log: z.string().min(1).optional(),
  lsp: lspSchema.optional(),
  /** What `agent-lsp hook` does; `lsp.hook` is the façade's name for a part of it. */
  hook: hookSchema.optional(),
  /** Folders beside the roots. */
  allowed_paths: z.array(z.string().min(1)).optional(),
  /** `host:port` of servers elsewhere that may be connected to. */
  allowed_addresses: z.array(z.string().min(1)).optional(),
  subagents: subagentsSchema.optional(),
  check_types: checkTypesSchema.optional(),
  health_check: z.boolean().optional(),
  metrics: z.boolean().optional(),
  /** Modules with tools of the user's own: paths from the file, or packages beside it. */
  extensions: z.array(z.string().min(1)).max(50).optional(),
});

export type ServerSection = z.output<typeof serverSchema>;
export type FileSection = z.output<typeof fileSchema>;

const INNER: Readonly<Record<string, z.ZodObject>> = {
  permissions: permissionsSchema,
  lsp: lspSchema,
  'lsp.tool': lspToolSchema,
  'lsp.hook': lspHookSchema,
  hook: hookSchema,
  subagents: subagentsSchema,
  check_types: checkTypesSchema,
};

/** The keys that are allowed at a place of the file. */
export function allowedKeys(at: readonly PropertyKey[]): readonly string[] {
  if (at.length === 0) return Object.keys(fileSchema.shape);
  const inner = INNER[at.join('.')];
  if (inner) return Object.keys(inner.shape);
  if (at[0] === 'servers' && at.length === 2) return Object.keys(serverSchema.shape);
  return at[1] === 'servers' && at.length === 3 ? Object.keys(lspServerSchema.shape) : [];
}
