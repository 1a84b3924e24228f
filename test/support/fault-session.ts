/**
 * A front end process at the level of single messages: ids are the test's to choose, answers are counted, and standard
 * output can be left unread. The official client hides all three.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { BUILT_PROGRAM } from './mcp-client.ts';
import { type ProcessExit, ProcessTransport } from './mcp-transport.ts';

export interface SessionOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly program?: string;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface FaultSession {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Lines on standard output that were no messages. */
  readonly strayOutput: readonly string[];
  /** Settles with the first answer; rejects when the process ends without one. */
  call(tool: string, args?: Readonly<Record<string, unknown>>, id?: number | string): Promise<CallAnswer>;
  cancel(id: number | string): Promise<void>;
  /** How often each request was answered; the ids as JSON, because 1 and "1" are two. */
  answerCounts(): Readonly<Record<string, number>>;
  stopReading(): void;
  readOn(): void;
  /** Ends the input without waiting. */
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Ends the input and waits for the exit, or kills and rejects. */
  close(timeoutMs?: number): Promise<ProcessExit>;
}

/** Starts the built program and shakes hands. */
export async function startSession(options: SessionOptions): Promise<FaultSession> {
  const { args, cwd, env, program = BUILT_PROGRAM } = options;
  const transport = new ProcessTransport({ command: process.execPath, args: [program, ...args], cwd, env });
  const { child, exited } = transport;
  const requests = new Requests(transport);
  await transport.start();
  await requests.send('initialize', HANDSHAKE, 'handshake');
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    pid: child.pid ?? 0,
    exited,
    strayOutput: transport.strayOutput,
    call: async (name, toolArguments = {}, id = requests.nextId()) =>
      callAnswer(await requests.send('tools/call', { name, arguments: { ...toolArguments } }, id)),
    cancel: (requestId) =>
      transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    answerCounts: () => Object.fromEntries(requests.counts),
    stopReading: () => void child.stdout.pause(),
    readOn: () => void child.stdout.resume(),
    endInput: () => void child.stdin.end(),
    signal: (name) => void child.kill(name),
    close: async (timeoutMs = 40_000) => {
      let late = false;
      const killer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
      }, timeoutMs);
      await transport.close();
      clearTimeout(killer);
      if (late) throw new Error(`the front end did not leave within ${timeoutMs} ms\n${transport.stderr}`);
      return exited;
    },
  };
}

const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'agent-lsp-tests', version: '1.0.0' },
};

type Outcome = { readonly result: unknown } | { readonly error: unknown };

class Requests {
  /** Answers per id. */
  readonly counts = new Map<string, number>();
  readonly #transport: ProcessTransport;
  readonly #waiting = new Map<string, { settle(outcome: Outcome): void; lose(error: Error): void }>();
  #next = 1;

  constructor(transport: ProcessTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => this.#receive(message);
    transport.onclose = () => {
      for (const { lose } of this.#waiting.values())
        lose(new Error(`the front end ended before it answered\n${transport.stderr}`));
    };
  }

  nextId(): number {
    return this.#next++;
  }

  send(method: string, params: Record<string, unknown>, id: number | string): Promise<Outcome> {
    const answer = new Promise<Outcome>((settle, lose) =>
      this.#waiting.set(JSON.stringify(id), { settle, lose }),
    );
    // A test that kills the process looks at its exit, not at each call.
    answer.catch(() => {});
    this.#transport.send({ jsonrpc: '2.0', id, method, params }).catch(() => {});
    return answer;
  }

  #receive(message: JSONRPCMessage): void {
    if (!('id' in message) || 'method' in message) return;
    const id = JSON.stringify(message.id);
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
    this.#waiting.get(id)?.settle(message);
  }
}

function callAnswer(outcome: Outcome): CallAnswer {
  if ('error' in outcome) throw new Error(`not a tool's answer: ${JSON.stringify(outcome.error)}`);
  const { content = [], isError = false } = outcome.result as {
    content?: readonly { text?: string }[];
    isError?: boolean;
  };
  return { text: content.flatMap(({ text }) => text ?? []).join('\n'), isError };
}
