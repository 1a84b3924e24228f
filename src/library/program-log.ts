/** The log of a program: what it is told goes to its own function, and nothing is ever printed. */
import { type Log, silentLog } from '../shared/base/log.ts';
import type { OpenOptions } from './contract.ts';

export function logOf(log: OpenOptions['log']): Log {
  if (log === undefined) return silentLog;
  return {
    debug: (event, fields) => log('debug', event, fields),
    info: (event, fields) => log('info', event, fields),
    warn: (event, fields) => log('warn', event, fields),
    error: (event, fields) => log('error', event, fields),
  };
}
