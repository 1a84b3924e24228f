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
