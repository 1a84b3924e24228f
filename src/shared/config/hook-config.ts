/**
 * Settings of the hooks, under their own name and under that of the façade that had them first. They can be read without
 * the rest of a configuration, because a hook that only takes a note should not load a table of languages.
 */
import type { Environment } from '../languages/environment.ts';
import { type ConfigPlaces, configFiles, writtenSections } from './config-files.ts';
import { choiceFrom, numberFrom, switchFrom } from './environment-choice.ts';
import { environmentSection } from './environment-section.ts';
import { HOOK_LIMITS, HOOK_VARIABLES, LSP_HOOK_VARIABLES } from './hook-variables.ts';
import { HOOK_MODES, type HookMode } from './lsp-actions.ts';
import type { FileSection } from './schema.ts';

export interface HookSettings {
  readonly isEnabled: boolean;
  /** When errors are reported; `disabled` is another word for off. */
  readonly mode: HookMode;
  /** How long a hook may take; by what its client allows if not said. */
  readonly timeoutMs: number | undefined;
  /** About how long a report may be. */
  readonly maxTokens: number;
}

export interface HookConfig {
  readonly hook: HookSettings;
}

const DEFAULT_TOKENS = 600;

/** `sections` are what files say, weakest first: each setting has the strongest word. */
export function hookConfig(
  sections: readonly FileSection[],
  environment: Environment,
  mode?: HookMode,
): HookConfig {
  const said = <Value>(read: (section: FileSection) => Value | undefined): Value | undefined =>
    sections.map(read).findLast((value) => value !== undefined);
  const isModuleOn =
    switchFrom(environment, LSP_HOOK_VARIABLES['lsp.enabled']) ?? said(({ lsp }) => lsp?.enabled) ?? true;
  const isOn =
    switchFrom(environment, HOOK_VARIABLES['hook.enabled']) ??
    switchFrom(environment, LSP_HOOK_VARIABLES['lsp.hook.enabled']) ??
    said(({ hook, lsp }) => hook?.enabled ?? lsp?.hook?.enabled) ??
    true;
  const seconds =
    numberFrom(environment, HOOK_VARIABLES['hook.timeout_seconds'], HOOK_LIMITS.timeoutSeconds) ??
    said(({ hook }) => hook?.timeout_seconds);
  return {
    hook: {
      isEnabled: isModuleOn && isOn,
      mode:
        mode ??
        choiceFrom(environment, HOOK_VARIABLES['hook.mode'], HOOK_MODES) ??
        choiceFrom(environment, LSP_HOOK_VARIABLES['lsp.hook.mode'], HOOK_MODES) ??
        said(({ hook, lsp }) => hook?.mode ?? lsp?.hook?.mode) ??
        'agent_end',
      timeoutMs: seconds === undefined ? undefined : seconds * 1_000,
      maxTokens:
        numberFrom(environment, HOOK_VARIABLES['hook.max_tokens'], HOOK_LIMITS.maxTokens) ??
        said(({ hook }) => hook?.max_tokens) ??
        DEFAULT_TOKENS,
    },
  };
}

/** Nothing but these settings, from the same places and by the same rules as a whole configuration. */
export async function loadHookSettings(places: ConfigPlaces, mode?: HookMode): Promise<HookSettings> {
  const files = configFiles(places);
  const sections = [...(await writtenSections(files)), await environmentSection(places.environment)];
  return hookConfig(sections, places.environment, mode).hook;
}

/** Whether anything but the end of a session is to be followed. */
export function isHookOn({ isEnabled, mode }: HookSettings): boolean {
  return isEnabled && mode !== 'disabled';
}
