/**
 * Looking at brokers and stopping them, for the command line. Uses only what is frozen in the protocol,
 * so it works on brokers of every version.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { messageOf, systemCode } from '../../shared/base/failure.ts';
import { type Clock, delay, systemClock } from '../../shared/base/lifetime.ts';
import { livenessOf, ownIdentity } from '../../shared/process/process-identity.ts';
import type { BrokerStatus, StopParams } from '../../shared/rendezvous/broker-protocol.ts';
import {
  askStatus,
  askToStop,
  contactBroker,
  daemonDirectories,
} from '../../shared/rendezvous/broker-questions.ts';
import { type LastExit, readLastExit } from '../../shared/rendezvous/daemon-notes.ts';
import {
  type DaemonRecord,
  RecordFile,
  readRecord,
  readRecordPatiently,
  recordPath,
} from '../../shared/rendezvous/daemon-record.ts';
import { bury, claimPath, sweep } from '../../shared/rendezvous/ownership-graves.ts';
import { verdictOn } from '../../shared/rendezvous/ownership-verdict.ts';
import { BROKER_PROTOCOL, VERSION } from '../../shared/version.ts';

export type BrokerListing =
  | { kind: 'running'; directory: string; record: DaemonRecord; status: BrokerStatus }
  /** There is an owner, but it does not answer: stopped, hung, overloaded, or out of reach. */
  | { kind: 'unreachable'; directory: string; record: DaemonRecord; reason: string }
  /** The owner is dead; the next broker, or `cleanStale`, removes its descriptor. */
  | { kind: 'stale'; directory: string; record: DaemonRecord | undefined; reason: string }
  | { kind: 'stopped'; directory: string; lastExit: LastExit };

const IGNORED_AFTER_MS = 5000;
const FORGET_AFTER_MS = 7 * 24 * 3600_000;

/** All brokers of this user's state directory, running ones first. */
export async function listBrokers(stateDirectory: string): Promise<readonly BrokerListing[]> {
  const listings = await Promise.all(daemonDirectories(stateDirectory).map(look));
  const order: BrokerListing['kind'][] = ['running', 'unreachable', 'stale', 'stopped'];
  return listings
    .filter((listing) => listing !== undefined)
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || compare(a.directory, b.directory));
}

export type StopOutcome =
  | { kind: 'stopped' }
  /** It did not react to `stop` and was ended by a signal. */
  | { kind: 'killed' }
  | { kind: 'gone-before' }
  | { kind: 'still-there'; reason: string };

export interface StopOptions {
  readonly mode: StopParams['mode'];
  readonly reason: string;
  /** How long a drain may take before it counts as still there. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/** Asks a broker to stop and waits until it has. */
export async function stopBroker(record: DaemonRecord, options: StopOptions): Promise<StopOutcome> {
  const { mode, reason, timeoutMs = 75_000, clock = systemClock } = options;
  const contact = await contactBroker(record);
  if (contact.kind !== 'answered') {
    const liveness = livenessOf(record.process);
    if (liveness === 'gone' || liveness === 'different') return { kind: 'gone-before' };
    return { kind: 'still-there', reason: `it cannot be asked: ${contact.kind} (${contact.detail})` };
  }
  // The greeting has proved that this generation is behind the socket; the record says which process that is.
  await askToStop(contact.channel, { mode, reason });
  if (await hasGone(record, mode === 'now' ? IGNORED_AFTER_MS : timeoutMs, clock)) return { kind: 'stopped' };
  if (mode === 'drain')
    return { kind: 'still-there', reason: 'calls are still running; stop it with mode "now"' };
  if (livenessOf(record.process) !== 'alive') return { kind: 'stopped' };
  signal(record, 'SIGTERM');
  if (await hasGone(record, IGNORED_AFTER_MS, clock)) return { kind: 'killed' };
  signal(record, 'SIGKILL');
  if (await hasGone(record, IGNORED_AFTER_MS, clock)) return { kind: 'killed' };
  return { kind: 'still-there', reason: `process ${record.process.pid} does not end` };
}

/** Stops a broker and has `start` bring up its successor, which makes a fresh plan for the same root and language. */
export async function restartBroker(
  record: DaemonRecord,
  options: StopOptions & { start(record: DaemonRecord): Promise<void> },
): Promise<StopOutcome> {
  const outcome = await stopBroker(record, options);
  if (outcome.kind !== 'still-there') await options.start(record);
  return outcome;
}

/** Removes what dead brokers have left, and directories that nobody has used for a week; returns what went. */
export async function cleanStale(
  stateDirectory: string,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const directory of daemonDirectories(stateDirectory)) {
    const listing = await look(directory);
    if (listing?.kind === 'running' || listing?.kind === 'unreachable') continue;
    if (listing?.kind === 'stopped' && now - listing.lastExit.at > FORGET_AFTER_MS) {
      rmSync(directory, { recursive: true, force: true });
      removed.push(directory);
      continue;
    }
    const generation = randomBytes(8).toString('hex');
    if (listing?.kind === 'stale' && (await buryStale(directory, generation)))
      removed.push(recordPath(directory));
    const swept = await sweep(directory, generation);
    removed.push(...swept.map((name) => path.join(directory, name)));
  }
  return removed;
}

async function look(directory: string): Promise<BrokerListing | undefined> {
  const reading = await readRecordPatiently(recordPath(directory));
  if (reading.kind === 'absent') {
    const lastExit = readLastExit(directory);
    return lastExit && { kind: 'stopped', directory, lastExit };
  }
  if (reading.kind !== 'found')
    return { kind: 'stale', directory, record: undefined, reason: reading.reason };
  const { record } = reading;
  const contact = await contactBroker(record);
  if (contact.kind === 'answered') {
    try {
      return { kind: 'running', directory, record, status: await askStatus(contact.channel) };
    } catch (error) {
      return { kind: 'unreachable', directory, record, reason: messageOf(error) };
    } finally {
      contact.channel.close('looked');
    }
  }
  const { verdict, liveness } = verdictOn(record.process, contact.kind);
  const reason = `process ${record.process.pid} is ${liveness}; its socket: ${contact.kind} (${contact.detail})`;
  return { kind: verdict === 'dead' ? 'stale' : 'unreachable', directory, record, reason };
}

/** By the same rule as brokers do it among themselves: only one may remove a dead owner's descriptor. */
async function buryStale(directory: string, generation: string): Promise<boolean> {
  const body = readRecord(recordPath(directory));
  if (body.kind !== 'found' && body.kind !== 'corrupt') return false;
  const none = { key: '', root: '', language: '', command: '', version: VERSION, protocol: BROKER_PROTOCOL };
  const times = { ready: false, startedAt: Date.now(), lastActivityAt: Date.now() };
  const claim = new RecordFile(claimPath(directory, generation), {
    ...{ generation, socketPath: '', token: '', process: ownIdentity() },
    ...none,
    ...times,
  });
  try {
    return (await bury(body, { directory, claimFile: claim.path, generation })) === 'buried';
  } finally {
    claim.removeName();
    claim.close();
  }
}

async function hasGone(record: DaemonRecord, timeoutMs: number, clock: Clock): Promise<boolean> {
  for (const end = clock.now() + timeoutMs; clock.now() < end; await delay(50, { clock })) {
    const liveness = livenessOf(record.process);
    if (liveness === 'gone' || liveness === 'different') return true;
  }
  return false;
}

function signal(record: DaemonRecord, name: NodeJS.Signals): void {
  if (livenessOf(record.process) !== 'alive') return;
  try {
    process.kill(record.process.pid, name);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
