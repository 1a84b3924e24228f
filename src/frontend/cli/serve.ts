/** No command: serve MCP, with servers detected or named. */
import os from 'node:os';
import { didYouMean } from '../../shared/base/near-names.ts';
import { parseServerArgs } from '../../shared/config/server-args.ts';
import { languageById } from '../../shared/languages/lookup.ts';
import { languageTable } from '../../shared/languages/table.ts';
import { type Command, serveOptions, UsageError } from './command.ts';

/** `commands` are the names of the others, one of which may be meant by a word that is no language. */
export const serveCommand = (commands: readonly string[]): Command => ({
  usage: '$0 [servers..]',
  describe: 'serve MCP on standard input and output',
  options: (parser) =>
    parser.positional('servers', {
      type: 'string',
      array: true,
      describe:
        'language:command[,argument...] pairs, or one "language command [argument...]"; detected if not given',
    }),
  run: async (argv, program) => {
    const servers = Array.isArray(argv.servers) ? argv.servers.map(String) : [];
    const [first = ''] = servers;
    if (first.startsWith('-')) throw new UsageError(`unknown option ${first}; agent-lsp --help lists them`);
    const meant = isLanguage(first) ? '' : didYouMean(first, commands);
    if (meant !== '') throw new UsageError(`there is no command ${first}${meant}`);
    // What is wrong on the command line is said at once; files are read with the first call.
    parseServerArgs(servers, { table: languageTable, cwd: process.cwd(), homedir: os.homedir() });
    return program.serve(serveOptions(argv, servers));
  },
});

/** Also one that is configured, which the file says that is read later: then it comes with its server. */
function isLanguage(word: string): boolean {
  return word.includes(':') || languageById(word, languageTable) !== undefined;
}
