/**
 * One client's conversation: takes messages in, lets the rules of the scenario interfere, and answers.
 * Over stdio a process has one session, when listening one per connection.
 */

import { Diagnostics } from './diagnostics.mjs';
import { Documents } from './documents.mjs';
import { handlerFor, initializeResult } from './handlers.mjs';
import { Hierarchies } from './hierarchies.mjs';
import { Language } from './language.mjs';
import { runSteps } from './steps.mjs';

const METHOD_NOT_FOUND = -32601;
const INVALID_REQUEST = -32600;
const NOT_INITIALIZED = -32002;
const REQUEST_CANCELLED = -32800;

/** Belong to the connection, not to what a client asks; rules on `request` do not see them. */
const UNCOUNTED = ['initialize', 'shutdown', 'agent-lsp/firstAnswer', 'agent-lsp/barrier'];

export class Session {
  #outlet;
  #rules;
  #pending = new Map();
  #asked = new Map();
  #nextAsk = 1;
  #phase = 'new';

  /** `life` is the process (or the connection) the session may end. */
  constructor({ scenario, journal, rules, outlet, life }) {
    this.scenario = scenario;
    this.journal = journal;
    this.life = life;
    this.#outlet = outlet;
    this.#rules = rules;
    this.counts = {};
    this.settings = undefined;
    this.clientCapabilities = {};
    this.roots = [];
    this.encoding = 'utf-16';
    this.documents = new Documents((rule, detail) => this.#violation(rule, detail));
    this.diagnostics = new Diagnostics(scenario.diagnostics, this);
  }

  receive(message) {
    this.journal.append('received', { method: message.method, message });
    if (message.method === undefined) return this.#answered(message);
    this.counts[message.method] = (this.counts[message.method] ?? 0) + 1;
    return message.id === undefined ? this.#notified(message) : this.#requested(message);
  }

  notify(method, params) {
    this.journal.append('sent', { method, params });
    this.#outlet.send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request to the client; resolves with its whole answer. */
  ask(method, params) {
    const id = `fake-${this.#nextAsk++}`;
    this.journal.append('asked', { method, id, params });
    const answer = new Promise((resolve) => this.#asked.set(id, { method, resolve }));
    this.#outlet.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  /** Runs steps that belong to no message, as `fake/do` and the `start` rule want. */
  run(steps, reply = NO_REPLY) {
    return runSteps(
      steps,
      this.#exchange(reply, () => false),
    );
  }

  initialize(params) {
    this.#phase = 'initialized';
    this.clientCapabilities = params.capabilities ?? {};
    this.roots = params.workspaceFolders?.map(({ uri }) => uri) ?? (params.rootUri ? [params.rootUri] : []);
    const offered = this.clientCapabilities.general?.positionEncodings ?? [];
    const { positionEncoding, stubborn } = this.scenario;
    const isTaken = offered.includes(positionEncoding) || stubborn.includes('encoding');
    this.encoding = isTaken ? positionEncoding : 'utf-16';
    const { documents, roots, encoding } = this;
    this.language = new Language({ documents, roots, encoding, extensions: this.scenario.extensions });
    this.hierarchies = new Hierarchies(this.language);
    return initializeResult(this);
  }

  shutdown() {
    this.#phase = 'shutdown';
    return null;
  }

  #requested(message) {
    const reply = this.#replyTo(message);
    this.#pending.set(message.id, reply);
    const refusal = this.#refusal(message);
    if (refusal) {
      this.#violation(refusal.rule, { method: message.method });
      return reply.with({ error: { code: refusal.code, message: refusal.rule } });
    }
    const names = UNCOUNTED.includes(message.method) ? [message.method] : [message.method, 'request'];
    const steps = this.#rules.stepsFor(names, message.params);
    if (message.method === 'shutdown' && this.scenario.stubborn.includes('shutdown')) reply.withhold();
    if (steps.length === 0) return reply.byDefault();
    return this.#carryOut(steps, reply);
  }

  async #carryOut(steps, reply) {
    await runSteps(
      steps,
      this.#exchange(reply, () => reply.over && reply.cancelled),
    );
    await reply.byDefault();
  }

  #refusal({ method }) {
    if (this.#phase === 'new' && method !== 'initialize')
      return { rule: 'request-before-initialize', code: NOT_INITIALIZED };
    if (this.#phase === 'shutdown') return { rule: 'request-after-shutdown', code: INVALID_REQUEST };
    if (this.#phase !== 'new' && method === 'initialize')
      return { rule: 'initialized-twice', code: INVALID_REQUEST };
    return undefined;
  }

  /** Exactly one answer per request, however many steps want to give one. */
  #replyTo({ id, method, params }) {
    const finish = (fields, send) => {
      if (reply.over) return;
      reply.over = true;
      this.#pending.delete(id);
      this.journal.append('replied', { method, id, ...fields });
      send();
    };
    const reply = {
      over: false,
      cancelled: false,
      with: (body) =>
        finish(body.error ? { error: body.error } : {}, () =>
          this.#outlet.send({ jsonrpc: '2.0', id, ...body }),
        ),
      big: (bytes) => finish({ bytes }, () => this.#outlet.sendBig(id, bytes)),
      withhold: () => {
        reply.over = true;
      },
      cancel: () => {
        if (!this.#pending.has(id) || this.scenario.stubborn.includes('cancel')) return;
        reply.over = false;
        reply.cancelled = true;
        reply.with({ error: { code: REQUEST_CANCELLED, message: 'cancelled' } });
      },
      byDefault: async () => {
        if (reply.over) return;
        const handler = handlerFor(method);
        if (!handler) return reply.with({ error: { code: METHOD_NOT_FOUND, message: `fake: no ${method}` } });
        try {
          const result = handler(params ?? {}, this, reply);
          reply.with({ result: (result instanceof Promise ? await result : result) ?? null });
        } catch (error) {
          reply.with({ error: { code: -32603, message: String(error.stack) } });
        }
      },
    };
    return reply;
  }

  async #notified(message) {
    const { method, params } = message;
    const exitIsAllowed = method === 'exit' || method === '$/cancelRequest';
    if (this.#phase === 'new' && !exitIsAllowed)
      this.#violation('notification-before-initialize', { method });
    if (method === 'exit' && !this.scenario.stubborn.includes('exit'))
      return this.life.exit(this.#phase === 'shutdown' ? 0 : 1);
    if (method === '$/cancelRequest') return this.#pending.get(params.id)?.cancel();
    // A copy: diagnostics that were held back belong to the text of this message, not to a later one.
    const document = copyOf(this.#syncText(method, params));
    const steps = this.#rules.stepsFor([method, 'notification'], params);
    if (steps.length > 0) await this.run(steps);
    if (method === 'initialized') await this.diagnostics.initialized(this.clientCapabilities);
    if (method === 'workspace/didChangeWorkspaceFolders') this.#folders(params.event);
    if (method === 'workspace/didChangeConfiguration') this.settings = params.settings;
    if (method === 'fake/do') await this.run(params.steps);
    if (document && method === 'textDocument/didClose') this.diagnostics.closed(document);
    else if (document) await this.diagnostics.changed(document);
  }

  /** In place: the language looks through the same list. */
  #folders({ added, removed }) {
    const gone = removed.map(({ uri }) => uri);
    for (const uri of gone) if (!this.roots.includes(uri)) this.#violation('unknown-folder', { uri });
    const kept = this.roots.filter((uri) => !gone.includes(uri));
    this.roots.splice(0, this.roots.length, ...kept, ...added.map(({ uri }) => uri));
  }

  #syncText(method, params) {
    switch (method) {
      case 'textDocument/didOpen':
        return this.documents.open(params.textDocument);
      case 'textDocument/didChange':
        return this.documents.change(params.textDocument, params.contentChanges, this.encoding);
      case 'textDocument/didClose':
        return this.documents.close(params.textDocument.uri);
      default:
        return undefined;
    }
  }

  #answered({ id, result, error }) {
    const asked = this.#asked.get(id);
    if (!asked) return this.#violation('answer-to-nothing', { id });
    this.#asked.delete(id);
    this.journal.append('answer', { method: asked.method, id, result, error });
    return asked.resolve({ result, error });
  }

  #violation(rule, detail) {
    this.journal.append('violation', { rule, ...detail });
  }

  #exchange(reply, over) {
    return { session: this, life: this.life, journal: this.journal, outlet: this.#outlet, reply, over };
  }
}

function copyOf(document) {
  return document && { ...document };
}

const NO_REPLY = { with() {}, big() {}, withhold() {}, byDefault() {} };
