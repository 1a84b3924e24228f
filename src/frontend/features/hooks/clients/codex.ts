/** Codex: the events and answers of Claude Code, read strictly; edits come as one patch over several files. */
import { claudeAnswer } from './claude.ts';
import type { HookClient } from './hook-client.ts';

export const codexHooks: HookClient = {
  name: 'codex',
  // Of the clients with these events only this one counts turns.
  recognises: ({ hook_event_name, turn_id }) =>
    typeof hook_event_name === 'string' && typeof turn_id === 'string',
  editTools: ['apply_patch', 'edit', 'write'],
  searchTools: ['grep', 'grep_files'],
  shellTools: ['bash', 'shell', 'local_shell', 'exec_command'],
  limitMs: 60_000,
  answer: claudeAnswer,
};
