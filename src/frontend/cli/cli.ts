/** The command line: options that hold everywhere, and one file per command. Only commands write to standard output. */
import yargs from 'yargs';
import { failureOf, messageOf } from '../../shared/base/failure.ts';
import {
  DAEMON_MODES,
  LOG_LEVELS,
  OUTPUT_FORMATS,
  PERMISSION_LEVELS,
  TOOL_PROFILES,
} from '../../shared/config/choices.ts';
import { TYPESCRIPT_CHOICES } from '../../shared/languages/roles.ts';
import { VERSION } from '../../shared/version.ts';
import { failureSentence } from '../render/failure.ts';
import { callCommand } from './call.ts';
import { EXIT_USAGE, type Program, print, UsageError } from './command.ts';
import { daemonLogsCommand } from './daemon-logs.ts';
import { daemonRestartCommand } from './daemon-restart.ts';
import { daemonStatusCommand } from './daemon-status.ts';
import { daemonStopCommand } from './daemon-stop.ts';
import { doctorCommand } from './doctor.ts';
import { hookCommand } from './hook-command.ts';
import { keptCommand } from './kept.ts';
import { lspStatusCommand } from './lsp-status.ts';
import { serveCommand } from './serve.ts';
import { skillsCommand } from './skills.ts';
import { toolHelp, toolInQuestion } from './tool-help.ts';

const named = [
  callCommand,
  daemonStatusCommand,
  daemonStopCommand,
  daemonRestartCommand,
  daemonLogsCommand,
  doctorCommand,
  hookCommand,
  keptCommand,
  skillsCommand,
  lspStatusCommand,
];

const commands = [serveCommand(named.map(({ usage }) => usage.split(' ', 1).join())), ...named];

/** The exit code: 0 done, 1 failed, 2 not understood. */
export async function runCommandLine(args: readonly string[], program: Program): Promise<number> {
  const inQuestion = toolInQuestion(args);
  if (inQuestion) {
    await print(await toolHelp(inQuestion));
    return 0;
  }
  let exitCode = 0;
  const parser = withCommonOptions()
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageError(message);
    });
  for (const command of commands) {
    parser.command(command.usage, command.describe, command.options, async (argv) => {
      exitCode = await command.run(argv, program);
    });
  }
  try {
    await parser.parseAsync([...args]);
    return exitCode;
  } catch (error) {
    const failure = failureOf(error);
    const line = failure ? failureSentence(failure) : messageOf(error);
    process.stderr.write(`agent-lsp: ${line.trim().split('\n').join(' ')}\n`);
    if (error instanceof UsageError || failure?.kind === 'invalid-input') return EXIT_USAGE;
    return 1;
  }
}

function withCommonOptions() {
  const minutes = 'minutes a shared server stays after its last session';
  return (
    yargs()
      .scriptName('agent-lsp')
      .usage('Warm language servers for AI agents.\n\nUsage: $0 [command] [options]')
      .option('root', {
        alias: 'r',
        type: 'string',
        array: true,
        nargs: 1,
        describe:
          'directory that may be looked at, and nothing beside; may be repeated; the working directory if not given',
      })
      .option('config', { type: 'string', nargs: 1, describe: 'configuration file (JSON, JSONC or TOML)' })
      .option('daemon', { choices: DAEMON_MODES, describe: 'share servers between sessions' })
      .option('idle-timeout', { type: 'number', nargs: 1, describe: minutes })
      .option('eager', {
        type: 'boolean',
        describe: 'start the servers of the languages in the root at once',
      })
      .option('output', { choices: OUTPUT_FORMATS, describe: 'form of the answers' })
      .option('hints', {
        choices: ['on', 'off'] as const,
        describe: 'whether answers end with the next step; on if not given',
      })
      .option('log-level', { choices: LOG_LEVELS, describe: 'how much is logged' })
      .option('tools', { choices: TOOL_PROFILES, describe: 'set of tools that clients get' })
      .option('typescript', {
        // Without it `7` is read as a number, which is none of the choices.
        type: 'string',
        choices: TYPESCRIPT_CHOICES,
        describe:
          'who serves projects with an older TypeScript: version 7, their own, or each what it is best at',
      })
      .option('permission', {
        choices: PERMISSION_LEVELS,
        describe: 'what tools may do: to files, to run and beyond the roots',
      })
      .option('subagent', { type: 'boolean', describe: 'serve a subagent, which may only read' })
      .option('audit-log', {
        type: 'string',
        nargs: 1,
        describe: 'file that every call is recorded in, or off; in the state directory if not given',
      })
      // What is not an option of ours may be an argument for a language server, or a parameter of a tool.
      .parserConfiguration({ 'unknown-options-as-args': true, 'parse-positional-numbers': false })
      .example('$0', 'serve MCP on standard input and output')
      .example('$0 go:gopls typescript:typescript-language-server,--stdio', 'the same with these servers')
      .example('$0 call find_references --symbol Client.stop', 'ask one question')
      .example('$0 daemon-status', 'show the shared servers')
      .version(VERSION)
      .alias('version', 'v')
      .help()
      .alias('help', 'h')
      .wrap(100) satisfies { parseAsync(args: string[]): Promise<unknown> }
  );
}
