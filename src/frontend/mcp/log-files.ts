/** The log file of a process, for users who ask for one; all sessions of the process write to the same. */
import path from 'node:path';
import { messageOf } from '../../shared/base/failure.ts';
import type { Config } from '../../shared/config/config.ts';
import { VERSION } from '../../shared/version.ts';
import type { LogFile } from './log-file.ts';
import type { SessionLog } from './session-log.ts';

export class LogFiles {
  readonly #byDirectory = new Map<string, Promise<LogFile>>();

  /** From here on the log looks as the configuration says, and goes to the file as well if that says so. */
  async add(
    log: SessionLog,
    { logMode, logFormats, stateDir }: Pick<Config, 'logMode' | 'logFormats' | 'stateDir'>,
  ): Promise<void> {
    log.format = logFormats.stderr;
    if (logMode === 'stderr') return;
    const directory = path.join(stateDir, 'logs');
    try {
      const opening = this.#byDirectory.get(directory) ?? begin(directory);
      this.#byDirectory.set(directory, opening);
      const file = await opening;
      log.toFile(
        { write: (line) => file.write(line), format: logFormats.file },
        { instead: logMode === 'file' },
      );
      log.info('log file begun', { version: VERSION, node: process.version, directory, mode: logMode });
    } catch (error) {
      log.error('no log file can be written', { directory, error: messageOf(error) });
    }
  }
}

async function begin(directory: string): Promise<LogFile> {
  const { LogFile } = await import('./log-file.ts');
  return new LogFile(directory, new Date());
}
