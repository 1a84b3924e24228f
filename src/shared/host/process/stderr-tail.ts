/** Keeps the end of a server's stderr for crash reports, without keeping all of it. */
import type { Readable } from 'node:stream';

const KEPT_BYTES = 4096;

export class StderrTail {
  #text = '';

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      this.#text = (this.#text + chunk).slice(-KEPT_BYTES);
    });
    stream.on('error', () => {});
  }

  get text(): string {
    return this.#text.trim();
  }
}
