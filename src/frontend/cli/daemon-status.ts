/** What the shared servers are doing. */
import { delay } from '../../shared/base/lifetime.ts';
import { renderBroker, renderTotal } from '../features/servers/brokers-text.ts';
import { type BrokerListing, listBrokers } from '../link/broker-control.ts';
import { type BrokerTotal, totalOf } from '../link/broker-total.ts';
import { brokerChoice, brokerOptions, chosenAmong, stateDirectoryOf } from './brokers.ts';
import { type Command, interruption, print } from './command.ts';

const REFRESH_MS = 2_000;
const CLEAR_SCREEN = '\u001b[2J\u001b[H';

export const daemonStatusCommand: Command = {
  usage: 'daemon-status',
  describe: 'show shared servers: state, sessions, memory and what is left of it, and why others stopped',
  options: (parser) =>
    brokerOptions(parser)
      .option('json', { type: 'boolean', describe: 'as JSON' })
      .option('watch', { type: 'boolean', describe: 'again every two seconds until Ctrl-C' }),
  run: async (argv, program) => {
    const choice = brokerChoice(argv);
    const show = async () => {
      const all = await listBrokers(stateDirectoryOf(program));
      const chosen = chosenAmong(all, choice);
      // Which servers are shown changes nothing about what all of them take.
      const total = totalOf(all);
      return argv.json === true ? asJson(chosen, total) : asText(chosen, total, stateDirectoryOf(program));
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

function asText(listings: readonly BrokerListing[], total: BrokerTotal, stateDirectory: string): string {
  const sum = total.brokers === 0 ? [] : [renderTotal(total)];
  const servers =
    listings.length === 0
      ? [`No shared servers (state directory ${stateDirectory}).`]
      : listings.map((listing) => renderBroker(listing, Date.now()));
  return [...sum, ...servers].join('\n');
}

/** Tokens let their holder in, so they are not shown. */
function asJson(listings: readonly BrokerListing[], total: BrokerTotal): string {
  const shown = listings.map((listing) => {
    if (!('record' in listing) || listing.record === undefined) return listing;
    const { token: _token, ...record } = listing.record;
    return { ...listing, record };
  });
  return JSON.stringify([...shown, total], null, 2);
}
