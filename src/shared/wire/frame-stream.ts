/**
 * A MessageReader and a MessageWriter of vscode-jsonrpc over Node streams, with caps on what is read,
 * large responses kept as bytes, and the length of the write queue in view.
 */
import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Message,
  type Disposable as RpcDisposable,
} from 'vscode-jsonrpc/node';
import { FrameDecoder, FrameError } from './frame-decoder.ts';
import type { OversizeMessage, RawResponseMessage } from './messages.ts';
import { lengthOf, type Parts, partsText } from './parts.ts';
import { RawJson, sliceResponse } from './raw-json.ts';

export interface ReaderOptions {
  readonly maxBodyBytes: number;
  /** `refuse` ends the connection; `skip` reports the one message that was too long and goes on. */
  readonly oversize: 'refuse' | 'skip';
}

/** Bodies from this size on are not parsed when they are plain successful responses. */
export const RAW_FROM_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 4096;
const OVERSIZE_ID = /"id"\s*:\s*(\d+)/;

export class FrameReader extends AbstractMessageReader {
  readonly #stream: Readable;
  readonly #options: ReaderOptions;

  constructor(stream: Readable, options: ReaderOptions) {
    super();
    this.#stream = stream;
    this.#options = options;
  }

  listen(callback: DataCallback): RpcDisposable {
    const oversize = (length: number, head: Buffer, tail: Buffer) =>
      callback(oversizeMessage(length, head, tail));
    const decoder = new FrameDecoder(
      { headerBytes: MAX_HEADER_BYTES, bodyBytes: this.#options.maxBodyBytes },
      {
        body: (bytes) => callback(decode(bytes)),
        ...(this.#options.oversize === 'skip' ? { oversize } : {}),
      },
    );
    const onData = (chunk: Buffer) => {
      try {
        decoder.push(chunk);
      } catch (error) {
        this.#stream.off('data', onData);
        this.fireError(error);
      }
    };
    const onEnd = () => {
      if (!decoder.betweenFrames) this.fireError(new FrameError('the stream ended inside a message'));
      this.fireClose();
    };
    let closed = false;
    const once = (end: () => void) => () => {
      if (closed) return;
      closed = true;
      end();
    };
    this.#stream.on('data', onData);
    this.#stream.on('error', (error) => this.fireError(error));
    this.#stream.on('end', once(onEnd));
    this.#stream.on(
      'close',
      once(() => this.fireClose()),
    );
    return { dispose: () => void this.#stream.off('data', onData) };
  }
}

export class FrameWriter extends AbstractMessageWriter {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on('error', (error) => this.fireError(error));
    stream.on('close', () => this.fireClose());
  }

  /** Bytes accepted but not yet taken by the other side. */
  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  async write(message: Message): Promise<void> {
    this.send(message);
  }

  send(message: Message): void {
    if (!this.#stream.writable) return;
    const { result } = message as { result?: unknown };
    if (!(result instanceof RawJson)) {
      const body = JSON.stringify(message);
      this.#stream.write(`${headerFor(Buffer.byteLength(body))}${body}`);
      return;
    }
    const { id } = message as { id?: unknown };
    const before = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    this.#stream.cork();
    this.#stream.write(`${headerFor(Buffer.byteLength(before) + result.length + 1)}${before}`);
    for (const part of result.parts) this.#stream.write(part);
    this.#stream.write('}');
    this.#stream.uncork();
  }

  end(): void {
    this.#stream.end();
  }
}

function decode(body: Parts): Message {
  const raw = lengthOf(body) >= RAW_FROM_BYTES ? sliceResponse(body) : undefined;
  if (raw) return { jsonrpc: '2.0', raw, body } as RawResponseMessage;
  const parsed: unknown = JSON.parse(partsText(body));
  if (typeof parsed !== 'object' || parsed === null) throw new FrameError('a message must be a JSON object');
  return parsed as Message;
}

function oversizeMessage(length: number, head: Buffer, tail: Buffer): OversizeMessage {
  const id = OVERSIZE_ID.exec(head.toString('latin1')) ?? OVERSIZE_ID.exec(tail.toString('latin1'));
  return { jsonrpc: '2.0', oversizeBytes: length, id: id ? Number(id[1]) : undefined };
}

function headerFor(bytes: number): string {
  return `Content-Length: ${bytes}\r\n\r\n`;
}
