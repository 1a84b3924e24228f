/** Leaving in order: a signal ends what is new at once, and gives what runs a few seconds for its answer. */
import { constants } from 'node:os';
import { deferred, systemClock, withTimeout } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { HttpSessions } from './sessions.ts';

/** Settles with the exit code when it is time to leave. A second signal ends the patience. */
export async function askedToLeave(sessions: HttpSessions, patienceMs: number, log: Log): Promise<number> {
  const asked = deferred<void>();
  const insisted = deferred<number>();
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Not `once`: see mcp/stdio.ts.
    process.on(signal, () => {
      asked.resolve();
      if (++signals > 1) insisted.resolve(128 + constants.signals[signal]);
    });
  }
  await asked.promise;
  sessions.drain();
  log.info('http draining', { sessions: sessions.all.length });
  const quiet = sessions.whenQuiet().then(() => 0);
  return withTimeout(Promise.race([quiet, insisted.promise]), patienceMs, () => 0, systemClock);
}
