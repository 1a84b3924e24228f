/**
 * Claude Code. Text for its agent is `additionalContext`; at the end of a turn only a `block` with a reason reaches it.
 * Before a tool runs no `permissionDecision` is given: any would decide for the user.
 */
import type { HookEventName, HookInput, HookSaid } from '../hook-event.ts';
import { type HookClient, ownEventName } from './hook-client.ts';

export const claudeHooks: HookClient = {
  name: 'claude',
  recognises: ({ hook_event_name }) => typeof hook_event_name === 'string',
  editTools: ['edit', 'multiedit', 'write', 'notebookedit', 'update'],
  searchTools: ['grep'],
  shellTools: ['bash'],
  projectVariable: 'CLAUDE_PROJECT_DIR',
  limitMs: 60_000,
  answer: claudeAnswer,
};

const EVENTS: Readonly<Record<HookEventName, string>> = {
  'session-start': 'SessionStart',
  'pre-search': 'PreToolUse',
  'post-edit': 'PostToolUse',
  'turn-end': 'Stop',
  'session-end': 'SessionEnd',
};

/** Codex has taken this form over. */
export function claudeAnswer(event: HookEventName, input: HookInput, { toAgent, toUser }: HookSaid): string {
  if (toAgent === undefined) return toUser === undefined ? '' : JSON.stringify({ systemMessage: toUser });
  if (event === 'turn-end') return JSON.stringify({ decision: 'block', reason: toAgent });
  const hookEventName = ownEventName(input, EVENTS[event]);
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: toAgent } });
}
