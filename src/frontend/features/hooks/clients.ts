/** The clients whose hooks are understood, and which of them has sent a piece of JSON. */
import { claudeHooks } from './clients/claude.ts';
import { codexHooks } from './clients/codex.ts';
import { copilotHooks } from './clients/copilot.ts';
import { cursorHooks } from './clients/cursor.ts';
import { geminiHooks } from './clients/gemini.ts';
import type { HookClient, HookClientName } from './clients/hook-client.ts';
import { plainHooks } from './clients/plain.ts';
import type { HookInput } from './hook-event.ts';

/** Those with a sign of their own before those whose form they have taken over. */
const all: readonly HookClient[] = [
  cursorHooks,
  geminiHooks,
  codexHooks,
  copilotHooks,
  claudeHooks,
  plainHooks,
];

export function hookClient(input: HookInput, named?: HookClientName): HookClient {
  return (
    all.find((client) => (named === undefined ? client.recognises(input) : client.name === named)) ??
    plainHooks
  );
}
