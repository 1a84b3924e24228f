/** A front end over the fake language server for files that end in `.fake`, without a daemon: what most tool tests need. */
import { chmodSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll } from 'vitest';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { absolutePath } from '../../src/shared/base/paths.ts';
import { type FakeServer, fakeServer, type Scenario } from '../support/fake-server.ts';
import { type FrontEnd, type FrontEndOptions, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

export interface FakeSession extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly server: FakeServer;
  readonly frontEnd: FrontEnd;
  readonly call: FrontEnd['call'];
  /** The text of an answer that must not be an error. */
  ask(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface FakeSessionOptions extends Partial<Omit<FrontEndOptions, 'workspace' | 'prepare'>> {
  readonly prepare?: (client: Client, workspace: Workspace) => void;
  readonly scenario?: Scenario;
  /** What the fake server is configured for; files that end in `.fake` if not said. */
  readonly language?: FakeLanguage;
  /** The name of the program that it is started as, to be taken for that server; only where there are shells. */
  readonly as?: string;
  /** Beside the server for `.fake`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Languages that are switched off. */
  readonly disabled?: readonly string[];
}

export interface FakeLanguage {
  readonly id: string;
  readonly extension: string;
}

const FAKE: FakeLanguage = { id: 'fake', extension: 'fake' };

export const SAMPLE = `
//- src/client.fake
export class Client {
  stop() {
    this.log();
  }
  log() {
  }
}
export interface Stoppable
export class Server implements Stoppable
export const shared: Client = new Client();
//- src/use.fake
const client = new Client();
client.stop();
function again() {
  client.stop();
  client.stop();
  client.stop();
  client.stop();
}
//- test/client.test.fake
client.stop();
`;

export async function fakeSession(
  text: string = SAMPLE,
  options: FakeSessionOptions = {},
): Promise<FakeSession> {
  const { scenario, config, disabled, language, as, args = [], prepare, ...rest } = options;
  const workspace = createWorkspace(text);
  const made = fakeServer(workspace.scratch, scenario);
  const server = as === undefined ? made : { ...made, executable: disguised(workspace, made, as), args: [] };
  const configFile = writeFakeConfig(workspace, server, config, disabled, language);
  try {
    const frontEnd = await startFrontEnd({
      ...rest,
      workspace,
      prepare: (client) => prepare?.(client, workspace),
      args: ['--config', configFile, '--daemon', 'never', ...args],
    });
    return {
      workspace,
      server,
      frontEnd,
      call: frontEnd.call,
      ask: async (tool, toolArgs) => {
        const answer = await frontEnd.call(tool, toolArgs);
        if (answer.isError) throw new Error(answer.text);
        return answer.text;
      },
      [Symbol.asyncDispose]: async () => {
        await frontEnd[Symbol.asyncDispose]();
        await workspace[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await workspace[Symbol.asyncDispose]();
    throw error;
  }
}

/** Which server it is, is told from the name of the program. */
function disguised(workspace: Workspace, { executable, args }: FakeServer, name: string): AbsPath {
  const command = [executable, ...args].map((word) => `'${word}'`).join(' ');
  const script = workspace.write(`${workspace.scratch}/${name}`, `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(script, 0o755);
  return absolutePath(script);
}

/** A configuration outside the workspace, so that nothing of ours is in the tree that is looked at. */
export function writeFakeConfig(
  workspace: Workspace,
  server: FakeServer,
  more: Readonly<Record<string, unknown>> = {},
  disabled: readonly string[] = [],
  { id, extension }: FakeLanguage = FAKE,
): string {
  const servers = [
    { extensions: [extension], language_id: id, command: [server.executable, ...server.args] },
    ...disabled.map((language_id) => ({ language_id, disabled: true })),
  ];
  return workspace.write(`${workspace.scratch}/config.json`, JSON.stringify({ servers, ...more }));
}

/** One session that answers in text and one in JSON, on the same files, for all tests of a file. */
export function sharedSessions(
  text: string,
  options: FakeSessionOptions = {},
): { readonly text: FakeSession; readonly json: FakeSession } {
  const opened: FakeSession[] = [];
  const named = (index: number) => opened[index] ?? fail('the sessions are opened before the tests');
  beforeAll(async () => {
    const args = [...(options.args ?? []), '--output', 'json'];
    opened.push(
      ...(await Promise.all([fakeSession(text, options), fakeSession(text, { ...options, args })])),
    );
  });
  afterAll(async () => {
    for (const session of opened) await session[Symbol.asyncDispose]();
  });
  return {
    get text() {
      return named(0);
    },
    get json() {
      return named(1);
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}
