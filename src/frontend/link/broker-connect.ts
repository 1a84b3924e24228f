/**
 * From a plan to a greeted broker: the one that is recorded, or a new one. Nothing here decides that a broker is dead;
 * a broker that cannot be reached and is not proved dead is `broker-unavailable`, and the caller goes another way.
 */
import path from 'node:path';
import { FailureError, fail, messageOf } from '../../shared/base/failure.ts';
import { type Clock, delay, systemClock } from '../../shared/base/lifetime.ts';
import { type Log, silentLog } from '../../shared/base/log.ts';
import {
  type BrokerChannel,
  type Contact,
  greet,
  type NoContact,
} from '../../shared/rendezvous/broker-channel.ts';
import { BROKER } from '../../shared/rendezvous/broker-methods.ts';
import type { BrokerLaunch, StopParams } from '../../shared/rendezvous/broker-protocol.ts';
import {
  type DaemonRecord,
  daemonDirectory,
  logPath,
  type RecordReading,
  readRecord,
  readRecordPatiently,
  recordPath,
} from '../../shared/rendezvous/daemon-record.ts';
import { verdictOn } from '../../shared/rendezvous/ownership-verdict.ts';
import { trustProblem } from '../../shared/rendezvous/private-directory.ts';
import { BROKER_PROTOCOL, VERSION } from '../../shared/version.ts';
import { LOCK_STALE_MS, trySpawnLock } from './broker-lock.ts';
import { type BrokerProgram, spawnBroker } from './broker-spawn.ts';
import { compareVersions } from './version-skew.ts';

export interface BrokerTarget {
  readonly stateDirectory: string;
  readonly key: string;
  readonly launch: BrokerLaunch;
  readonly program: BrokerProgram;
}

export interface ConnectOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly signal?: AbortSignal | undefined;
  /** For the whole way to a greeting, starting a process included. */
  readonly budgetMs?: number;
  readonly helloMs?: number;
  /** What this front end says it is. */
  readonly version?: string;
  readonly protocol?: number;
  /** Told of the channel to a broker of the same version, when the greeting is out. */
  readonly onGreeting?: (channel: BrokerChannel, record: DaemonRecord) => void;
}

export interface ConnectedBroker {
  readonly channel: BrokerChannel;
  readonly record: DaemonRecord;
}

const MAX_SPAWNS = 3;

export async function connectToBroker(
  target: BrokerTarget,
  options: ConnectOptions = {},
): Promise<ConnectedBroker> {
  try {
    return await new Search(target, options).run();
  } catch (error) {
    if (error instanceof FailureError) throw error;
    // A full or read-only disk, for instance.
    throw new FailureError({ kind: 'broker-unavailable', reason: messageOf(error) }, { cause: error });
  }
}

class Search {
  readonly #target: BrokerTarget;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #signal: AbortSignal | undefined;
  readonly #helloMs: number;
  readonly #version: string;
  readonly #protocol: number;
  readonly #onGreeting: ConnectOptions['onGreeting'];
  readonly #directory: string;
  readonly #deadline: number;
  readonly #asked = new Set<string>();
  #spawns = 0;
  #lockedSince: number | undefined;
  #why = 'it did not answer';

  constructor(target: BrokerTarget, options: ConnectOptions) {
    this.#target = target;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#signal = options.signal;
    this.#helloMs = options.helloMs ?? 2000;
    this.#version = options.version ?? VERSION;
    this.#protocol = options.protocol ?? BROKER_PROTOCOL;
    this.#onGreeting = options.onGreeting;
    this.#directory = daemonDirectory(target.stateDirectory, target.key);
    this.#deadline = this.#clock.now() + (options.budgetMs ?? 10_000);
  }

  async run(): Promise<ConnectedBroker> {
    // A descriptor that another user could have written may lead anywhere.
    const problem = trustProblem(path.dirname(this.#directory)) ?? trustProblem(this.#directory);
    if (problem) this.#unavailable(problem);
    for (let round = 0; ; round++) {
      if (this.#signal?.aborted) fail({ kind: 'cancelled' });
      if (this.#left() <= 0) this.#unavailable(this.#why);
      const reading = await readRecordPatiently(recordPath(this.#directory), this.#clock);
      const found = await this.#follow(reading);
      if (found === 'wait') await this.#pause(round);
      else if (found !== 'again') return found;
    }
  }

  async #follow(reading: RecordReading): Promise<ConnectedBroker | 'wait' | 'again'> {
    if (reading.kind === 'forbidden') return this.#unavailable(reading.reason);
    if (reading.kind !== 'found') return this.#provide(undefined);
    const { record } = reading;
    const timeoutMs = Math.min(this.#helloMs, this.#left());
    const protocol = [this.#protocol, this.#protocol] as const;
    const hello = { protocol, version: this.#version, clientPid: process.pid };
    // Another version may not know what is said next, or is about to be told to leave.
    const isAlike = record.protocol === this.#protocol && record.version === this.#version;
    const onGreeting = (channel: BrokerChannel) => {
      if (isAlike) this.#onGreeting?.(channel, record);
    };
    const contact = await greet(record, { hello, timeoutMs, clock: this.#clock, onGreeting });
    return contact.kind === 'answered' ? this.#accept(contact, record) : this.#assess(contact, record);
  }

  async #accept(
    { channel, hello }: Extract<Contact, { kind: 'answered' }>,
    record: DaemonRecord,
  ): Promise<ConnectedBroker | 'wait'> {
    // One that we had started ourselves is taken as it is, or two installations would replace each other for ever.
    const older =
      this.#spawns === 0 &&
      (compareVersions(hello.version, this.#version) < 0 ||
        (hello.protocol === null && record.protocol < this.#protocol));
    if (older && hello.state === 'serving' && !this.#asked.has(hello.generation)) {
      this.#asked.add(hello.generation);
      this.#log.info('asking an older daemon to leave', { version: hello.version });
      const stop: StopParams = { mode: 'drain', reason: `replaced by version ${this.#version}` };
      await channel
        .request(BROKER.stop, stop, { signal: AbortSignal.timeout(this.#helloMs) })
        .catch(() => {});
    }
    if (older || hello.state === 'draining') {
      channel.close('looking for a newer one');
      this.#why = `a daemon of version ${hello.version} is leaving`;
      return 'wait';
    }
    if (hello.protocol === null) {
      channel.close('no protocol in common');
      return this.#unavailable(
        `the daemon of this workspace (version ${hello.version}) does not speak with version ${this.#version}`,
      );
    }
    return { channel, record };
  }

  #assess(contact: NoContact, record: DaemonRecord): Promise<'wait' | 'again'> | 'wait' {
    const { verdict, liveness } = verdictOn(record.process, contact.kind);
    this.#why = `daemon ${record.process.pid} at ${record.socketPath}: ${contact.kind}, ${contact.detail}`;
    switch (verdict) {
      case 'dead':
        return this.#provide(record.generation);
      case 'silent':
        return this.#unavailable(`${this.#why}; the process is ${liveness} and is left alone`);
      case 'forbidden':
        return this.#unavailable(
          `${this.#why}. A sandbox may forbid local sockets: allow ${this.#directory}, or turn the daemon off`,
        );
      case 'socket-lost':
        // Another process may be able to see more of it; it answers `busy` if not.
        return liveness === 'unknown' ? this.#provide(record.generation) : 'wait';
      case 'overloaded':
        return 'wait';
    }
  }

  /** Has a broker started, by this front end or another. `dead` is the generation that was given up, if any. */
  async #provide(dead: string | undefined): Promise<'wait' | 'again'> {
    await using lock = await trySpawnLock(this.#directory, this.#log);
    if (!lock) {
      this.#lockedSince ??= this.#clock.now();
      if (this.#clock.now() - this.#lockedSince < LOCK_STALE_MS) return 'wait';
    }
    // The front end that held the lock before may just have finished.
    const current = readRecord(recordPath(this.#directory));
    if (current.kind === 'found' && current.record.generation !== dead) return 'again';
    if (++this.#spawns > MAX_SPAWNS) this.#unavailable(`${MAX_SPAWNS} daemons were started and did not stay`);
    const { stateDirectory, launch, program } = this.#target;
    const outcome = await spawnBroker({
      directory: this.#directory,
      stateDirectory,
      launch,
      program,
      clock: this.#clock,
      timeoutMs: this.#left(),
    });
    this.#log.debug('started a daemon', { outcome: outcome.kind });
    if (outcome.kind === 'failed') this.#unavailable(outcome.reason);
    if (outcome.kind === 'provided') return 'again';
    this.#why = outcome.reason;
    return 'wait';
  }

  async #pause(round: number): Promise<void> {
    const ms = Math.min(250, 20 * 1.5 ** round) * (0.5 + Math.random());
    await delay(Math.min(ms, this.#left()), { clock: this.#clock, signal: this.#signal });
  }

  #left(): number {
    return Math.max(0, this.#deadline - this.#clock.now());
  }

  #unavailable(reason: string): never {
    throw new FailureError({ kind: 'broker-unavailable', reason, log: logPath(this.#directory) });
  }
}
