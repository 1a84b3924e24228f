/** The eight levels of MCP logging (those of syslog) and how the four of base/log.ts map onto them. */
import type { LogLevel } from '../../shared/base/log.ts';

export const LOG_THRESHOLDS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogThreshold = (typeof LOG_THRESHOLDS)[number];

export function thresholdOf(level: LogLevel): LogThreshold {
  return level === 'warn' ? 'warning' : level;
}

export function isLogged(level: LogLevel, threshold: LogThreshold): boolean {
  return LOG_THRESHOLDS.indexOf(thresholdOf(level)) >= LOG_THRESHOLDS.indexOf(threshold);
}
