/** The built program serving MCP over HTTP in a process of its own, and real clients of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import {
  Client,
  type ClientOptions,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { until } from './events.ts';
import { BUILT_PROGRAM } from './mcp-client.ts';
import type { ProcessExit } from './mcp-transport.ts';
import type { Workspace } from './workspace.ts';

export const TOKEN = 'test-token-2fae4733';

export interface HttpFrontEndOptions {
  readonly workspace: Pick<Workspace, 'root' | 'env'>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs it; the one of the tests if not said. */
  readonly node?: string;
}

export interface HttpClientOptions extends ClientOptions {
  readonly name?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it connects to, if not to the server itself. */
  readonly url?: URL;
  readonly fetch?: FetchLike;
  /** Called before the client connects, e.g. to register what it answers. */
  readonly prepare?: (client: Client) => void;
}

export interface HttpClient extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** The text of an answer, which may be an error. */
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface HttpFrontEnd extends AsyncDisposable {
  readonly url: URL;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stderr(): string;
  /** A request with the token, unless headers say otherwise. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  connect(options?: HttpClientOptions): Promise<HttpClient>;
  /** Asks it to leave and waits for the exit. */
  stop(): Promise<ProcessExit>;
}

export async function startHttp({
  workspace,
  args = [],
  env = {},
  node,
}: HttpFrontEndOptions): Promise<HttpFrontEnd> {
  const port = await freePort();
  const running = runHttp(
    ['--port', String(port), ...args],
    workspace.env({ AGENT_LSP_TOKEN: TOKEN, ...env }),
    workspace.root,
    node,
  );
  const { child, exited, stderr } = running;
  let hasLeft = false;
  void exited.then(() => {
    hasLeft = true;
  });
  await until(() => hasLeft || /MCP at .*\n/.test(stderr()), { what: 'the HTTP server', seen: stderr });
  if (hasLeft) throw new Error(`the HTTP server did not start: ${stderr()}`);
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  return {
    url,
    port,
    pid: child.pid ?? 0,
    exited,
    stderr,
    fetch: (path, init = {}) =>
      fetch(new URL(path, url), { ...init, headers: { Authorization: `Bearer ${TOKEN}`, ...init.headers } }),
    connect: (options) => connectHttp(options?.url ?? url, options),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The program with `--http`, which may refuse to start. */
export function runHttp(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  node: string = process.execPath,
): { readonly child: ChildProcess; readonly exited: Promise<ProcessExit>; stderr(): string } {
  const child = spawn(node, [BUILT_PROGRAM, '--http', ...args], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = new Promise<ProcessExit>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return { child, exited, stderr: () => stderr };
}

export async function connectHttp(url: URL, options: HttpClientOptions = {}): Promise<HttpClient> {
  const { name = 'http-tests', token = TOKEN, headers = {}, fetch, url: _, prepare, ...rest } = options;
  const client = new Client({ name, version: '1.0.0' }, rest);
  prepare?.(client);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
    ...(fetch ? { fetch } : {}),
  });
  await client.connect(transport);
  return {
    client,
    transport,
    call: async (tool, args = {}) => {
      const { content } = await client.callTool({ name: tool, arguments: { ...args } });
      return content.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port was given');
  return address.port;
}
