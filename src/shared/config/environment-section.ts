/**
 * Settings by variables: every key of a configuration file can be given as AGENT_LSP_ and its name in capitals, lists
 * and objects as JSON. They count like a file that is stronger than all others.
 */
import { fail } from '../base/failure.ts';
import { type Environment, variable } from '../languages/environment.ts';
import { FACADE_VARIABLES } from './facade-config.ts';
import { HOOK_VARIABLES } from './hook-variables.ts';
import type { FileSection } from './schema.ts';

const PREFIX = 'AGENT_LSP_';

/** Variables that are read without the schema of files, which most sessions need not load. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  ...'DAEMON PERMISSION TOOLS OUTPUT_FORMAT LOG_LEVEL TYPESCRIPT SUBAGENT AUDIT_LOG ALLOWED_PATHS ALLOWED_ADDRESSES STATE_DIR CALL_TIMEOUT_MS PATIENCE_MS MAX_MEMORY_MB SLEEP_AFTER_SECONDS TOKEN'
    .split(' ')
    .map((name) => `${PREFIX}${name}`),
  ...Object.values(FACADE_VARIABLES),
  ...Object.values(HOOK_VARIABLES),
]);

/** Empty when no variable concerns a setting. */
export async function environmentSection(environment: Environment): Promise<FileSection> {
  const names = Object.keys(environment.env).map((name) => name.toUpperCase());
  if (!names.some((name) => name.startsWith(PREFIX) && !READ_ELSEWHERE.has(name))) return {};
  const { fileSchema } = await import('./schema.ts');
  const said = Object.entries(fileSchema.shape).flatMap(([key, schema]): [string, unknown][] => {
    const name = `${PREFIX}${key.toUpperCase()}`;
    const text = READ_ELSEWHERE.has(name) ? undefined : variable(environment, name);
    if (text === undefined) return [];
    const value = readings(text).find((reading) => schema.safeParse(reading).success);
    return [
      [key, value ?? refuse(name, text, schema.safeParse(readings(text)[0]).error?.issues[0]?.message)],
    ];
  });
  return fileSchema.parse(Object.fromEntries(said));
}

/** What a text may mean, the likeliest first. */
function readings(text: string): readonly unknown[] {
  const lower = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(lower)) return [text === '1' ? 1 : true, true, text];
  if (['0', 'false', 'no', 'off'].includes(lower)) return [text === '0' ? 0 : false, false, text];
  try {
    return [JSON.parse(text), text];
  } catch {
    return [text];
  }
}

function refuse(name: string, text: string, why = 'it cannot be read'): never {
  return fail({
    kind: 'invalid-input',
    message: `the variable ${name} is ${JSON.stringify(text)}: ${why}`,
    next: `Correct it, or unset ${name}.`,
  });
}
