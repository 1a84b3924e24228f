/** What a broker is made of, and how it comes and goes. */
import type { Clock } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import type { Host } from '../shared/host/host.ts';
import type { DaemonRecord } from '../shared/rendezvous/daemon-record.ts';
import type { EndpointPlace } from '../shared/rendezvous/endpoint.ts';
import type { PressureLimits } from './backpressure.ts';
import type { BudgetKeeperOptions } from './budget-keeper.ts';
import type { AtPoint } from './crash-points.ts';
import type { LongRequestLimits } from './long-requests.ts';
import type { MemoryMeterOptions } from './memory.ts';

export interface BrokerOptions {
  readonly directory: string;
  /** Complete except for the socket, which is opened here. */
  readonly record: Omit<DaemonRecord, 'socketPath'>;
  readonly idleTimeoutMs: number;
  readonly place: EndpointPlace;
  readonly clock: Clock;
  readonly log: Log;
  readonly at: AtPoint;
  readonly longRequests: LongRequestLimits;
  readonly pressure?: PressureLimits;
  /** How memory is measured, if not as the system tells it. */
  readonly memory?: MemoryMeterOptions;
  /** What all brokers of the state directory may take; without it there is no limit. */
  readonly budget?: Pick<BudgetKeeperOptions, 'stateDirectory' | 'limits'>;
  /** Must not start anything before the first call. */
  createHost(onServerProcess: (pid: number | undefined) => void): Host;
  /** True once the program on disk is no longer the one that runs. */
  programChanged(): boolean;
  /** The directory had been deleted and is there again. */
  republished?(): void;
}

export type OpenOutcome = { kind: 'owner' } | { kind: 'lost' } | { kind: 'busy'; reason: string };
export interface BrokerEnd {
  readonly reason: string;
  readonly cause: 'stopped' | 'displaced' | 'failed';
}
