/** Anything else: files as arguments or JSON with paths in it, and text as the answer. */
import type { HookClient } from './hook-client.ts';

export const plainHooks: HookClient = {
  name: 'plain',
  recognises: () => true,
  editTools: [],
  searchTools: [],
  shellTools: [],
  limitMs: 60_000,
  answer: (_event, _input, { toAgent, toUser }) => toAgent ?? toUser ?? '',
};
