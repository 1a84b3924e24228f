/** The log file of a process, for users who ask for one; all sessions of the process write to the same. */
import path from 'node:path';
import { messageOf } from '../../shared/base/failure.ts';
import type { Config } from '../../shared/config/config.ts';
import { VERSION } from '../../shared/version.ts';
import type { LogFile } from './log-file.ts';
import type { SessionLog } from './session-log.ts';

export class LogFiles {
  readonly #byDirectory = new Map<string, Promise<LogFile>>();

  /** From here on the log goes to the file as well, if the configuration says so. */
  async add(log: SessionLog, { logMode, stateDir }: Pick<Config, 'logMode' | 'stateDir'>): Promise<void> {
    if (logMode === 'stderr') return;
    const directory = path.join(stateDir, 'logs');
    try {
      const opening = this.#byDirectory.get(directory) ?? begin(directory);
      this.#byDirectory.set(directory, opening);
      const file = await opening;
      log.toFile((line) => file.write(line), { instead: logMode === 'file' });
      log.info('log file begun', { version: VERSION, directory, mode: logMode });
    } catch (error) {
      log.error('no log file can be written', { directory, error: messageOf(error) });
    }
  }
}

async function begin(directory: string): Promise<LogFile> {
  const { LogFile } = await import('./log-file.ts');
  return new LogFile(directory, new Date());
}
