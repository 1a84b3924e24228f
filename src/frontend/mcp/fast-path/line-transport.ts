/**
 * MCP messages as lines of JSON on two streams. The SDK's own transport checks every message against all schemas
 * before the protocol checks it again; here a line is parsed and handed on.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

const LINE_END = 10;
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: (<T extends JSONRPCMessage>(message: T) => void) | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #accept: (message: object) => object | undefined;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #started = false;
  #closed = false;
  #held: JSONRPCMessage[] = [];

  /** What `accept` makes of a message is handed on, if anything. */
  constructor(
    input: Readable,
    output: Writable,
    accept: (message: object) => object | undefined = (message) => message,
  ) {
    this.#input = input;
    this.#output = output;
    this.#accept = accept;
  }

  /** May be started before a listener is there: messages are held until `handOn`. */
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

  /** Gives the messages that were held to the listener. */
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
    const message = parsed(line);
    if (message instanceof SyntaxError) {
      this.#refuse(PARSE_ERROR, `this line is not JSON (${message.message})`);
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      this.#refuse(INVALID_REQUEST, 'a message must be one JSON object in one line');
      return;
    }
    try {
      const accepted = this.#accept(message);
      if (!accepted) return;
      // The protocol checks what it is given, so that the type is only claimed here.
      if (this.onmessage) this.onmessage(accepted as JSONRPCMessage);
      else this.#held.push(accepted as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Which request it was is not known, so that nobody's id is answered. */
  #refuse(code: number, message: string): void {
    this.onerror?.(new Error(message));
    void this.send({ jsonrpc: '2.0', id: null, error: { code, message } }).catch(() => {});
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    return error;
  }
}
