/** The smallest possible MCP client over stdio, so that the benchmark measures the product and not a client library. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface McpProcess {
  readonly pid: number;
  /** From spawn to the answer of initialize. */
  readonly initializedMs: number;
  /** Asks for the list of tools, and says how long after the spawn it was there. */
  listedMs(): Promise<number>;
  /** The tools that it lists, as they are sent. */
  list(): Promise<string>;
  call(tool: string, args: object): Promise<string>;
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: { tools?: object[]; content?: { text: string }[]; isError?: boolean };
  error?: { message: string };
}

const CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

export async function startMcp(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<McpProcess> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const request = requester(child);
  await request('initialize', CLIENT);
  const initializedMs = performance.now() - began;
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    pid: child.pid ?? 0,
    initializedMs,
    async listedMs() {
      await request('tools/list', {});
      return performance.now() - began;
    },
    async list() {
      const { result } = await request('tools/list', {});
      return JSON.stringify(result?.tools);
    },
    async call(name, toolArguments) {
      const { result } = await request('tools/call', { name, arguments: toolArguments });
      const text = result?.content?.[0]?.text ?? '';
      if (result?.isError) throw new Error(`${name}: ${text}`);
      return text;
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}

function requester(
  child: ChildProcessWithoutNullStreams,
): (method: string, params: object) => Promise<Answer> {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  let errors = '';
  let buffered = '';
  let nextId = 1;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-2000);
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`the front end ended with code ${code}: ${errors}`));
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (buffered + chunk).split('\n');
    buffered = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer;
      const entry = answer.id === undefined ? undefined : waiting.get(answer.id);
      if (!entry || answer.id === undefined) continue;
      waiting.delete(answer.id);
      if (answer.error) entry.reject(new Error(answer.error.message));
      else entry.resolve(answer);
    }
  });
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
}
