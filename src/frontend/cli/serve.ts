/** No command: serve MCP, with servers detected or named. */
import os from 'node:os';
import { didYouMean } from '../../shared/base/near-names.ts';
import { parseServerArgs } from '../../shared/config/server-args.ts';
import { languageById } from '../../shared/languages/lookup.ts';
import { languageTable } from '../../shared/languages/table.ts';
import type { HttpWords } from '../http/http-options.ts';
import { type Command, serveOptions, UsageError } from './command.ts';

/** `commands` are the names of the others, one of which may be meant by a word that is no language. */
export const serveCommand = (commands: readonly string[]): Command => ({
  usage: '$0 [servers..]',
  describe: 'serve MCP on standard input and output, or over HTTP',
  options: (parser) =>
    parser
      .positional('servers', {
        type: 'string',
        array: true,
        describe:
          'language:command[,argument...] pairs, or one "language command [argument...]"; detected if not given',
      })
      .option('http', { type: 'boolean', describe: 'serve MCP over HTTP instead, for many clients' })
      .option('port', { type: 'string', nargs: 1, describe: 'with --http: 8080 if not given' })
      .option('listen-addr', {
        type: 'string',
        nargs: 1,
        describe: 'with --http: IP address; 127.0.0.1 if not given',
      })
      .option('token', {
        type: 'string',
        nargs: 1,
        describe:
          'with --http: what clients must show; better given as AGENT_LSP_TOKEN, which others cannot see',
      })
      // yargs reads --no-auth as a denial of `auth`.
      .option('no-auth', {
        type: 'boolean',
        describe: 'with --http: ask for no token; on a loopback address only',
      })
      .option('allowed-host', {
        type: 'string',
        array: true,
        nargs: 1,
        describe:
          'with --http: name by which clients reach this server, for example that of a proxy; may be repeated',
      })
      .option('session-timeout', {
        type: 'string',
        nargs: 1,
        describe: 'with --http: minutes until a silent session ends; 30 if not given',
      }),
  run: async (argv, program) => {
    const servers = Array.isArray(argv.servers) ? argv.servers.map(String) : [];
    const [first = ''] = servers;
    if (first.startsWith('-')) throw new UsageError(`unknown option ${first}; agent-lsp --help lists them`);
    const meant = isLanguage(first) ? '' : didYouMean(first, commands);
    if (meant !== '') throw new UsageError(`there is no command ${first}${meant}`);
    // What is wrong on the command line is said at once; files are read with the first call.
    parseServerArgs(servers, { table: languageTable, cwd: process.cwd(), homedir: os.homedir() });
    const options = serveOptions(argv, servers);
    if (argv.http === true) return program.serveHttp(options, httpWords(argv));
    const stray = FOR_HTTP.find((name) => argv[name] !== undefined);
    if (stray !== undefined)
      throw new UsageError(`--${stray === 'auth' ? 'no-auth' : stray} is for --http, which is not given`);
    return program.serve(options);
  },
});

const FOR_HTTP = ['port', 'listen-addr', 'token', 'auth', 'allowed-host', 'session-timeout'];

function httpWords(argv: { readonly [name: string]: unknown }): HttpWords {
  const text = (name: string) => {
    const value = argv[name];
    if (Array.isArray(value)) throw new UsageError(`--${name} is given more than once`);
    return value === undefined ? undefined : String(value);
  };
  const hosts = argv['allowed-host'];
  return {
    port: text('port'),
    listenAddr: text('listen-addr'),
    token: text('token'),
    noAuth: argv.auth === false,
    allowedHosts: Array.isArray(hosts) ? hosts.map(String) : [],
    sessionTimeout: text('session-timeout'),
  };
}

/** Also one that is configured, which the file says that is read later: then it comes with its server. */
function isLanguage(word: string): boolean {
  return word.includes(':') || languageById(word, languageTable) !== undefined;
}
