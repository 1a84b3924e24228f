/** The words that settings choose among. Apart from the schema of files: most sessions have no file and need no schema. */

export const DAEMON_MODES = ['auto', 'always', 'never'] as const;
export type DaemonMode = (typeof DAEMON_MODES)[number];

export const OUTPUT_FORMATS = ['text', 'json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/**
 * `auto`: every tool, except for clients that cut long lists; `full`: every tool; `core`: the few that most work needs; the
 * others are façades: tools of other products' names, made of the same ones.
 */
export const TOOL_PROFILES = ['auto', 'full', 'core', 'lsp', 'lsp6', 'pyright'] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];
/** What `auto` comes to for a client. */
export type NamedProfile = Exclude<ToolProfile, 'auto'>;
export const NAMED_PROFILES = TOOL_PROFILES.filter((profile) => profile !== 'auto');
/** Profiles with tools of their own; `core` is a part of `full`. */
export type ListedProfile = Exclude<NamedProfile, 'core'>;
export type FacadeProfile = Exclude<ListedProfile, 'full'>;
export const LISTED_PROFILES = NAMED_PROFILES.filter((profile) => profile !== 'core');
/** Between these an agent can switch. */
export const SWITCHABLE_PROFILES = ['full', 'core'] as const;
export type SwitchableProfile = (typeof SWITCHABLE_PROFILES)[number];

/** How MCP is spoken. */
export type Transport = 'stdio' | 'http';

/** What a connection may do to files: look, change them after the user agreed to it, or change them. */
export const PERMISSION_LEVELS = ['read', 'ask', 'write'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/** Where a session's log goes beside its client; files are kept with our state. */
export const LOG_MODES = ['stderr', 'file', 'both'] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** A line of a log for people, or as JSON. */
export const LOG_FORMATS = ['text', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Names of tools, or beginnings of names that end in `*`. */
export type PermissionRules = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;
