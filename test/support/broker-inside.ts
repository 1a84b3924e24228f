/** A broker in the test's own process, around a host without a language server: for everything but ownership. */
import { randomBytes } from 'node:crypto';
import { Broker } from '../../src/broker/broker.ts';
import type { BrokerOptions } from '../../src/broker/broker-options.ts';
import { longRequestLimits } from '../../src/broker/long-requests.ts';
import { type Clock, systemClock } from '../../src/shared/base/lifetime.ts';
import { silentLog } from '../../src/shared/base/log.ts';
import { ownIdentity } from '../../src/shared/process/process-identity.ts';
import {
  type DaemonRecord,
  daemonDirectory,
  readRecord,
  recordPath,
} from '../../src/shared/rendezvous/daemon-record.ts';
import { currentPlace } from '../../src/shared/rendezvous/endpoint.ts';
import { BROKER_PROTOCOL, VERSION } from '../../src/shared/version.ts';
import { MemoryHost } from './broker-host.ts';
import { memoryPlan } from './broker-world.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface InsideBroker extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly directory: string;
  readonly broker: Broker;
  readonly host: MemoryHost;
  readonly record: DaemonRecord;
}

export async function insideBroker(
  options: Partial<Omit<BrokerOptions, 'record' | 'createHost'>> & {
    clock?: Clock;
    version?: string;
    /** A process that is taken for the server. */
    serverPid?: number;
  } = {},
): Promise<InsideBroker> {
  const workspace = createWorkspace();
  const directory = daemonDirectory(workspace.stateDir, 'key');
  const host = new MemoryHost(memoryPlan(workspace.root), async () => options.serverPid);
  const broker = new Broker({
    directory,
    record: {
      generation: randomBytes(8).toString('hex'),
      token: randomBytes(32).toString('base64url'),
      process: ownIdentity(),
      key: 'key',
      root: workspace.root,
      language: 'memory',
      command: 'memory --stdio',
      version: options.version ?? VERSION,
      protocol: BROKER_PROTOCOL,
      ready: false,
      startedAt: Date.now(),
      lastActivityAt: 0,
    },
    idleTimeoutMs: 30 * 60_000,
    place: { ...currentPlace({}), temporaryDirectory: workspace.scratch },
    clock: systemClock,
    log: silentLog,
    at: () => {},
    longRequests: longRequestLimits({ oneAtATime: false }),
    programChanged: () => false,
    ...options,
    createHost: () => host,
  });
  const outcome = await broker.open();
  const reading = readRecord(recordPath(directory));
  if (outcome.kind !== 'owner' || reading.kind !== 'found')
    throw new Error(`not the owner: ${JSON.stringify(outcome)}`);
  broker.start();
  return {
    workspace,
    directory,
    broker,
    host,
    record: reading.record,
    async [Symbol.asyncDispose]() {
      broker.leave('now', { reason: 'the test is over', cause: 'stopped' });
      await broker.ended;
      await workspace[Symbol.asyncDispose]();
    },
  };
}
