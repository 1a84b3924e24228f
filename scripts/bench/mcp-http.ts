/** The smallest possible MCP clients over HTTP, so that the benchmark measures the product and not a client library. */
import { TOKEN } from '../../test/support/http-front-end.ts';

export type Protocol = '2025-11-25' | '2026-07-28';

export interface McpOverHttp {
  readonly protocol: Protocol;
  /** The text of an answer; fails where it is an error of any kind. */
  call(tool: string, args: object): Promise<string>;
  close(): Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly message: string };
}

const ALWAYS = {
  Authorization: `Bearer ${TOKEN}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Ends its session; what it is told without asking comes on a stream of its own. */
export async function connectOlder(url: URL, name: string): Promise<McpOverHttp> {
  const protocol = '2025-11-25';
  const gone = new AbortController();
  const clientInfo = { name, version: '1' };
  const initialize = { protocolVersion: protocol, capabilities: {}, clientInfo };
  const begun = await post(url, {}, { id: 0, method: 'initialize', params: initialize });
  const session = {
    'Mcp-Session-Id': begun.headers.get('Mcp-Session-Id') ?? '',
    'MCP-Protocol-Version': protocol,
  };
  await answerTo(0, begun);
  await (await post(url, session, { method: 'notifications/initialized' })).text();
  const stream = await fetch(url, { headers: { ...ALWAYS, ...session }, signal: gone.signal });
  if (!stream.ok) throw new Error(`no stream for ${name}: ${stream.status}`);
  let isEnding = false;
  const drained = drain(stream, () => isEnding);
  let id = 0;
  return {
    protocol,
    call: async (tool, args) => {
      const params = { name: tool, arguments: args };
      const message = { id: ++id, method: 'tools/call', params };
      return textOf(tool, await answerTo(message.id, await post(url, session, message)));
    },
    close: async () => {
      isEnding = true;
      const ended = await fetch(url, { method: 'DELETE', headers: { ...ALWAYS, ...session } });
      if (!ended.ok) throw new Error(`${name} cannot be ended: ${ended.status}`);
      gone.abort();
      await drained;
    },
  };
}

/** Has no session but the name that it says. */
export async function connectNewer(url: URL, name: string): Promise<McpOverHttp> {
  const protocol = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': protocol,
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let id = 0;
  return {
    protocol,
    call: async (tool, args) => {
      const headers = {
        'MCP-Protocol-Version': protocol,
        'Mcp-Method': 'tools/call',
        'Mcp-Name': tool,
        'Agent-Lsp-Session': name,
      };
      const message = { id: ++id, method: 'tools/call', params: { name: tool, arguments: args, _meta } };
      return textOf(tool, await answerTo(message.id, await post(url, headers, message)));
    },
    close: async () => {},
  };
}

function post(url: URL, headers: Readonly<Record<string, string>>, message: object): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return fetch(url, { method: 'POST', headers: { ...ALWAYS, ...headers }, body });
}

async function answerTo(id: number, response: Response): Promise<Answer> {
  const text = await response.text();
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
  const messages = isStream ? [...text.matchAll(/^data: *(\{.*)$/gm)].map(([, data = '']) => data) : [text];
  const answers = messages.map((each) => JSON.parse(each) as Answer);
  const answer = answers.find((each) => each.id === id);
  if (!response.ok || !answer) throw new Error(`HTTP ${response.status}: ${text.slice(0, 300)}`);
  return answer;
}

function textOf(tool: string, { result, error }: Answer): string {
  const text = result?.content?.[0]?.text ?? '';
  if (!result || result.isError) throw new Error(`${tool}: ${error?.message ?? text}`);
  return text;
}

/** What comes is read and forgotten, until the client leaves; the server ends the stream with the session. */
async function drain(stream: Response, isEnding: () => boolean): Promise<void> {
  try {
    for await (const _ of stream.body ?? []);
  } catch (error) {
    if (!isEnding()) throw error;
  }
}
