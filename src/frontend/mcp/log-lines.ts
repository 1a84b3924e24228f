/** One line of a log: for people to read, or as JSON for programs that collect logs. */
import type { LogLevel } from '../../shared/base/log.ts';
import type { LogFormat } from '../../shared/config/choices.ts';

export interface LogEntry {
  readonly at: Date;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `hasTime`: standard error gets its time from whoever collects it, a file from us. */
export function logLine(
  entry: LogEntry,
  format: LogFormat,
  { hasTime }: { readonly hasTime: boolean },
): string {
  return `${format === 'json' ? jsonLine(entry) : textLine(entry, hasTime)}\n`;
}

function textLine({ at, level, event, fields }: LogEntry, hasTime: boolean): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [...(hasTime ? [at.toISOString()] : []), 'agent-lsp', level, event, ...pairs].join(' ');
}

/** A field never takes the place of what every line has. */
function jsonLine({ at, level, event, fields }: LogEntry): string {
  const always = { timestamp: at.toISOString(), level, logger: 'agent-lsp', event };
  return JSON.stringify({ ...always, ...fields, ...always });
}
