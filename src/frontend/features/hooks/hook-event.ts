/** What a client tells a hook, in one form for all clients. */

/** The events that `agent-lsp hook` is called for. */
export const HOOK_EVENTS = ['session-start', 'pre-search', 'post-edit', 'turn-end', 'session-end'] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** JSON of a client, of which every field may be missing or of another kind than documented. */
export type HookInput = Readonly<Record<string, unknown>>;

export interface HookEvent {
  /** The client's session; events of one session have the same. */
  readonly session: string;
  /** Where the client works; undefined when it does not say. */
  readonly directory: string | undefined;
  /** The tool that it tells of has not run yet. */
  readonly isAhead: boolean;
  /** What happened was done by an agent that the main agent started. */
  readonly isSubagent: boolean;
  /** How often this turn was prolonged by a hook already. */
  readonly continuations: number;
  /** The turn was broken off by the user or an error: nothing more is to be said to its agent. */
  readonly isBrokenOff: boolean;
  readonly changes: readonly FileChangeTold[];
  /** The name that the agent searches the text of files for, if it is one. */
  readonly searched: string | undefined;
}

/** A file that the agent has changed, and what the client says of how. */
export interface FileChangeTold {
  /** As the client wrote it. */
  readonly path: string;
  /** The whole text before; null for a file that was not there. Undefined when the client does not say. */
  readonly original?: string | null | undefined;
  /** In the order in which they were made; empty when the client does not say. */
  readonly replacements: readonly ToldReplacement[];
}

export interface ToldReplacement {
  readonly before: string;
  readonly after: string;
}

/** What a hook has to say; nothing at all is the usual case. */
export interface HookSaid {
  readonly toAgent?: string | undefined;
  /** For the person, where the client can show it without giving the agent another turn. */
  readonly toUser?: string | undefined;
}
