import type { Log } from '../../shared/base/log.ts';

/** A promise that nobody looked at is no reason to leave; an error in the middle of things is, but in good order. */
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
