/**
 * Answers the plain `tools/call`, `tools/list`, `prompts/list` and `ping` of a client that began with `initialize` without the SDK,
 * which spends a third of a short call on checks and layers that such a call does not need. A test holds the answers of
 * both ways to be the same. Whatever is not plain, such as a call with metadata of a newer protocol, is left to the SDK.
 * Decision: docs/decisions/mcp.md#plain-calls-bypass-the-sdk
 */

import { isObject } from '../../../shared/base/unknown-value.ts';
import { showsForms } from '../elicitation.ts';
import { INTERNAL_ERROR } from '../protocol-error.ts';
import type { SkillCalls } from '../skill-calls.ts';
import { progressNotification, type ToolCalls } from '../tool-calls.ts';
import { ClientQuestions } from './client-questions.ts';

export interface ShortCutOptions {
  readonly calls: ToolCalls;
  readonly skills: Pick<SkillCalls, 'prompts'>;
  /** Whether the handshake is answered before anything is read here; otherwise `open` says when it is. */
  readonly isAnswered: boolean;
  send(message: object): Promise<void>;
}

interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly args: unknown;
  readonly progressToken: string | number | undefined;
}

export class CallShortCut {
  readonly #options: ShortCutOptions;
  readonly #running = new Map<string | number, AbortController>();
  readonly #questions: ClientQuestions;
  #hasBegun = false;
  #isOpen = false;
  #showsQuestions = false;

  constructor(options: ShortCutOptions) {
    this.#options = options;
    this.#questions = new ClientQuestions(this.#write);
  }

  /** True for a message that is dealt with here. */
  readonly takes = (message: object): boolean => {
    if (!('method' in message)) return this.#questions.takes(message);
    switch (message.method) {
      case 'initialize':
        this.#hasBegun = true;
        this.#isOpen = this.#options.isAnswered;
        this.#showsQuestions =
          'params' in message && isObject(message.params) && showsForms(message.params.capabilities);
        return false;
      case 'tools/call': {
        const call = this.#isOpen ? plainCall(message) : undefined;
        if (call) void this.#call(call);
        return call !== undefined;
      }
      case 'tools/list':
        return this.#answers(message, async () => ({ tools: await this.#options.calls.list() }));
      case 'prompts/list':
        return this.#answers(message, async () => ({ prompts: await this.#options.skills.prompts() }));
      case 'ping':
        return this.#answers(message, async () => ({}));
      case 'notifications/cancelled':
        return this.#cancel(message);
      default:
        return false;
    }
  };

  /** The client has its answer to the handshake: nothing can come before it any more. */
  open(): void {
    this.#isOpen = this.#hasBegun;
  }

  /** The client has gone: nobody waits for what is running. */
  close(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async #call({ id, name, args, progressToken }: PlainCall): Promise<void> {
    const askUser = this.#showsQuestions ? this.#questions.ask : undefined;
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(id, controller);
    const progress = (count: number, message: string) => {
      if (progressToken !== undefined) void this.#write(progressNotification(progressToken, count, message));
    };
    const answer = await outcomeOf(
      id,
      this.#options.calls.run(name, args, { id, signal, progress, askUser }),
    );
    if (this.#running.get(id) === controller) this.#running.delete(id);
    if (!signal.aborted) await this.#write(answer);
  }

  #answers(message: object, make: () => Promise<object>): boolean {
    const id = this.#isOpen ? plainId(message) : undefined;
    if (id === undefined) return false;
    void outcomeOf(id, make()).then((answer) => this.#write(answer));
    return true;
  }

  /** A client that has left is noticed by the transport. */
  readonly #write = (message: object): Promise<void> =>
    this.#options.send({ ...message, jsonrpc: '2.0' }).catch(() => {});

  #cancel(message: object): boolean {
    const params = 'params' in message ? message.params : undefined;
    const id = isObject(params) ? params.requestId : undefined;
    const controller = typeof id === 'string' || typeof id === 'number' ? this.#running.get(id) : undefined;
    controller?.abort();
    return controller !== undefined;
  }
}

function outcomeOf(id: string | number, work: Promise<object>): Promise<object> {
  return work.then(
    (result) => ({ id, result }),
    (error: Error & { readonly code?: unknown }) => ({
      id,
      error: { code: codeOf(error), message: error.message },
    }),
  );
}

function codeOf({ code }: { readonly code?: unknown }): number {
  return typeof code === 'number' ? code : INTERNAL_ERROR;
}

/** Of a request without parameters. */
function plainId(message: object): string | number | undefined {
  const { jsonrpc, id, params = {} } = message as Record<string, unknown>;
  const isPlain = jsonrpc === '2.0' && isObject(params) && Object.keys(params).length === 0;
  return isPlain && (typeof id === 'string' || Number.isInteger(id)) ? (id as string | number) : undefined;
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
