/** The broker's log file. Contenders append to it too, so only an owner turns it over. */
import { renameSync, statSync } from 'node:fs';
import { pino } from 'pino';
import type { Log, LogLevel } from '../shared/base/log.ts';

export interface BrokerLog extends Log {
  /** Starts a new file when the old one has grown; one old one is kept. */
  rotate(): void;
  /** Opens the file again, e.g. after its directory was deleted. */
  reopen(): void;
}

const MAX_LOG_BYTES = 5 * 1024 * 1024;
/** A broker may run for weeks, so the size is looked at from time to time. */
const LINES_BETWEEN_LOOKS = 500;

export function openBrokerLog(
  file: string,
  base: Record<string, unknown>,
  level: LogLevel = 'info',
): BrokerLog {
  // Synchronous: the last line before a crash is the one that matters.
  const destination = pino.destination({ dest: file, append: true, sync: true, mode: 0o600 });
  // A full disk must not end the broker.
  destination.on('error', () => {});
  const logger = pino({ base, timestamp: pino.stdTimeFunctions.isoTime, level }, destination);
  const reopen = () => destination.reopen();
  const rotate = () => {
    if (sizeOf(file) <= MAX_LOG_BYTES) return;
    renameSync(file, `${file}.1`);
    reopen();
  };
  let lines = 0;
  const at =
    (each: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}): void => {
      if (!logger.isLevelEnabled(each)) return;
      logger[each](fields, event);
      if (++lines % LINES_BETWEEN_LOOKS === 0) rotate();
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), reopen, rotate };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
