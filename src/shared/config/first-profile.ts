/**
 * Which tools a session will begin with, as far as that can be told before its configuration is read: a handshake is
 * answered before, and what it says of the tools has to be true of them.
 */
import { readFileSync } from 'node:fs';
import { LOG_FORMATS, type LogFormat, TOOL_PROFILES, type ToolProfile } from './choices.ts';
import { userConfigFiles } from './state-dir.ts';

interface SaidOnCommandLine {
  readonly tools?: ToolProfile | undefined;
  readonly configFile?: string | undefined;
}

/** Undefined when a file may say it. */
export function firstProfile({ tools, configFile }: SaidOnCommandLine): ToolProfile | undefined {
  const said =
    tools ?? TOOL_PROFILES.find((profile) => profile === process.env.AGENT_LSP_TOOLS?.toLowerCase());
  if (said !== undefined) return said;
  const files = [...userConfigFiles(), ...(configFile === undefined ? [] : [configFile])];
  return files.some(mayChooseTools) ? undefined : 'auto';
}

/** How lines of the log look on standard error until the configuration is read. */
export function firstLogFormat(profile: ToolProfile | undefined): LogFormat {
  const said = process.env.AGENT_LSP_LOG_FORMAT?.toLowerCase();
  return LOG_FORMATS.find((format) => format === said) ?? usualLogFormat(profile);
}

/** Users of `--tools pyright` know a log for programs on standard error. */
export function usualLogFormat(profile: ToolProfile | undefined): LogFormat {
  return profile === 'pyright' ? 'json' : 'text';
}

/** A key of that name somewhere is enough: reading it rightly would take longer than the handshake may. */
function mayChooseTools(file: string): boolean {
  try {
    return /\btools\b["']?\s*[:=]/.test(readFileSync(file, 'utf8'));
  } catch {
    return true;
  }
}
