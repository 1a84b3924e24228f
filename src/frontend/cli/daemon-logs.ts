/** What shared servers have logged. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delay } from '../../shared/base/lifetime.ts';
import { logPath } from '../../shared/rendezvous/daemon-record.ts';
import { brokerChoice, brokerName, brokerOptions, chosenBrokers } from './brokers.ts';
import { type Command, EXIT_FAILED, interruption, print } from './command.ts';

const TAIL_LINES = 200;
const POLL_MS = 300;

export const daemonLogsCommand: Command = {
  usage: 'daemon-logs',
  describe: 'print the logs of shared servers',
  options: (parser) =>
    brokerOptions(parser).option('follow', {
      alias: 'f',
      type: 'boolean',
      describe: 'go on printing until Ctrl-C',
    }),
  run: async (argv, program) => {
    const listings = await chosenBrokers(program, brokerChoice(argv));
    const logs = listings
      .map((listing) => ({ name: brokerName(listing), file: logPath(listing.directory) }))
      .filter(({ file }) => existsSync(file));
    if (logs.length === 0) {
      process.stderr.write(
        'agent-lsp: there are no such logs; agent-lsp daemon-status lists the shared servers\n',
      );
      return EXIT_FAILED;
    }
    for (const { name, file } of logs) {
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      await print([`==> ${name} (${file}) <==`, ...lines.slice(-TAIL_LINES)].join('\n'));
    }
    if (argv.follow === true)
      await follow(
        logs.map(({ file }) => file),
        interruption(),
      );
    return 0;
  },
};

/** A log that became shorter was rotated: it is read again from its beginning. */
async function follow(files: readonly string[], signal: AbortSignal): Promise<void> {
  const seen = new Map(files.map((file) => [file, sizeOf(file)]));
  while (!signal.aborted) {
    for (const [file, offset] of seen) {
      const size = sizeOf(file);
      if (size === offset) continue;
      seen.set(file, size);
      if (size === 0) continue;
      const start = size < offset ? 0 : offset;
      for await (const chunk of createReadStream(file, { start, end: size - 1, encoding: 'utf8' })) {
        await print(String(chunk).trimEnd());
      }
    }
    await delay(POLL_MS, { signal }).catch(() => undefined);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
