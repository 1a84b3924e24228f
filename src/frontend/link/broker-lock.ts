/**
 * One front end starts a broker while the others wait for it. Only to save fifty processes from starting fifty brokers:
 * correctness never rests on this lock, the brokers decide between themselves who stays.
 * Decision: docs/decisions/broker.md#locks-only-save-spawns
 */
import { readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf, systemCode } from '../../shared/base/failure.ts';
import type { Log } from '../../shared/base/log.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import { livenessOf, ownIdentity, type ProcessIdentity } from '../../shared/process/process-identity.ts';
import { parseIdentity, removeFile } from '../../shared/rendezvous/daemon-record.ts';
import { ensurePrivateDirectory } from '../../shared/rendezvous/private-directory.ts';

export const LOCK_STALE_MS = 10_000;

/** The lock, or undefined while another process holds it. */
export async function trySpawnLock(directory: string, log: Log): Promise<AsyncDisposable | undefined> {
  ensurePrivateDirectory(directory);
  const unlock =
    (await acquire(directory, log)) ?? (breakOrphaned(directory) && (await acquire(directory, log)));
  if (!unlock) return undefined;
  writeFileSync(holderPath(directory), JSON.stringify(ownIdentity()), { mode: 0o600 });
  return {
    async [Symbol.asyncDispose]() {
      if (readHolder(directory)?.pid === process.pid) removeFile(holderPath(directory));
      await unlock().catch((error: unknown) =>
        log.debug('the spawn lock was lost', { error: messageOf(error) }),
      );
    },
  };
}

async function acquire(directory: string, log: Log): Promise<(() => Promise<void>) | undefined> {
  // Loaded only here: it hooks into the process's signals as soon as it is imported.
  const { default: lockfile } = await import('proper-lockfile');
  try {
    return await lockfile.lock(directory, {
      lockfilePath: lockPath(directory),
      realpath: false,
      retries: 0,
      stale: LOCK_STALE_MS,
      // Its heartbeat does not survive a sleeping machine. Then two brokers contend; that is all.
      onCompromised: (error) => log.debug('the spawn lock was lost', { error: error.message }),
    });
  } catch (error) {
    if (systemCode(error) === 'ELOCKED') return undefined;
    throw error;
  }
}

/** Takes the lock from a process that has died with it; waiting for that one would be in vain. */
function breakOrphaned(directory: string): boolean {
  const holder = readHolder(directory);
  const liveness = holder && livenessOf(holder);
  if (liveness !== 'gone' && liveness !== 'different') return false;
  removeFile(holderPath(directory));
  try {
    rmdirSync(lockPath(directory));
  } catch {
    // Another front end was faster.
  }
  return true;
}

function readHolder(directory: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(holderPath(directory), 'utf8'));
    return isObject(value) ? parseIdentity(value) : undefined;
  } catch {
    return undefined;
  }
}

function lockPath(directory: string): string {
  return path.join(directory, 'spawn.lock');
}

function holderPath(directory: string): string {
  return path.join(directory, 'spawn.json');
}
