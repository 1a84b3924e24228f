/** Settings of what looks after code and program: the type checker that is run, figures of calls, and health_check. */
import path from 'node:path';
import type { Environment } from '../languages/environment.ts';
import { commandFrom } from './command-words.ts';
import type { FileSection } from './schema.ts';

export interface CheckConfig {
  readonly checkTypes: {
    /** The checker's command and its first arguments, where it is not to be found by itself. */
    readonly command: readonly [string, ...string[]] | undefined;
    readonly timeoutMs: number;
  };
  /** Whether the calls of a session are counted and timed. */
  readonly hasMetrics: boolean;
  readonly hasHealthCheck: boolean;
}

const DEFAULT_CHECK_SECONDS = 30;
export const MOST_CHECK_SECONDS = 1_800;

/** `sections` are what `origins` say, weakest first; each setting has the strongest word. */
export function checkConfig(
  sections: readonly FileSection[],
  origins: readonly string[],
  { homedir }: Environment,
): CheckConfig {
  const saidIn = sections.findLastIndex(({ check_types }) => check_types?.command !== undefined);
  const command = sections[saidIn]?.check_types?.command;
  const seconds = sections.flatMap(({ check_types }) => check_types?.timeout_seconds ?? []).at(-1);
  return {
    checkTypes: {
      command: command && commandFrom(command, path.dirname(origins[saidIn] ?? '.'), homedir),
      timeoutMs: (seconds ?? DEFAULT_CHECK_SECONDS) * 1_000,
    },
    hasMetrics: sections.flatMap(({ metrics }) => metrics ?? []).at(-1) ?? true,
    hasHealthCheck: sections.flatMap(({ health_check }) => health_check ?? []).at(-1) ?? true,
  };
}
