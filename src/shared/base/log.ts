/** What the rest of the code knows of logging. Sinks are made by the main modules; stdout is never one of them. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

const ignore = (): void => {};
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The same log, with fields that each entry has beside its own. */
export function withFields(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (event, own) => log.debug(event, { ...fields, ...own }),
    info: (event, own) => log.info(event, { ...fields, ...own }),
    warn: (event, own) => log.warn(event, { ...fields, ...own }),
    error: (event, own) => log.error(event, { ...fields, ...own }),
  };
}
