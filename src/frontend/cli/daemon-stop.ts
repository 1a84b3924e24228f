/** Ends shared servers. */
import type { BrokerListing, StopOutcome } from '../link/broker-control.ts';
import { cleanStale, stopBroker } from '../link/broker-control.ts';
import {
  brokerChoice,
  brokerName,
  brokerOptions,
  chosenBrokers,
  requireChoice,
  stateDirectoryOf,
} from './brokers.ts';
import { type Command, EXIT_FAILED, print } from './command.ts';

export const daemonStopCommand: Command = {
  usage: 'daemon-stop',
  describe: 'stop shared servers: --root-dir and --language, or --all',
  options: (parser) =>
    brokerOptions(parser).option('now', { type: 'boolean', describe: 'do not wait for running calls' }),
  run: async (argv, program) => {
    const choice = brokerChoice(argv);
    requireChoice(choice);
    const listings = await chosenBrokers(program, choice);
    const mode = argv.now === true ? 'now' : 'drain';
    const outcomes = await Promise.all(listings.map((listing) => stop(listing, mode)));
    if (listings.some(({ kind }) => kind === 'stale')) await cleanStale(stateDirectoryOf(program));
    const lines = outcomes.filter((outcome) => outcome !== undefined);
    await print(lines.length === 0 ? 'Nothing was running.' : lines.map(({ line }) => line).join('\n'));
    return lines.some(({ ok }) => !ok) ? EXIT_FAILED : 0;
  },
};

async function stop(
  listing: BrokerListing,
  mode: 'drain' | 'now',
): Promise<{ line: string; ok: boolean } | undefined> {
  if (listing.kind === 'stopped') return undefined;
  if (listing.kind === 'stale')
    return { line: `${brokerName(listing)}: was dead already, cleaned up`, ok: true };
  const outcome = await stopBroker(listing.record, { mode, reason: 'daemon-stop' });
  return { line: `${brokerName(listing)}: ${outcomeText(outcome)}`, ok: outcome.kind !== 'still-there' };
}

export function outcomeText(outcome: StopOutcome): string {
  switch (outcome.kind) {
    case 'stopped':
      return 'stopped';
    case 'killed':
      return 'did not react and was killed';
    case 'gone-before':
      return 'was gone already';
    case 'still-there':
      return `still there: ${outcome.reason}`;
  }
}
