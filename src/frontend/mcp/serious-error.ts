/** What becomes of errors that no code caught: they are logged, and after an exception the process leaves in good order. */
import type { Log } from '../../shared/base/log.ts';

/** The exit code, as soon as the process has to leave: after an exception, but not for a rejected promise that no code waits for. */
export function seriousError(log: Log): Promise<number> {
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { reason: stackOf(reason) }));
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      log.error('uncaught exception', { error: stackOf(error) });
      resolve(1);
    });
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
