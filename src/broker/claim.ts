/**
 * Becoming the owner of a key. The socket listens before the descriptor is published, and `link(2)` decides between
 * contenders: it is atomic, exclusive, and never shows half a file. A contender that finds the name taken greets the
 * owner before anything else, and touches nothing unless that owner is proved dead.
 */
import { messageOf, systemCode } from '../shared/base/failure.ts';
import { type Clock, delay } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import { greet } from '../shared/rendezvous/broker-channel.ts';
import {
  type DaemonRecord,
  RecordFile,
  readRecordPatiently,
  recordPath,
} from '../shared/rendezvous/daemon-record.ts';
import { bury, claimPath } from '../shared/rendezvous/ownership-graves.ts';
import { verdictOn } from '../shared/rendezvous/ownership-verdict.ts';
import { ensurePrivateDirectory } from '../shared/rendezvous/private-directory.ts';
import { BROKER_PROTOCOL, VERSION } from '../shared/version.ts';
import type { AtPoint } from './crash-points.ts';

export interface ClaimOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly at: AtPoint;
  /** How long an owner may go without a socket before the contender gives up: its self-check takes 5 s. */
  readonly patienceMs?: number;
  readonly greetingMs?: number;
  /** True once this process was asked to leave: a contender gives up then. */
  stopped?(): boolean;
}

export type ClaimOutcome =
  /** The descriptor is ours; the file is kept open for updates. */
  | { kind: 'owner'; file: RecordFile }
  | { kind: 'lost'; generation: string }
  | { kind: 'busy'; reason: string };

export async function claim(record: DaemonRecord, options: ClaimOptions): Promise<ClaimOutcome> {
  const contender = new Contender(record, options);
  try {
    const outcome = await contender.contend();
    if (outcome.kind !== 'owner') contender.withdraw();
    return outcome;
  } catch (error) {
    contender.withdraw();
    throw error;
  }
}

type Finding = { kind: 'again'; wait: boolean; why: string } | Exclude<ClaimOutcome, { kind: 'owner' }>;

class Contender {
  readonly #record: DaemonRecord;
  readonly #options: ClaimOptions;
  readonly #target: string;
  #file: RecordFile | undefined;

  constructor(record: DaemonRecord, options: ClaimOptions) {
    this.#record = record;
    this.#options = options;
    this.#target = recordPath(options.directory);
  }

  async contend(): Promise<ClaimOutcome> {
    const { clock, patienceMs = 6000 } = this.#options;
    const deadline = clock.now() + patienceMs;
    for (let round = 0; ; round++) {
      if (this.#options.stopped?.()) return { kind: 'busy', reason: 'asked to stop' };
      const file = await this.#publish();
      if (file) return { kind: 'owner', file };
      const finding = await this.#examine();
      if (finding.kind !== 'again') return finding;
      if (finding.wait && clock.now() >= deadline) return { kind: 'busy', reason: finding.why };
      if (finding.wait) await delay(jitter(Math.min(250, 20 * 1.5 ** round)), { clock });
    }
  }

  withdraw(): void {
    this.#file?.removeName();
    this.#file?.close();
    this.#file = undefined;
  }

  async #publish(): Promise<RecordFile | undefined> {
    this.#file ??= this.#write();
    await this.#options.at('before-publish');
    try {
      if (!this.#file.linkAs(this.#target)) return undefined;
    } catch (error) {
      // The directory was removed under us: write the claim again and look again.
      if (systemCode(error) !== 'ENOENT') throw error;
      this.withdraw();
      return undefined;
    }
    await this.#options.at('after-publish');
    this.#file.removeName();
    return this.#file;
  }

  #write(): RecordFile {
    ensurePrivateDirectory(this.#options.directory);
    return new RecordFile(claimPath(this.#options.directory, this.#record.generation), this.#record);
  }

  async #examine(): Promise<Finding> {
    const { clock, log, greetingMs = 2000 } = this.#options;
    const reading = await readRecordPatiently(this.#target, clock);
    if (reading.kind === 'absent') return { kind: 'again', wait: false, why: '' };
    if (reading.kind === 'forbidden') return { kind: 'busy', reason: reading.reason };
    if (reading.kind === 'corrupt') {
      log.warn('the descriptor makes no sense; removing it', { reason: reading.reason });
      return this.#bury(reading);
    }
    const { record } = reading;
    if (record.generation === this.#record.generation)
      return { kind: 'again', wait: true, why: 'it is my own' };
    const hello = {
      protocol: [BROKER_PROTOCOL, BROKER_PROTOCOL],
      version: VERSION,
      clientPid: process.pid,
    } as const;
    const contact = await greet(record, { hello, timeoutMs: greetingMs, clock });
    if (contact.kind === 'answered') {
      contact.channel.close('checked');
      if (contact.hello.state === 'draining')
        return { kind: 'again', wait: true, why: 'the owner is leaving' };
      return { kind: 'lost', generation: record.generation };
    }
    const { verdict, liveness } = verdictOn(record.process, contact.kind);
    const facts = `process ${record.process.pid} is ${liveness}, its socket: ${contact.kind} (${contact.detail})`;
    switch (verdict) {
      case 'dead':
        log.info('taking over from a dead owner', { generation: record.generation, facts });
        return this.#bury(reading);
      case 'silent':
      case 'forbidden':
        return { kind: 'busy', reason: facts };
      case 'socket-lost':
      case 'overloaded':
        return { kind: 'again', wait: true, why: facts };
    }
  }

  async #bury(body: Parameters<typeof bury>[0]): Promise<Finding> {
    const burial = await bury(body, {
      directory: this.#options.directory,
      claimFile: claimPath(this.#options.directory, this.#record.generation),
      generation: this.#record.generation,
      at: this.#options.at,
    }).catch((error: unknown) => {
      throw new Error(`removing a dead owner's descriptor: ${messageOf(error)}`, { cause: error });
    });
    return { kind: 'again', wait: burial === 'held', why: 'another broker is removing a dead owner' };
  }
}

/** Contenders that failed together must not try again together. */
function jitter(ms: number): number {
  return ms * (0.5 + Math.random());
}
