/** One tool call from a shell, through the same code as a call over MCP. */
import { failureOf } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import { accessTo, offeredTools } from '../access/tool-access.ts';
import { profileTools } from '../features/profile-tools.ts';
import { tools } from '../features/registry.ts';
import { callTool } from '../invoke/call-tool.ts';
import { failureSentence } from '../render/failure.ts';
import type { Tool } from '../tools/define-tool.ts';
import { askOnTerminal } from './ask-on-terminal.ts';
import {
  type Command,
  EXIT_FAILED,
  interruption,
  print,
  serveOptions,
  UsageError,
  withSession,
} from './command.ts';
import { shellAnswer } from './shell-answer.ts';

export const callCommand: Command = {
  // `arguments` is the name of a parameter, and yargs would take that for this.
  usage: 'call <tool> [input..]',
  describe:
    'call one tool and print its answer: call <tool> \'{"json": ...}\' or call <tool> --parameter value ...',
  options: (parser) =>
    parser
      .positional('tool', { type: 'string', demandOption: true, describe: 'name of the tool' })
      .positional('input', { type: 'string', array: true, describe: 'JSON, or --parameter value pairs' })
      .epilogue(
        `Tools: ${tools.map(({ name }) => name).join(', ')}\n\nWith a tool, --help shows its parameters.\n\nExit code: 0 answered, 1 failed (also a build or tests not known to have succeeded), 2 not understood.`,
      ),
  run: async (argv, program) => {
    const [name, profile] = [String(argv.tool), serveOptions(argv).tools ?? 'full'];
    // Every tool of ours can be called, also one that the profile does not list.
    const isFacade = profile !== 'auto' && profile !== 'full' && profile !== 'core';
    const words = Array.isArray(argv.input) ? argv.input.map(String) : [];
    return withSession(serveOptions(argv), program, async (session) => {
      const signal = interruption();
      const callable = await profileTools(isFacade ? profile : 'full', session.config);
      const tool = callable.find((each) => each.name === name);
      if (!tool) throw new UsageError(noSuchTool(name, callable));
      const args = toolArguments(words, tool);
      const { texts, isError, hasFailed } = await callTool(session, {
        tool,
        tools: offeredTools(callable, session.config),
        access: accessTo(tool, session.config),
        args,
        signal,
        output: session.config.output,
        askUser: process.stdin.isTTY ? askOnTerminal : undefined,
        isLast: true,
      });
      program.onWarm();
      await print(shellAnswer(texts.join('\n'), tool));
      return isError || hasFailed ? EXIT_FAILED : 0;
    });
  },
};

function noSuchTool(name: string, callable: readonly Tool[]): string {
  const meant = didYouMean(
    name,
    callable.map((tool) => tool.name),
  );
  return `there is no tool ${name}${meant || ';'} agent-lsp call --help lists them`;
}

/** Fails with a usage error unless the tool's own schema accepts what was written. */
function toolArguments(words: readonly string[], tool: Tool): Record<string, unknown> {
  const [first, ...rest] = words;
  const args = first?.trimStart().startsWith('{') && rest.length === 0 ? fromJson(first) : fromPairs(words);
  try {
    tool.prepare(args);
  } catch (error) {
    const failure = failureOf(error);
    throw failure ? new UsageError(`${tool.name}: ${failureSentence(failure)}`) : error;
  }
  return args;
}

function fromJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `the arguments are not valid JSON (${error instanceof Error ? error.message : error})`,
    );
  }
}

/** `--name value`, `--name=value`, `--name` for true; dashes in names may be written for underscores. */
function fromPairs(words: readonly string[]): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (let index = 0; index < words.length; index++) {
    const match = /^--([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(words[index] ?? '');
    if (!match) throw new UsageError(`${JSON.stringify(words[index])} is no parameter; write --name value`);
    const name = (match[1] ?? '').replaceAll('-', '_');
    const next = words[index + 1];
    if (match[2] !== undefined) args[name] = match[2];
    else if (next === undefined || next.startsWith('--')) args[name] = true;
    else {
      args[name] = next;
      index += 1;
    }
  }
  return args;
}
