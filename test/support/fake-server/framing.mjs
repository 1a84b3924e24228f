/**
 * Content-Length frames, read as they should be and written as the scenario wants them:
 * correct, unusual but legal, or broken.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

const CHUNK = 64 * 1024;

/** Cuts the incoming bytes into messages; a header it cannot read is an error of the client. */
export class Decoder {
  #chunks = [];
  #size = 0;
  #bodyLength;

  *feed(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      if (this.#bodyLength === undefined && !this.#readHeader()) return;
      if (this.#size < this.#bodyLength) return;
      const body = this.#take(this.#bodyLength);
      this.#bodyLength = undefined;
      yield JSON.parse(body.toString('utf8'));
    }
  }

  #readHeader() {
    const bytes = this.#joined();
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const header = this.#take(end + 4).toString('latin1');
    const length = /^content-length: *(\d+) *$/im.exec(header)?.[1];
    if (length === undefined) throw new Error(`no Content-Length in ${JSON.stringify(header)}`);
    this.#bodyLength = Number(length);
    return true;
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #take(length) {
    const bytes = this.#joined();
    this.#chunks = [bytes.subarray(length)];
    this.#size -= length;
    return bytes.subarray(0, length);
  }
}

/** Writes one message after the other, also when one of them takes several turns to write. */
export class Outlet {
  #write;
  #framing;
  #jobs = [];
  #draining = Promise.resolve();
  #busy = false;

  constructor(write, framing) {
    this.#write = write;
    this.#framing = framing;
    if (framing.prelude) this.raw(Buffer.from(framing.prelude));
  }

  send(message) {
    this.#add({ chunks: frame(Buffer.from(JSON.stringify(ordered(message, this.#framing))), this.#framing) });
  }

  /** Answers with a string of `bytes` bytes (quotes included) that never exists as a whole. */
  sendBig(id, bytes) {
    this.#add({ chunks: bigAnswer(id, bytes, this.#framing) });
  }

  raw(bytes) {
    this.#add({ chunks: [bytes] });
  }

  /** Resolves when everything that was sent so far has been handed over. */
  idle() {
    return this.#draining;
  }

  #add(job) {
    this.#jobs.push(job);
    if (!this.#busy) this.#draining = this.#drain();
  }

  async #drain() {
    this.#busy = true;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      for (const chunk of job.chunks) {
        const accepted = this.#write(chunk);
        if (accepted) await accepted;
        if (this.#framing.split) await nextTurn();
      }
    }
    this.#busy = false;
  }
}

/** Frames that no client can read; `half` is a correct header with only a part of its body. */
export function brokenFrame(kind) {
  const body = '{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":4,"message":"broken"}}';
  const headers = {
    half: `Content-Length: ${body.length + 100}`,
    negative: `Content-Length: -${body.length}`,
    huge: 'Content-Length: 1000000000000',
    'not-a-number': 'Content-Length: many',
    'no-length': 'Content-Type: application/vscode-jsonrpc; charset=utf-8',
    'not-json': 'Content-Length: 9',
  };
  if (!(kind in headers)) throw new Error(`unknown broken frame ${JSON.stringify(kind)}`);
  return Buffer.from(`${headers[kind]}\r\n\r\n${kind === 'not-json' ? '{"oops: 1' : body}`);
}

function ordered(message, framing) {
  if (!framing.idLast || message.id === undefined) return message;
  const { id, ...rest } = message;
  return { ...rest, id };
}

function* frame(body, framing) {
  yield* pieces(Buffer.from(header(body.length, framing)), framing.split ? 1 : CHUNK);
  yield* pieces(body, framing.split === 'all' ? 1 : body.length);
}

function header(length, framing) {
  const type = 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n';
  switch (framing.header) {
    case 'lower':
      return `content-length: ${length}\r\n\r\n`;
    case 'extra':
      return `X-Fake: yes\r\n${type}Content-Length: ${length}\r\nX-More: a: b\r\n\r\n`;
    default:
      return `Content-Length: ${length}\r\n\r\n`;
  }
}

function* bigAnswer(id, bytes, framing) {
  const start = framing.idLast
    ? '{"jsonrpc":"2.0","result":"'
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"`;
  const end = framing.idLast ? `","id":${JSON.stringify(id)}}` : '"}';
  const filling = Math.max(0, bytes - 2);
  yield Buffer.from(header(start.length + filling + Buffer.byteLength(end), framing));
  yield Buffer.from(start);
  const chunk = Buffer.alloc(CHUNK, 'x');
  for (let left = filling; left > 0; left -= CHUNK) yield left < CHUNK ? chunk.subarray(0, left) : chunk;
  yield Buffer.from(end);
}

function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
