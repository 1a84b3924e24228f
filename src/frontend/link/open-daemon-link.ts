/** A link to the broker of a plan, as a session makes it: found or started, and given up when it shows no life. */

import type { ServerLink } from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import { isStarved as isStarvedProcess } from '../../shared/process/process-identity.ts';
import { type BrokerTarget, type ConnectOptions, connectToBroker } from './broker-connect.ts';
import { BrokerSession, type BrokerSessionOptions } from './broker-session.ts';
import { DaemonLink } from './daemon-link.ts';

/** Nothing is started before the first call. */
export function openDaemonLink(
  target: BrokerTarget,
  openDirect: (plan: ServerPlan) => Promise<ServerLink>,
  options: Omit<ConnectOptions, 'signal'> & Pick<BrokerSessionOptions, 'label'> = {},
): DaemonLink {
  return new DaemonLink({
    ...options,
    plan: target.launch.plan,
    openDirect,
    join: async (signal) => {
      const { channel, record } = await connectToBroker(target, { ...options, signal });
      const isStarved = () => isStarvedProcess(record.process);
      return BrokerSession.attach(channel, { ...options, isStarved });
    },
  });
}
