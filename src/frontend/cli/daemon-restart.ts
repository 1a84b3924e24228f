/** Ends shared servers and starts them again; which programs are installed is found out anew. */
import type { DaemonRecord } from '../../shared/rendezvous/daemon-record.ts';
import { remainingOf } from '../invoke/call-deadline.ts';
import { restartBroker } from '../link/broker-control.ts';
import { brokerChoice, brokerName, brokerOptions, chosenBrokers, requireChoice } from './brokers.ts';
import {
  type Command,
  type CommonOptions,
  EXIT_FAILED,
  interruption,
  type Program,
  print,
  serveOptions,
  withSession,
} from './command.ts';
import { outcomeText } from './daemon-stop.ts';

const START_MS = 60_000;

export const daemonRestartCommand: Command = {
  usage: 'daemon-restart',
  describe: 'restart shared servers: --root-dir and --language, or --all',
  options: (parser) =>
    brokerOptions(parser).option('now', { type: 'boolean', describe: 'do not wait for running calls' }),
  run: async (argv, program) => {
    const choice = brokerChoice(argv);
    requireChoice(choice);
    const listings = await chosenBrokers(program, choice);
    const running = listings.flatMap((listing) =>
      listing.kind === 'running' || listing.kind === 'unreachable'
        ? [{ listing, record: listing.record }]
        : [],
    );
    const results = await Promise.all(
      running.map(async ({ listing, record }) => {
        const outcome = await restartBroker(record, {
          mode: argv.now === true ? 'now' : 'drain',
          reason: 'daemon-restart',
          start: (stopped) => start(stopped, argv, program),
        });
        const ok = outcome.kind !== 'still-there';
        return { line: `${brokerName(listing)}: ${ok ? 'restarted' : outcomeText(outcome)}`, ok };
      }),
    );
    await print(results.length === 0 ? 'Nothing was running.' : results.map(({ line }) => line).join('\n'));
    return results.some(({ ok }) => !ok) ? EXIT_FAILED : 0;
  },
};

function start(record: DaemonRecord, argv: CommonOptions, program: Program): Promise<void> {
  const options = { ...serveOptions(argv), roots: [record.root], daemon: 'always' as const };
  return withSession(options, program, async (session) => {
    const signal = interruption();
    const remainingMs = remainingOf(session.clock, START_MS);
    const context = session.context({ signal, remainingMs, tools: [], watch: () => {}, report: () => {} });
    await context.servers.start({ root: session.roots.primary, languageId: record.language });
  });
}
