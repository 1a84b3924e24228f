/** Gemini CLI, which reads nothing but JSON from standard output. A `deny` at the end of a turn gives its agent another one. */
import type { HookEventName } from '../hook-event.ts';
import { EMPTY_ANSWER, type HookClient, ownEventName } from './hook-client.ts';

const EVENTS: Readonly<Record<HookEventName, string>> = {
  'session-start': 'SessionStart',
  'pre-search': 'AfterTool',
  'post-edit': 'AfterTool',
  'turn-end': 'AfterAgent',
  'session-end': 'SessionEnd',
};

export const geminiHooks: HookClient = {
  name: 'gemini',
  // Start and end of a session are called as elsewhere; only here they come with both a time and a transcript.
  recognises: ({ hook_event_name, timestamp, transcript_path }) =>
    typeof hook_event_name === 'string' &&
    (/^(?:Before|After)[A-Z]/.test(hook_event_name) ||
      (/^Session(?:Start|End)$/.test(hook_event_name) &&
        timestamp !== undefined &&
        transcript_path !== undefined)),
  editTools: ['replace', 'write_file', 'edit'],
  searchTools: ['grep_search', 'search_file_content', 'grep'],
  shellTools: ['run_shell_command'],
  isMuteAhead: true,
  projectVariable: 'GEMINI_PROJECT_DIR',
  limitMs: 60_000,
  answer: (event, input, { toAgent, toUser }) => {
    if (toAgent === undefined)
      return toUser === undefined ? EMPTY_ANSWER : JSON.stringify({ systemMessage: toUser });
    if (event === 'turn-end') return JSON.stringify({ decision: 'deny', reason: toAgent });
    const hookEventName = ownEventName(input, EVENTS[event]);
    // Before a tool it has no place for a text.
    if (/^Before/.test(hookEventName)) return EMPTY_ANSWER;
    return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: toAgent } });
  },
};
