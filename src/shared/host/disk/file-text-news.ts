/**
 * Some servers read a reported file on a separate thread, and answer from the old text until that is done. Such a
 * server can be asked for the text it has of a file: when it has the disk's text of the last file of a batch, it has
 * all of them.
 */
import { readFileSync } from 'node:fs';
import { ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { type Clock, delay } from '../../base/lifetime.ts';
import type { Log } from '../../base/log.ts';
import { pathToUri } from '../../base/paths.ts';

export interface FileTextDeps {
  readonly clock: Clock;
  readonly log: Log;
  request(method: string, params: unknown): Promise<unknown>;
}

/** A file that belongs to no project never has a text. */
const MOST_MS = 1_000;
const PAUSE_MS = 2;

export class FileTextNews {
  readonly #method: string | undefined;
  readonly #deps: FileTextDeps;
  #pending: Promise<void> | undefined;

  /** Without a method nothing is ever waited for. */
  constructor(method: string | undefined, deps: FileTextDeps) {
    this.#method = method;
    this.#deps = deps;
  }

  /** To be called right after the server was told of these files. */
  told(files: readonly AbsPath[]): void {
    const file = files.at(-1);
    if (this.#method === undefined || file === undefined) return;
    const pending = this.#await(this.#method, file).finally(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
    this.#pending = pending;
  }

  /** Resolves at once unless something is pending, and after some time in any case. */
  async taken(): Promise<void> {
    while (this.#pending) await this.#pending;
  }

  async #await(method: string, file: AbsPath): Promise<void> {
    const { clock, log } = this.#deps;
    const end = clock.now() + MOST_MS;
    for (let pause = PAUSE_MS; ; pause *= 2) {
      const known = await this.#textOf(method, file);
      if (known === 'cannot say' || known === textOnDisk(file)) return;
      if (clock.now() + pause > end) return log.debug('the server keeps an old text', { file });
      await delay(pause, { clock });
    }
  }

  /** Undefined for a file that the server does not have. */
  async #textOf(method: string, file: AbsPath): Promise<string | undefined | 'cannot say'> {
    try {
      const text = await this.#deps.request(method, { uri: pathToUri(file) });
      return typeof text === 'string' ? text : undefined;
    } catch (error) {
      // That there is no such file is said by an error; a connection that has ended says nothing.
      return error instanceof ResponseError ? undefined : 'cannot say';
    }
  }
}

function textOnDisk(file: AbsPath): string | undefined {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}
