/** The MCP side of a session: the registry as tools/list, calls as tools/call, resources, and skills as prompts. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../../shared/base/failure.ts';
import { LOG_THRESHOLDS } from '../tools/log-levels.ts';
import type { ChangeSink } from './change-sink.ts';
import type { ClientRoots } from './client-roots.ts';
import { askThrough, showsForms } from './elicitation.ts';
import { CAPABILITIES, SERVER_INFO } from './identity.ts';
import type { ResourceCalls } from './resource-calls.ts';
import { rootsAgain, rootsBefore } from './roots-question.ts';
import type { RoundTrips } from './round-trips.ts';
import type { SessionLog } from './session-log.ts';
import { SKILL_SCHEME, type SkillCalls } from './skill-calls.ts';
import { serveSkills } from './skill-methods.ts';
import { progressNotification, type ToolCalls } from './tool-calls.ts';

export interface McpServerOptions {
  readonly calls: ToolCalls;
  readonly roundTrips: RoundTrips;
  readonly resources: ResourceCalls;
  readonly skills: SkillCalls;
  readonly roots: ClientRoots;
  readonly log: SessionLog;
  readonly instructions: string;
}

export function createMcpServer(options: McpServerOptions): Server {
  const { calls, roundTrips, resources, skills, roots, log, instructions } = options;
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions });
  server.onerror = (error) => log.debug('mcp error', { message: messageOf(error) });
  server.setRequestHandler('logging/setLevel', async ({ params }) => {
    log.threshold = params.level;
    return {};
  });
  server.setRequestHandler('tools/list', async () => ({ tools: await calls.list() }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }, { mcpReq }) => {
    const question = rootsBefore(mcpReq, roots);
    if (question) return question;
    const token = mcpReq._meta?.progressToken;
    const progress = (count: number, message: string) => {
      if (token === undefined) return;
      // A client that has left is noticed by the transport.
      mcpReq.notify(progressNotification(token, count, message)).catch(() => {});
    };
    let isOutside = false;
    const failed = (kind: string) => {
      isOutside = kind === 'outside-roots';
    };
    const { id, signal, envelope } = mcpReq;
    const caller = { id, signal, progress, failed };
    if (!envelope) return calls.run(name, args, { ...caller, askUser: askThrough(mcpReq, log) });
    // A client of the newer protocol says with each request what it can do and wants to hear, and is never sent one.
    using _ = wantedLog(mcpReq, log);
    const round = { name, args, state: mcpReq.requestState(), answers: mcpReq.inputResponses };
    const result = showsForms(Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY))
      ? await roundTrips.next(round, caller, (held) => calls.run(name, args, held))
      : await calls.run(name, args, { ...caller, askUser: undefined });
    return (isOutside && rootsAgain(mcpReq)) || result;
  });
  server.setRequestHandler('resources/list', async () => ({ resources: await resources.list() }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: await resources.templates(),
  }));
  server.setRequestHandler('resources/read', async ({ params }, { mcpReq }) => ({
    contents: params.uri.startsWith(SKILL_SCHEME)
      ? await skills.read(params.uri)
      : await resources.read(params.uri, mcpReq),
  }));
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await resources.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    resources.unsubscribe(params.uri);
    return {};
  });
  serveSkills(server, skills);
  return server;
}

/** A client that has left is noticed by the transport. */
export function changesThrough(server: Server): ChangeSink {
  const tell = (notification: Parameters<Server['notification']>[0]) =>
    void server.notification(notification).catch(() => {});
  return {
    listChanged: (method) => tell({ method }),
    resourceUpdated: (uri) => tell({ method: 'notifications/resources/updated', params: { uri } }),
  };
}

function wantedLog({ envelope, notify }: ServerContext['mcpReq'], log: SessionLog): Disposable | undefined {
  const wanted: unknown = Reflect.get(Object(envelope), LOG_LEVEL_META_KEY);
  const threshold = LOG_THRESHOLDS.find((level) => level === wanted);
  if (threshold === undefined) return undefined;
  return log.during(threshold, (level, data, logger = 'agent-lsp') => {
    // A client that has left is noticed by the transport.
    notify({ method: 'notifications/message', params: { level, logger, data } }).catch(() => {});
  });
}
