/**
 * MCP messages as lines of JSON on two streams. The SDK's own transport checks every message against all schemas
 * before the protocol checks it again; here a line is parsed and handed on.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

const LINE_END = 10;
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #takes: (message: object) => boolean;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #started = false;
  #closed = false;
  #held: JSONRPCMessage[] = [];

  /** Messages that `takes` returns true for are not handed on. */
  constructor(input: Readable, output: Writable, takes: (message: object) => boolean = () => false) {
    this.#input = input;
    this.#output = output;
    this.#takes = takes;
  }

  /** May be started before anybody listens: messages are held until `handOn`. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const close = () => void this.close();
    this.#input.on('data', this.#read);
    this.#input.on('error', (error) => this.onerror?.(error));
    this.#input.on('end', close);
    this.#input.on('close', close);
    // The listener stays when the transport is closed: a late error of the stream must not end the process.
    this.#output.on('error', (error) => {
      if (!this.#closed) this.onerror?.(error);
      close();
    });
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(close);
  }

  /** Gives the messages that were held to whoever listens now. */
  handOn(): void {
    const held = this.#held;
    this.#held = [];
    for (const message of held) this.onmessage?.(message);
  }

  /** Settles when the stream has room again. */
  async send(message: object): Promise<void> {
    if (this.#closed) throw new Error('the client has gone');
    if (this.#output.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        for (const event of ['drain', 'error', 'close']) this.#output.off(event, settle);
        resolve();
      };
      for (const event of ['drain', 'error', 'close']) this.#output.on(event, settle);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#read);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #read = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.#receive(this.#lineUpTo(chunk.subarray(from, end)));
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.#chunks.push(chunk.subarray(from));
    this.#buffered += chunk.length - from;
    if (this.#buffered <= MAX_LINE_BYTES) return;
    this.onerror?.(new Error(`a message of more than ${MAX_LINE_BYTES} bytes`));
    void this.close();
  };

  #lineUpTo(last: Buffer): string {
    if (this.#buffered === 0) return last.toString('utf8');
    const line = Buffer.concat([...this.#chunks, last]).toString('utf8');
    this.#chunks = [];
    this.#buffered = 0;
    return line;
  }

  #receive(line: string): void {
    if (this.#closed || line.trim() === '') return;
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message !== 'object' || message === null) throw new Error('a message must be a JSON object');
      // The protocol checks what it is given, so that the type is only claimed here.
      if (this.#takes(message)) return;
      if (this.onmessage) this.onmessage(message as JSONRPCMessage);
      else this.#held.push(message as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
