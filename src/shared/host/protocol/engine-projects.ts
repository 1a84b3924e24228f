/**
 * Makes the engine behind a server load its projects again, so that its next answers are about the files as they are
 * now.
 */
import { ExecuteCommandRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { pathToUri } from '../../base/paths.ts';
import type { Connection } from '../../wire/connection.ts';
import type { OfferedMethods } from './offered-methods.ts';
import type { Quirks } from './quirks.ts';

interface Engine {
  readonly connection: Connection;
  readonly offered: OfferedMethods;
  readonly quirks: Quirks;
}

/**
 * Has the engine look again at what the project of a file consists of, which it otherwise puts off by up to a second. It
 * answers in order, so the next question need not wait for this one. Undefined without such an engine.
 */
export function renewProject(engine: Engine, file: AbsPath): Promise<unknown> | undefined {
  const command = engineCommandOf(engine);
  if (command === undefined) return undefined;
  const args = { file: pathToUri(file), needFileNameList: false };
  return engine.connection.request(ExecuteCommandRequest.method, {
    command,
    arguments: ['projectInfo', args],
  });
}

/**
 * Has the engine look at all files anew: before version 5.4.4 it cannot be told which ones have changed. It sends no
 * answer, so the server must not wait for one.
 */
export function readProjectsAgain({ connection, quirks }: Omit<Engine, 'offered'>): void {
  const { engineCommand: command } = quirks;
  if (command === undefined) return;
  const params = { command, arguments: ['reloadProjects', {}, { expectsResult: false }] };
  connection.request(ExecuteCommandRequest.method, params).catch(() => {});
}

/** Undefined when the server does not hand questions to its engine. */
export function engineCommandOf({ quirks, offered }: Omit<Engine, 'connection'>): string | undefined {
  const offers = offered.capabilities.executeCommandProvider?.commands ?? [];
  return quirks.engineCommand !== undefined && offers.includes(quirks.engineCommand)
    ? quirks.engineCommand
    : undefined;
}
