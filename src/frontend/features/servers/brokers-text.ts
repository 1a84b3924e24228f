/** A shared server as a few lines for people, and all of them as one. */
import { counted } from '../../../shared/base/counted.ts';
import { describeState } from '../../../shared/link/describe-state.ts';
import { VERSION } from '../../../shared/version.ts';
import type { BrokerListing } from '../../link/broker-control.ts';
import type { BrokerTotal } from '../../link/broker-total.ts';

export function renderBroker(listing: BrokerListing, now: number): string {
  switch (listing.kind) {
    case 'running':
      return renderRunning(listing);
    case 'unreachable': {
      const { language, root, process: owner } = listing.record;
      return `${language}  ${root}\n  UNREACHABLE: ${listing.reason}; pid ${owner.pid}; see ${listing.directory}`;
    }
    case 'stale': {
      const name = listing.record ? `${listing.record.language}  ${listing.record.root}` : listing.directory;
      return `${name}\n  dead: ${listing.reason}; its files are removed when the next one starts`;
    }
    case 'stopped': {
      const { language, root, reason, at } = listing.lastExit;
      return `${language}  ${root}\n  stopped ${duration(now - at)} ago: ${reason}`;
    }
  }
}

export function renderTotal({ brokers, servers, memory }: BrokerTotal): string {
  const asleep = servers.asleep === 0 ? '' : `, ${servers.asleep} asleep`;
  const used = `all shared servers: memory ${megabytes(memory.rssBytes)} MB`;
  const counts = `${servers.running} servers running${asleep}, ${brokers} brokers (${megabytes(memory.brokersRssBytes)} MB)`;
  if (memory.budgetBytes === undefined || memory.leftBytes === undefined) return `${used}; ${counts}`;
  const left =
    memory.leftBytes < 0
      ? `${megabytes(-memory.leftBytes)} MB over it`
      : `${megabytes(memory.leftBytes)} MB left`;
  return `${used} of a budget of ${megabytes(memory.budgetBytes)} MB (${left}); ${counts}`;
}

function renderRunning({ status }: Extract<BrokerListing, { kind: 'running' }>): string {
  const { sessions, server, memory, requests } = status;
  const named = sessions.filter(({ label }) => label !== undefined);
  const pending = sessions.reduce((sum, session) => sum + session.pending, 0);
  const leaving = status.idleExitInMs === null ? '' : `, leaves in ${duration(status.idleExitInMs)}`;
  const skew = status.version === VERSION ? '' : `  (this program is ${VERSION})`;
  const crashes = server.crashes === 0 ? '' : `, ${server.crashes} crashes`;
  return [
    `${status.language}  ${status.root}`,
    `  ${status.draining ? 'draining' : describeState(status.state)}; ${sessions.length} sessions, ${pending} calls running${leaving}; up ${duration(status.uptimeMs)}`,
    `  memory ${megabytes(memory.treeRssBytes)} MB with servers (broker ${megabytes(memory.brokerRssBytes)} MB), cpu ${Math.round(memory.cpuPercent)} %; ${server.openDocuments} open documents${crashes}`,
    `  ${requests.total} requests, ${requests.failed} failed, p50 ${Math.round(requests.p50Ms)} ms, p95 ${Math.round(requests.p95Ms)} ms`,
    ...named.map(
      ({ label, pid, pending }) => `  session ${label} of pid ${pid}, ${counted(pending, 'call')} running`,
    ),
    `  pid ${status.pid}, server pid ${server.pid ?? 'none'}, version ${status.version}${skew}`,
    `  ${status.command}`,
    `  log ${status.logPath}`,
  ].join('\n');
}

function megabytes(bytes: number): number {
  return Math.round(bytes / (1024 * 1024));
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
