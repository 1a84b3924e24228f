/** A link to the broker of a plan, as a session makes it: found or started, and given up when it shows no life. */

import type { ServerLink } from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import { isStarved as isStarvedProcess } from '../../shared/process/process-identity.ts';
import type { BrokerChannel } from '../../shared/rendezvous/broker-channel.ts';
import type { DaemonRecord } from '../../shared/rendezvous/daemon-record.ts';
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
      const attaching = new Map<BrokerChannel, Promise<BrokerSession>>();
      const attach = (channel: BrokerChannel, record: DaemonRecord) => {
        const isStarved = () => isStarvedProcess(record.process);
        const session = BrokerSession.attach(channel, { ...options, isStarved });
        // One that is leaving refuses it, and another one is found.
        session.catch(() => {});
        attaching.set(channel, session);
        return session;
      };
      const { channel, record } = await connectToBroker(target, { ...options, signal, onGreeting: attach });
      return attaching.get(channel) ?? attach(channel, record);
    },
  });
}
