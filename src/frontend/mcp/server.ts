/**
 * The MCP side of a session: the registry as tools/list, calls as tools/call. Whatever a tool needs is loaded only
 * when the first request for it comes, because the handshake must be answered at once.
 */
import { Server, type ServerContext, type Tool as ToolListing } from '@modelcontextprotocol/server';
import { messageOf } from '../../shared/base/failure.ts';
import type { LazySession } from '../lazy-session.ts';
import type { LogThreshold } from '../log-levels.ts';
import type { Rendered } from '../render/answer.ts';
import type { Tool } from '../tools/define-tool.ts';
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from './identity.ts';
import type { SessionLog } from './session-log.ts';

export interface McpServerOptions {
  readonly session: LazySession;
  readonly log: SessionLog;
  /** Called after each tool call. */
  onCalled(): void;
}

export function createMcpServer({ session, log, onCalled }: McpServerOptions): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
  server.onerror = (error) => log.debug('mcp error', { message: messageOf(error) });
  server.oninitialized = () => log.attach((level, data) => sendLog(server, level, data));
  server.setRequestHandler('logging/setLevel', async ({ params }) => {
    log.threshold = params.level;
    return {};
  });
  server.setRequestHandler('tools/list', async () => ({ tools: await listTools() }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const rendered = await callByName(session, params.name, params.arguments, context);
    onCalled();
    return {
      content: rendered.texts.map((text) => ({ type: 'text' as const, text })),
      ...(rendered.structured === undefined ? {} : { structuredContent: rendered.structured }),
      ...(rendered.isError ? { isError: true } : {}),
    };
  });
  return server;
}

async function listTools(): Promise<ToolListing[]> {
  const [{ tools }, { inputSchema }] = await Promise.all([
    import('../tools/registry.ts'),
    import('../tools/define-tool.ts'),
  ]);
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...inputSchema(tool) },
    annotations: annotationsOf(tool),
  }));
}

function annotationsOf(tool: Tool): ToolListing['annotations'] {
  if (tool.effect !== 'write' && !tool.changesSession) return { readOnlyHint: true, openWorldHint: false };
  const isDestructive = tool.effect === 'write';
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive,
    idempotentHint: !isDestructive,
    openWorldHint: false,
  };
}

async function callByName(
  lazySession: LazySession,
  name: string,
  args: unknown,
  { mcpReq }: ServerContext,
): Promise<Rendered> {
  const [{ toolNamed, tools }, { callTool }, { renderFailure }, { ProgressWatch }] = await Promise.all([
    import('../tools/registry.ts'),
    import('../call-tool.ts'),
    import('../render/failure.ts'),
    import('./progress.ts'),
  ]);
  const tool = toolNamed(name);
  if (!tool) {
    const next = `Tools are: ${tools.map((known) => known.name).join(', ')}`;
    return renderFailure({
      kind: 'invalid-input',
      message: `there is no tool ${JSON.stringify(name)}`,
      next,
    });
  }
  const opened = await lazySession.open();
  if ('failure' in opened) return renderFailure(opened.failure);
  const { session } = opened;
  const token = mcpReq._meta?.progressToken;
  using progress = new ProgressWatch((count, message) => {
    if (token === undefined) return;
    const params = { progressToken: token, progress: count, message };
    // A client that has left is noticed by the transport.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, session.clock);
  return callTool(session, {
    tool,
    tools,
    args,
    signal: mcpReq.signal,
    output: session.config.output,
    watch: (link) => progress.watch(link),
  });
}

function sendLog(server: Server, level: LogThreshold, data: Record<string, unknown>): void {
  const params = { level, logger: 'agent-lsp', data };
  server.notification({ method: 'notifications/message', params }).catch(() => {});
}
