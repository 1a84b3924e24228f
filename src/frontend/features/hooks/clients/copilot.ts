/**
 * Copilot CLI, and VS Code, which sends the same events with other spellings. Hooks that are written for Claude Code it
 * runs with names as there, but with its own arguments of tools, and with a time.
 */
import { EMPTY_ANSWER, type HookClient, ownEventName } from './hook-client.ts';

/** More is cut. */
const MOST_CHARS = 9_500;

export const copilotHooks: HookClient = {
  name: 'copilot',
  recognises: ({ sessionId, hook_event_name, timestamp }) =>
    timestamp !== undefined && (typeof sessionId === 'string' || typeof hook_event_name === 'string'),
  editTools: [
    ...['edit', 'create', 'str_replace_editor', 'apply_patch', 'write', 'multiedit', 'editfiles'],
    ...['createfile', 'create_file', 'replace_string_in_file', 'multi_replace_string_in_file'],
    ...['insert_edit_into_file', 'edit_notebook_file'],
  ],
  searchTools: ['grep', 'rg', 'grep_search'],
  shellTools: ['bash', 'powershell', 'run_in_terminal'],
  makerTools: ['write'],
  limitMs: 30_000,
  answer: (event, input, { toAgent }) => {
    if (toAgent === undefined) return EMPTY_ANSWER;
    const hookEventName = ownEventName(input, '');
    if (event === 'turn-end') {
      const decision = { decision: 'block', reason: toAgent };
      return JSON.stringify(
        hookEventName === '' ? decision : { ...decision, hookSpecificOutput: { hookEventName, ...decision } },
      );
    }
    const additionalContext = toAgent.slice(0, MOST_CHARS);
    // VS Code looks for it inside, Copilot CLI outside.
    return JSON.stringify(
      hookEventName === ''
        ? { additionalContext }
        : { additionalContext, hookSpecificOutput: { hookEventName, additionalContext } },
    );
  },
};
