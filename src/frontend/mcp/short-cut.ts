/**
 * Answers the plain `tools/call` of a client that began with `initialize` without the SDK, which spends a third of a
 * short call on checks and layers that such a call does not need. A test holds the answers of both ways to be the
 * same. Whatever is not plain, such as a call with metadata of a newer protocol, is left to the SDK.
 */
import { type CallResult, progressNotification, type ToolCalls } from './tool-calls.ts';

export interface ShortCutOptions {
  readonly calls: ToolCalls;
  send(message: object): Promise<void>;
  /** Called whenever the last running call has been answered. */
  idle?(): void;
}

const INTERNAL_ERROR = -32603;

interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly args: unknown;
  readonly progressToken: string | number | undefined;
}

export class CallShortCut {
  readonly #options: ShortCutOptions;
  readonly #running = new Map<string | number, AbortController>();
  #isOpen = false;

  constructor(options: ShortCutOptions) {
    this.#options = options;
  }

  /** True for a message that is dealt with here. */
  readonly takes = (message: object): boolean => {
    if (!('method' in message)) return false;
    switch (message.method) {
      case 'initialize':
        this.#isOpen = true;
        return false;
      case 'tools/call': {
        const call = this.#isOpen ? plainCall(message) : undefined;
        if (call) void this.#answer(call);
        return call !== undefined;
      }
      case 'notifications/cancelled':
        return this.#cancel(message);
      default:
        return false;
    }
  };

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** The client has gone: nobody waits for what is running. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async #answer({ id, name, args, progressToken }: PlainCall): Promise<void> {
    const { calls, send } = this.#options;
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    // A client that has left is noticed by the transport.
    const write = (message: object) => send({ ...message, jsonrpc: '2.0' }).catch(() => {});
    const progress = (count: number, message: string) => {
      if (progressToken !== undefined) void write(progressNotification(progressToken, count, message));
    };
    const answer = await calls.run(name, args, { signal, progress }).then(
      (result: CallResult) => ({ id, result }),
      (error: Error) => ({ id, error: { code: INTERNAL_ERROR, message: error.message } }),
    );
    if (this.#running.get(id) === controller) this.#running.delete(id);
    if (!signal.aborted) await write(answer);
    if (!this.isBusy) this.#options.idle?.();
  }

  #cancel(message: object): boolean {
    const params = 'params' in message ? message.params : undefined;
    const id = isObject(params) ? params.requestId : undefined;
    const controller = typeof id === 'string' || typeof id === 'number' ? this.#running.get(id) : undefined;
    controller?.abort();
    return controller !== undefined;
  }
}

function plainCall(message: object): PlainCall | undefined {
  const { jsonrpc, id, params } = message as Record<string, unknown>;
  if (jsonrpc !== '2.0' || (typeof id !== 'string' && !Number.isInteger(id))) return undefined;
  if (!isObject(params) || typeof params.name !== 'string') return undefined;
  const { name, arguments: args, _meta: meta = {}, ...others } = params;
  if (Object.keys(others).length > 0 || (args !== undefined && !isObject(args)) || !isObject(meta))
    return undefined;
  const { progressToken, ...otherMeta } = meta;
  if (Object.keys(otherMeta).length > 0) return undefined;
  if (progressToken !== undefined && typeof progressToken !== 'string' && typeof progressToken !== 'number')
    return undefined;
  return { id: id as string | number, name, args, progressToken };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
