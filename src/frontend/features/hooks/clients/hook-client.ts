/**
 * What one client of hooks is like, as data: how its JSON is told from that of others, which of its tools edit and
 * search, how long it waits for a hook, and the JSON that it understands as an answer.
 * Decision: docs/decisions/hooks.md#a-hook-never-stops-an-agent
 */
import type { HookEventName, HookInput, HookSaid } from '../hook-event.ts';

export const HOOK_CLIENTS = ['claude', 'codex', 'cursor', 'copilot', 'gemini', 'plain'] as const;
export type HookClientName = (typeof HOOK_CLIENTS)[number];

export interface HookClient {
  readonly name: HookClientName;
  /** Whether JSON of this shape is its own. Asked in the order of the list of clients. */
  recognises(input: HookInput): boolean;
  /** Names of its tools, in small letters. */
  readonly editTools: readonly string[];
  readonly searchTools: readonly string[];
  /** Those that refuse to write over a file that is there, beyond what tools of such names do everywhere. */
  readonly makerTools?: readonly string[];
  readonly shellTools: readonly string[];
  /** Its events before a tool have no place for a text. */
  readonly isMuteAhead?: boolean;
  /** The variable in which it names the directory of the project. */
  readonly projectVariable?: string;
  /** How long it waits for a hook unless its user says otherwise. */
  readonly limitMs: number;
  /** What standard output gets; the empty text for nothing. The exit code is 0 whatever is said. */
  answer(event: HookEventName, input: HookInput, said: HookSaid): string;
}

/** Nothing to say, for clients that take standard output for JSON in any case. */
export const EMPTY_ANSWER = '{}';

/** The name that the client itself gives to the event; its answers have to repeat it. */
export function ownEventName(input: HookInput, fallback: string): string {
  const name = input.hook_event_name ?? input.hookEventName;
  return typeof name === 'string' && name !== '' ? name : fallback;
}
