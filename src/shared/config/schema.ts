/** The form of a configuration file. Objects are strict: a key that is not read would be a silent lie. */
import { z } from 'zod';

export const DAEMON_MODES = ['auto', 'always', 'never'] as const;
export type DaemonMode = (typeof DAEMON_MODES)[number];

export const OUTPUT_FORMATS = ['text', 'json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** `full`: every tool; `core`: the few that most work needs. */
export const TOOL_PROFILES = ['full', 'core'] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const settingsObject = z.record(z.string(), z.json());

export const serverSchema = z.strictObject({
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

export const fileSchema = z.strictObject({
  servers: z.array(serverSchema).optional(),
  daemon: z.enum(DAEMON_MODES).optional(),
  idle_timeout_minutes: z.number().positive().max(10_080).optional(),
  call_timeout_seconds: z.number().min(1).max(3_600).optional(),
  log_level: z.enum(LOG_LEVELS).optional(),
  output: z.enum(OUTPUT_FORMATS).optional(),
  tools: z.enum(TOOL_PROFILES).optional(),
});

export type ServerSection = z.output<typeof serverSchema>;
export type FileSection = z.output<typeof fileSchema>;

/** The keys that are allowed at a place of the file. */
export function allowedKeys(at: readonly PropertyKey[]): readonly string[] {
  if (at.length === 0) return Object.keys(fileSchema.shape);
  return at[0] === 'servers' && at.length === 2 ? Object.keys(serverSchema.shape) : [];
}
