/**
 * A connection to a server and what is known about the process behind it, whether the host started it or dialled it.
 */
import type { Readable, Writable } from 'node:stream';

export interface ServerTransport {
  readonly input: Readable;
  readonly output: Writable;
  readonly pid: number | undefined;
  /** Whether this host may end the server. A dialled one is only hung up on. */
  readonly owned: boolean;
  /** Resolves once, with a sentence, when the server is gone for any reason. */
  readonly gone: Promise<string>;
  stderr(): string;
  /** Makes sure that nothing of it is left: process group killed, or socket closed. Never rejects. */
  destroy(): Promise<void>;
}
