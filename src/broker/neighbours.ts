/**
 * The other brokers of the same state directory: who is there and in use, asking an idle one to leave, and one that
 * nobody asks anything to let its server sleep. They may be of any version, may hang, or may be gone by the time they
 * are asked; then they are left alone.
 */
import { messageOf } from '../shared/base/failure.ts';
import type { Clock } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import { eachBounded } from '../shared/base/pool.ts';
import { isSettled } from '../shared/link/server-link.ts';
import type { BrokerStatus } from '../shared/rendezvous/broker-protocol.ts';
import {
  askForSleep,
  askStatus,
  askToStop,
  contactBroker,
  daemonDirectories,
} from '../shared/rendezvous/broker-questions.ts';
import { type DaemonRecord, readRecordPatiently, recordPath } from '../shared/rendezvous/daemon-record.ts';
import type { BudgetEntry } from './budget.ts';

export interface Neighbour extends BudgetEntry {
  readonly directory: string;
}

export interface NeighbourOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** Each question is bounded in time, so these two bound the whole look. */
const MAX_ASKED = 64;
const ASKED_AT_ONCE = 8;

/** All that answer and stay, except the broker that asks. */
export async function otherBrokers(
  stateDirectory: string,
  ownGeneration: string,
  { clock, log }: NeighbourOptions,
): Promise<readonly Neighbour[]> {
  const published: { directory: string; record: DaemonRecord }[] = [];
  for (const directory of daemonDirectories(stateDirectory)) {
    const record = await recordOf(directory, { clock, log });
    if (record && record.generation !== ownGeneration) published.push({ directory, record });
  }
  // If not all can be asked, then those that may have to leave.
  published.sort((a, b) => a.record.lastActivityAt - b.record.lastActivityAt);
  const asked = await eachBounded(
    published.slice(0, MAX_ASKED),
    ASKED_AT_ONCE,
    async ({ directory, record }) => {
      const status = await statusOf(record, { clock, log });
      return status && !status.draining ? [{ ...budgetEntry(record, status), directory }] : [];
    },
  );
  return asked.flat();
}

export function budgetEntry(record: DaemonRecord, status: BrokerStatus): BudgetEntry {
  const { state, server, use } = status;
  const { brokerRssBytes, treeRssBytes } = status.memory;
  // A server that was just put to sleep may still be on its way out: what it has does not count twice.
  const isThere = state.kind !== 'idle' && server.pid !== undefined;
  const serverRssBytes = isThere ? treeRssBytes - brokerRssBytes : 0;
  return {
    generation: record.generation,
    language: record.language,
    root: record.root,
    idle: status.idleExitInMs !== null && !status.draining,
    lastActivityAt: record.lastActivityAt,
    treeRssBytes: brokerRssBytes + serverRssBytes,
    serverRssBytes,
    ...(use && !status.draining ? { use: { ...use, isSettled: isSettled(state) } } : {}),
  };
}

/**
 * Asks a neighbour to drain, unless it has been used since it was looked at. A drain would let running calls of a new
 * session finish and refuse the next ones, so it looks once more right before. A session that attaches
 * between that answer and the request is told `draining`, and its front end goes on with a successor.
 */
export async function askToLeave(
  { directory, generation, lastActivityAt }: Neighbour,
  reason: string,
  { clock, log }: NeighbourOptions,
): Promise<'asked' | 'left alone'> {
  const record = await recordOf(directory, { clock, log });
  if (record?.generation !== generation || record.lastActivityAt !== lastActivityAt) return 'left alone';
  const contact = await contactBroker(record, clock);
  if (contact.kind !== 'answered') return 'left alone';
  try {
    if (!budgetEntry(record, await askStatus(contact.channel)).idle) return 'left alone';
    await askToStop(contact.channel, { mode: 'drain', reason });
    return 'asked';
  } finally {
    contact.channel.close('looked');
  }
}

/** It looks itself whether that is right, and its next call starts the server again. */
export async function askToSleep(
  { directory, generation }: Neighbour,
  reason: string,
  { clock, log }: NeighbourOptions,
): Promise<'asleep' | 'left alone'> {
  const record = await recordOf(directory, { clock, log });
  if (record?.generation !== generation) return 'left alone';
  const contact = await contactBroker(record, clock);
  if (contact.kind !== 'answered') return 'left alone';
  try {
    return (await askForSleep(contact.channel, { reason })) ? 'asleep' : 'left alone';
  } finally {
    contact.channel.close('looked');
  }
}

async function recordOf(
  directory: string,
  { clock, log }: NeighbourOptions,
): Promise<DaemonRecord | undefined> {
  try {
    const reading = await readRecordPatiently(recordPath(directory), clock);
    if (reading.kind === 'found') return reading.record;
    if (reading.kind !== 'absent') log.debug('skipped a descriptor', { directory, reason: reading.reason });
  } catch (error) {
    log.debug('skipped a descriptor', { directory, reason: messageOf(error) });
  }
  return undefined;
}

async function statusOf(
  record: DaemonRecord,
  { clock, log }: NeighbourOptions,
): Promise<BrokerStatus | undefined> {
  const contact = await contactBroker(record, clock);
  if (contact.kind !== 'answered') {
    log.debug('a neighbour cannot be asked', { root: record.root, contact: contact.kind });
    return undefined;
  }
  try {
    return await askStatus(contact.channel);
  } catch (error) {
    log.debug('a neighbour did not answer', { root: record.root, error: messageOf(error) });
    return undefined;
  } finally {
    contact.channel.close('looked');
  }
}
