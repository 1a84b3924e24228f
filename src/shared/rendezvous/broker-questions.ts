/**
 * What any process may ask any broker, whatever the versions of the two: the frozen part of the protocol from the
 * asking side, and where brokers are found. Command line and brokers among themselves use it.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { FailureError, systemCode } from '../base/failure.ts';
import type { Clock } from '../base/lifetime.ts';
import { BROKER_PROTOCOL, VERSION } from '../version.ts';
import { type BrokerChannel, type Contact, greet } from './broker-channel.ts';
import { BROKER } from './broker-methods.ts';
import type { BrokerStatus, SleepParams, StopParams } from './broker-protocol.ts';
import { type DaemonRecord, daemonsDirectory } from './daemon-record.ts';

const ANSWER_WITHIN_MS = 2000;

/** The directories of all keys, also of those that no broker owns at present. */
export function daemonDirectories(stateDirectory: string): string[] {
  const parent = daemonsDirectory(stateDirectory);
  try {
    return readdirSync(parent)
      .map((name) => path.join(parent, name))
      .filter((directory) => statSync(directory, { throwIfNoEntry: false })?.isDirectory());
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Greets without joining: the broker's idle time goes on afterwards as if nobody had come. */
export function contactBroker(record: DaemonRecord, clock?: Clock): Promise<Contact> {
  const hello = {
    protocol: [BROKER_PROTOCOL, BROKER_PROTOCOL],
    version: VERSION,
    clientPid: process.pid,
  } as const;
  return greet(record, { hello, timeoutMs: ANSWER_WITHIN_MS, ...(clock ? { clock } : {}) });
}

export function askStatus(channel: BrokerChannel): Promise<BrokerStatus> {
  return channel.request(BROKER.status, {}, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
}

/** Whether it has let its server sleep; a broker that does not know how fails. */
export async function askForSleep(channel: BrokerChannel, sleep: SleepParams): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return (await channel.request(BROKER.sleep, sleep, { signal })) === true;
}

/** Asks and hangs up. Leaving may overtake the answer; whether it left must be looked at in any case. */
export async function askToStop(channel: BrokerChannel, stop: StopParams): Promise<void> {
  try {
    await channel.request(BROKER.stop, stop, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
  } finally {
    channel.close('asked to stop');
  }
}
