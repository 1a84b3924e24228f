/**
 * Content-Length frames out of a byte stream, with caps. vscode-jsonrpc's own buffer accepts negative and
 * unbounded lengths, so this decoder stands in for it.
 * After a bad header a stream cannot be resynchronised: the decoder throws once and must not be fed again.
 * Decision: docs/decisions/base-and-wire.md#own-frame-decoder
 */
import { cutParts, type Parts } from './parts.ts';

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export interface FrameLimits {
  /** Longest header block. Ours has 30 bytes; servers may add a Content-Type. */
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

export interface FrameSink {
  /** As it arrived: a broker that only passes a long body on need not join its parts. */
  body(bytes: Parts): void;
  /**
   * A frame longer than the cap. If absent, such a frame is an error.
   * Otherwise its body is skipped and its first and last bytes are handed over, which is where the id is.
   */
  oversize?(length: number, head: Buffer, tail: Buffer): void;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const KEPT_OF_OVERSIZE = 4096;

export class FrameDecoder {
  readonly #limits: FrameLimits;
  readonly #sink: FrameSink;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #bodyLength: number | undefined;
  #skipping: { left: number; length: number; head: Buffer; tail: Buffer } | undefined;

  constructor(limits: FrameLimits, sink: FrameSink) {
    this.#limits = limits;
    this.#sink = sink;
  }

  /** True when the stream may end here without cutting a frame in half. */
  get betweenFrames(): boolean {
    return this.#buffered === 0 && this.#bodyLength === undefined && this.#skipping === undefined;
  }

  push(chunk: Buffer): void {
    let rest: Buffer | undefined = chunk;
    if (this.#skipping) rest = this.#skip(rest);
    if (rest.length === 0) return;
    this.#chunks.push(rest);
    this.#buffered += rest.length;
    while (this.#step());
  }

  /** Takes one header or one body; false when more bytes are needed. */
  #step(): boolean {
    if (this.#bodyLength === undefined) return this.#readHeader();
    if (this.#buffered < this.#bodyLength) return false;
    const body = cutParts(this.#chunks, 0, this.#bodyLength);
    this.#chunks = [...cutParts(this.#chunks, this.#bodyLength, this.#buffered)];
    this.#buffered -= this.#bodyLength;
    this.#bodyLength = undefined;
    this.#sink.body(body);
    return this.#buffered > 0;
  }

  #readHeader(): boolean {
    if (this.#buffered === 0) return false;
    const all = this.#joined();
    const end = all.subarray(0, this.#limits.headerBytes + HEADER_END.length).indexOf(HEADER_END);
    if (end < 0) {
      if (this.#buffered > this.#limits.headerBytes) throw new FrameError(`no header end in ${quote(all)}`);
      return false;
    }
    const length = contentLength(all.subarray(0, end).toString('latin1'));
    this.#keep(all.subarray(end + HEADER_END.length));
    if (length <= this.#limits.bodyBytes) {
      this.#bodyLength = length;
      return true;
    }
    if (!this.#sink.oversize)
      throw new FrameError(`a frame of ${length} bytes exceeds the cap of ${this.#limits.bodyBytes}`);
    this.#skipping = { left: length, length, head: Buffer.alloc(0), tail: Buffer.alloc(0) };
    const rest = this.#skip(this.#joined());
    this.#keep(rest);
    return this.#skipping === undefined && this.#buffered > 0;
  }

  /** Drops bytes of an oversize body and returns what follows it. */
  #skip(chunk: Buffer): Buffer {
    const skipping = this.#skipping;
    if (!skipping) return chunk;
    const part = chunk.subarray(0, skipping.left);
    if (skipping.head.length < KEPT_OF_OVERSIZE) {
      skipping.head = Buffer.concat([
        skipping.head,
        part.subarray(0, KEPT_OF_OVERSIZE - skipping.head.length),
      ]);
    }
    skipping.tail = Buffer.concat([skipping.tail, part.subarray(-KEPT_OF_OVERSIZE)]).subarray(
      -KEPT_OF_OVERSIZE,
    );
    skipping.left -= part.length;
    if (skipping.left > 0) return Buffer.alloc(0);
    this.#skipping = undefined;
    this.#sink.oversize?.(skipping.length, skipping.head, skipping.tail);
    return chunk.subarray(part.length);
  }

  #joined(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks, this.#buffered)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#buffered = rest.length;
  }
}

function contentLength(header: string): number {
  const usual = /^Content-Length: (\d{1,15})$/.exec(header);
  if (usual) return Number(usual[1]);
  let length: number | undefined;
  for (const line of header.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) throw new FrameError(`not a header line: ${quote(line)}`);
    if (line.slice(0, colon).trim().toLowerCase() !== 'content-length') continue;
    const value = line.slice(colon + 1).trim();
    if (!/^\d{1,15}$/.test(value)) throw new FrameError(`bad Content-Length ${quote(value)}`);
    length = Number(value);
  }
  if (length === undefined) throw new FrameError(`no Content-Length in ${quote(header)}`);
  return length;
}

function quote(text: Buffer | string): string {
  return JSON.stringify(text.toString('utf8').slice(0, 120));
}
