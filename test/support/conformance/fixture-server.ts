/**
 * Our HTTP server with the tools, prompts and resources that scenarios of the conformance suite ask for by name in place of
 * ours. Who is let in, sessions, streams, messages and everything else are those of the product.
 */
import type { Server, Tool } from '@modelcontextprotocol/server';
import { Admission } from '../../../src/frontend/http/admission.ts';
import { Endpoint } from '../../../src/frontend/http/endpoint.ts';
import { HTTP_LIMITS } from '../../../src/frontend/http/limits.ts';
import { listen } from '../../../src/frontend/http/listener.ts';
import { HttpSessions } from '../../../src/frontend/http/sessions.ts';
import type { ChangeSink } from '../../../src/frontend/mcp/change-sink.ts';
import { ClientConnection } from '../../../src/frontend/mcp/client-connection.ts';
import { changesThrough } from '../../../src/frontend/mcp/server.ts';
import { SessionLog } from '../../../src/frontend/mcp/session-log.ts';
import { silentLog } from '../../../src/shared/base/log.ts';
import type { Workspace } from '../workspace.ts';
import { ANSWERED_QUESTIONS_TOOLS } from './answered-questions-tools.ts';
import type { FixtureTool } from './fixture-tool.ts';
import { PLAIN_TOOLS } from './plain-tools.ts';
import { getFixture, LISTED_PROMPTS, RESOURCES, readFixture, TEMPLATES } from './resources.ts';
import { SENT_QUESTIONS_TOOLS } from './sent-questions-tools.ts';

const ADDRESS = '127.0.0.1';
const TOOLS = [...PLAIN_TOOLS, ...SENT_QUESTIONS_TOOLS, ...ANSWERED_QUESTIONS_TOOLS];

export interface FixtureServer extends AsyncDisposable {
  readonly url: string;
}

export async function startFixtureServer({ root }: Pick<Workspace, 'root'>): Promise<FixtureServer> {
  const bounds = { roots: [root], permission: 'read', isSubagent: false, tools: 'core' } as const;
  const sessions = new HttpSessions({
    bounds,
    limits: HTTP_LIMITS,
    timeoutMs: 60_000,
    log: silentLog,
    connect: () =>
      new FixtureConnection({
        options: { roots: [root] },
        entryScript: '',
        log: new SessionLog(() => {}, 'info'),
        profile: 'core',
        onOpened: () => {},
        onCalled: () => {},
      }),
  });
  const admission = new Admission({ tokens: [], allowedHosts: [], address: ADDRESS });
  const endpoint = new Endpoint({ admission, sessions, limits: HTTP_LIMITS, log: silentLog });
  const listening = await listen(
    { address: ADDRESS, port: 0, limits: HTTP_LIMITS, log: silentLog },
    endpoint.handle,
  );
  return {
    url: `http://${ADDRESS}:${listening.port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await sessions.close();
      await listening.close();
    },
  };
}

class FixtureConnection extends ClientConnection {
  override async loadServer(changes?: ChangeSink): Promise<() => Server> {
    const makeServer = await super.loadServer(changes);
    return () => {
      const server = makeServer();
      serveFixtures(server, this, changes ?? changesThrough(server));
      return server;
    };
  }
}

function serveFixtures(server: Server, connection: ClientConnection, changes: ChangeSink): void {
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(listed) }));
  server.setRequestHandler('tools/call', ({ params: { name, arguments: args = {} } }, context) => {
    const tool = TOOLS.find((each) => each.name === name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    return tool.run({ args, context, connection, changes });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...TEMPLATES] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readFixture(uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({ prompts: [...LISTED_PROMPTS] }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }, context) =>
    getFixture(name, args, context),
  );
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
    completion: { values: [`${argument.value}ed`] },
  }));
}

function listed({ name, description, inputSchema = { type: 'object' } }: FixtureTool): Tool {
  return { name, description, inputSchema };
}
