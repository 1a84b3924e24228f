/** What `status` answers: gathered when asked, nothing of it is kept. */
import type { Clock } from '../shared/base/lifetime.ts';
import type { Host } from '../shared/host/host.ts';
import type { BrokerStatus } from '../shared/rendezvous/broker-protocol.ts';
import { type DaemonRecord, logPath } from '../shared/rendezvous/daemon-record.ts';
import type { IdleTimer } from './idle.ts';
import type { Latencies } from './latencies.ts';
import type { Listener } from './listener.ts';
import type { MemoryMeter } from './memory.ts';
import type { ServerUse } from './server-use.ts';

export interface StatusSources {
  readonly directory: string;
  readonly record: DaemonRecord;
  readonly host: Host | undefined;
  readonly listener: Listener;
  readonly idle: IdleTimer;
  readonly latencies: Latencies;
  readonly memory: MemoryMeter;
  readonly use: ServerUse;
  /** What all brokers may take together, if there is a limit. */
  readonly maxBytes: number | undefined;
  readonly clock: Clock;
  readonly startedAt: number;
  readonly draining: boolean;
}

export async function brokerStatus(sources: StatusSources): Promise<BrokerStatus> {
  const { record, host, listener } = sources;
  // Measuring takes a while; everything else is as it is when the answer goes out.
  const memory = await sources.memory.figures();
  const sessions = listener.sessions.map((session) => session.summary);
  const counters = host?.counters;
  return {
    pid: record.process.pid,
    generation: record.generation,
    version: record.version,
    root: record.root,
    language: record.language,
    command: record.command,
    socketPath: record.socketPath,
    logPath: logPath(sources.directory),
    state: host?.state ?? { kind: 'idle' },
    draining: sources.draining,
    uptimeMs: Math.round(sources.clock.now() - sources.startedAt),
    idleExitInMs: listener.inUse ? null : Math.round(sources.idle.remainingMs),
    sessions,
    server: {
      ...(counters?.pid === undefined ? {} : { pid: counters.pid }),
      instance: counters?.instance ?? 0,
      crashes: counters?.crashes ?? 0,
      openDocuments: counters?.openDocuments ?? 0,
    },
    memory,
    requests: sources.latencies.summary(),
    use: { running: listener.running, ...sources.use.times },
    ...(sources.maxBytes === undefined ? {} : { budget: { maxBytes: sources.maxBytes } }),
  };
}
