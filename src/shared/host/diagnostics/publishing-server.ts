/**
 * What the diagnostics room sees of a server process that publishes: its publications so far, and the signs that it
 * has finished.
 */
import type { Clock } from '../../base/lifetime.ts';
import { ServerActivity } from '../process/server-activity.ts';
import type { ServerTransport } from '../process/transport.ts';
import { type BarrierPort, Barriers } from '../protocol/barrier.ts';
import type { Readiness } from '../readiness/readiness.ts';
import type { DiagnosticsStore } from './diagnostics-store.ts';

export interface PublishingServer {
  readonly diagnostics: DiagnosticsStore;
  readonly barriers: Pick<Barriers, 'raise' | 'answeredAt'>;
  readonly activity: Pick<ServerActivity, 'known' | 'watch' | 'idleSamplesSince'>;
  /** True while the server reports work in progress or has not finished loading. */
  readonly isWorking: boolean;
}

interface Instance extends BarrierPort {
  readonly diagnostics: DiagnosticsStore;
  readonly readiness: Readiness;
  readonly transport: ServerTransport;
}

export function publishingServer(instance: Instance, clock: Clock): PublishingServer {
  const activity = new ServerActivity(instance.transport.pid, clock);
  instance.diagnostics.habits.restSince = (time) => activity.longestRestSince(time);
  return {
    diagnostics: instance.diagnostics,
    barriers: new Barriers(instance, clock),
    activity,
    get isWorking() {
      const { kind } = instance.readiness.state;
      return kind === 'indexing' || kind === 'starting';
    },
  };
}
