/**
 * An MCP server as a child process whose end can be watched. The SDK's own stdio transport hides the exit code
 * and signals a server that is slow to leave; whether ours leaves by itself is just what tests want to know.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly exited: Promise<ProcessExit>;
  /** Lines on standard output that are no messages: there should be none. The SDK skips them silently. */
  readonly strayOutput: string[] = [];
  readonly #lines: string[] = [];
  #delivering = false;
  #stderr = '';

  /** The process starts at once, so that its start-up can be timed from here. */
  constructor({ command, args, cwd, env }: ProcessOptions) {
    this.child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
      this.child.once('error', () => resolve({ code: null, signal: null }));
    });
    void this.exited.then(() => this.onclose?.());
    // A process that is gone shows by its exit; the broken pipe adds nothing.
    this.child.stdin.on('error', () => {});
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  async start(): Promise<void> {
    let unfinished: Buffer[] = [];
    this.child.stdout.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        unfinished.push(chunk.subarray(start, end));
        this.#lines.push(Buffer.concat(unfinished).toString('utf8'));
        unfinished = [];
        start = end + 1;
      }
      if (start < chunk.length) unfinished.push(chunk.subarray(start));
      if (!this.#delivering) void this.#deliverAll();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the input, which is all a client should have to do, and waits for the process to leave. */
  async close(): Promise<void> {
    this.child.stdin.end();
    await this.exited;
  }

  /**
   * One message per turn: the client handles notifications a little later than answers,
   * and would drop progress that came in the same chunk as the answer it belongs to.
   */
  async #deliverAll(): Promise<void> {
    this.#delivering = true;
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      this.#deliver(line);
      if (this.#lines.length > 0) await nextTurn();
    }
    this.#delivering = false;
  }

  #deliver(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.strayOutput.push(line);
      this.onerror?.(new Error(`not a message: ${line.slice(0, 200)}`));
      return;
    }
    this.onmessage?.(message);
  }
}

const NEWLINE = 0x0a;
