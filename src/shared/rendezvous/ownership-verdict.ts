/**
 * What follows when a recorded owner cannot be greeted. A non-answer is not death: only a socket that nobody listens
 * on, together with a process that is gone, allows anyone to take over.
 */

import { isStarved, type Liveness, livenessOf, type ProcessIdentity } from '../process/process-identity.ts';
import type { NoContact } from './broker-channel.ts';

export type OwnershipVerdict =
  | 'dead'
  /** Alive without a socket: its own check makes a new one within seconds. */
  | 'socket-lost'
  /** Nothing is proved; ask again in a moment. */
  | 'overloaded'
  /** Connected and mute: stopped, or hung. Leave it alone. */
  | 'silent'
  | 'forbidden';

/** The verdict on a recorded owner, after a look at its process. */
export function verdictOn(
  process: ProcessIdentity,
  contact: NoContact['kind'],
): { verdict: OwnershipVerdict; liveness: Liveness } {
  const liveness = livenessOf(process);
  const verdict = judge(contact, liveness);
  const late = verdict === 'silent' && liveness === 'alive' && isStarved(process);
  return { verdict: late ? 'overloaded' : verdict, liveness };
}

export function judge(
  contact: NoContact['kind'],
  liveness: Liveness,
  platform: NodeJS.Platform = process.platform,
): OwnershipVerdict {
  switch (contact) {
    case 'forbidden':
      return 'forbidden';
    case 'silent':
      return 'silent';
    // A leaving broker hangs up on the last front ends that come, so this proves nothing either.
    case 'hung-up':
    case 'overloaded':
    case 'timeout':
      return 'overloaded';
    case 'refused':
    case 'absent':
      if (liveness === 'gone' || liveness === 'different') return 'dead';
      return liveness === 'unknown' && kernelProves(contact, platform) ? 'dead' : 'socket-lost';
  }
}

/**
 * For a process that cannot be looked at, e.g. in another container: Linux refuses only where nobody listens
 * (a full queue is EAGAIN there), and a Windows pipe vanishes exactly with its last holder.
 */
function kernelProves(contact: 'refused' | 'absent', platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? contact === 'absent' : platform === 'linux' && contact === 'refused';
}
