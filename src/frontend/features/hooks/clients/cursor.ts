/**
 * Cursor. `additional_context` is appended to what a tool gave, `followup_message` becomes the next message of the
 * user. A hook that runs before a tool decides on a permission and can carry nothing else, so the reminder is given
 * after the search.
 */
import { EMPTY_ANSWER, type HookClient, ownEventName } from './hook-client.ts';

/** A longer text is dropped as a whole. */
const MOST_CHARS = 9_500;

export const cursorHooks: HookClient = {
  name: 'cursor',
  recognises: ({ cursor_version, conversation_id, workspace_roots }) =>
    cursor_version !== undefined || (conversation_id !== undefined && workspace_roots !== undefined),
  editTools: [
    'write',
    'edit',
    'multiedit',
    'strreplace',
    'search_replace',
    'editnotebook',
    'applypatch',
    'delete',
  ],
  searchTools: ['grep'],
  shellTools: ['shell'],
  isMuteAhead: true,
  projectVariable: 'CURSOR_PROJECT_DIR',
  limitMs: 60_000,
  answer: (event, input, { toAgent }) => {
    if (toAgent === undefined) return EMPTY_ANSWER;
    if (event === 'turn-end') return JSON.stringify({ followup_message: toAgent });
    if (/^(?:before|pre)/i.test(ownEventName(input, ''))) return EMPTY_ANSWER;
    return JSON.stringify({ additional_context: toAgent.slice(0, MOST_CHARS) });
  },
};
