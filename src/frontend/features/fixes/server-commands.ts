/**
 * Which server runs a command, and whether it may: only what servers announce or have offered as a fix is sent. A
 * command may do anything in the server, so the user is asked before, and what it edits comes back as an edit.
 */

import { statSync } from 'node:fs';
import path from 'node:path';
import { ExecuteCommandRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { nearNames } from '../../../shared/base/near-names.ts';
import { absolutePath, uriToPath } from '../../../shared/base/paths.ts';
import type { ServerCommand, ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import type { ToolContext } from '../../tools/context.ts';
import { listedCommandsOf } from './listed-commands.ts';

export interface CommandInput {
  readonly command: string;
  readonly arguments?: unknown[] | undefined;
  readonly file_path?: string | undefined;
}

export interface ChosenCommand {
  readonly link: ServerLink;
  readonly facts: ServerFacts;
  readonly command: ServerCommand;
}

const MOST_NAMED = 30;
const MOST_DOCUMENTS = 20;
const DEEPEST = 6;

export async function chooseCommand(context: ToolContext, input: CommandInput): Promise<ChosenCommand> {
  const listed = listedCommandsOf(context).find(input.command);
  const args = input.arguments ?? listed?.command.arguments;
  const name = listed?.command.command ?? input.command;
  const command = { command: name, ...(args === undefined ? {} : { arguments: args }) };
  const links = listed ? [listed.link] : await candidates(context, input);
  const known = await Promise.all(
    links.map(async (link) => {
      const facts = await context.facts.offering(link, ExecuteCommandRequest.method, context.during());
      return { link, facts, command };
    }),
  );
  const able = known.filter(
    ({ link, facts }) => commandsOf(facts).includes(name) || listedCommandsOf(context).has(name, link),
  );
  const [only, ...others] = able;
  if (!only) return refuseUnknown(name, known);
  if (others.length > 0)
    fail({
      kind: 'invalid-input',
      message: `${able.length} servers have ${name}`,
      next: 'Pass file_path to say whose project it is about',
    });
  return only;
}

/** Sources that the arguments speak of: the server has to have them as they are on disk. */
export function documentsOf({ roots, servers }: ToolContext, values: readonly unknown[]): readonly AbsPath[] {
  const found = new Set<AbsPath>();
  const look = (value: unknown, depth: number): void => {
    if (found.size >= MOST_DOCUMENTS || depth > DEEPEST) return;
    if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) look(each, depth + 1);
    const file = typeof value === 'string' ? pathIn(value) : undefined;
    if (file === undefined || !roots.holds(file) || servers.familyOfFile(file) === undefined) return;
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) found.add(file);
  };
  look(values, 0);
  return [...found];
}

async function candidates(
  { servers, roots }: ToolContext,
  { file_path: file }: CommandInput,
): Promise<readonly ServerLink[]> {
  if (file !== undefined) return [await servers.linkFor(roots.resolve(file), { role: 'types' })];
  const open = servers.open();
  return open.length > 0 ? open : (await servers.workspace()).links;
}

function commandsOf({ capabilities }: ServerFacts): readonly string[] {
  return capabilities.executeCommandProvider?.commands ?? [];
}

function refuseUnknown(name: string, known: readonly ChosenCommand[]): never {
  const servers = known.map(({ facts }) => facts.serverName).join(', ');
  const all = known.flatMap(({ facts }) => commandsOf(facts));
  const [nearest] = nearNames(name, all);
  const more = all.length > MOST_NAMED ? ', …' : '';
  fail({
    kind: 'invalid-input',
    message: `${servers} announces no command ${JSON.stringify(name)}${nearest ? ` (did you mean ${nearest}?)` : ''}`,
    next:
      all.length === 0
        ? 'It announces none; suggest_fixes lists those that it offers for a place'
        : `It has ${all.slice(0, MOST_NAMED).join(', ')}${more}; file_path tells which server is meant`,
  });
}

function pathIn(text: string): AbsPath | undefined {
  return uriToPath(text) ?? (path.isAbsolute(text) ? absolutePath(text) : undefined);
}
