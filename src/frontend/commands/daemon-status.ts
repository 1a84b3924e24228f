/** What the shared servers are doing. */
import { delay } from '../../shared/base/lifetime.ts';
import type { BrokerListing } from '../link/broker-control.ts';
import { renderBroker } from '../render/brokers.ts';
import { brokerChoice, brokerOptions, chosenBrokers, stateDirectoryOf } from './brokers.ts';
import { type Command, interruption, print } from './command.ts';

const REFRESH_MS = 2_000;
const CLEAR_SCREEN = '\u001b[2J\u001b[H';

export const daemonStatusCommand: Command = {
  usage: 'daemon-status',
  describe: 'show shared servers: state, sessions, memory, and why others stopped',
  options: (parser) =>
    brokerOptions(parser)
      .option('json', { type: 'boolean', describe: 'as JSON' })
      .option('watch', { type: 'boolean', describe: 'again every two seconds until Ctrl-C' }),
  run: async (argv, program) => {
    const choice = brokerChoice(argv);
    const show = async () => {
      const listings = await chosenBrokers(program, choice);
      return argv.json === true ? asJson(listings) : asText(listings, stateDirectoryOf(program));
    };
    if (argv.watch !== true) {
      await print(await show());
      return 0;
    }
    const signal = interruption();
    while (!signal.aborted) {
      const screen = await show();
      await print(process.stdout.isTTY ? `${CLEAR_SCREEN}${screen}` : screen);
      await delay(REFRESH_MS, { signal }).catch(() => undefined);
    }
    return 0;
  },
};

function asText(listings: readonly BrokerListing[], stateDirectory: string): string {
  if (listings.length === 0) return `No shared servers (state directory ${stateDirectory}).`;
  return listings.map((listing) => renderBroker(listing, Date.now())).join('\n');
}

/** Tokens let their holder in, so they are not shown. */
function asJson(listings: readonly BrokerListing[]): string {
  const shown = listings.map((listing) => {
    if (!('record' in listing) || listing.record === undefined) return listing;
    const { token: _token, ...record } = listing.record;
    return { ...listing, record };
  });
  return JSON.stringify(shown, null, 2);
}
